//! The JavaScript side of a module: progress, cancellation, tables and time.

use std::cell::RefCell;

use keepers::Observer;
use keepers::answers::Shelf;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// An object with the methods below.
    pub type Host;

    /// Reports that `done` of `all` units of the named work are done.
    #[wasm_bindgen(method)]
    fn progress(this: &Host, work: &str, done: f64, all: f64);

    /// Reports a message of one line.
    #[wasm_bindgen(method)]
    fn notice(this: &Host, text: &str);

    /// Returns whether the question should end early. Called every few milliseconds.
    #[wasm_bindgen(method, js_name = isCancelled)]
    fn is_cancelled(this: &Host) -> bool;

    /// Returns the table with this name, if there is one.
    #[wasm_bindgen(method, js_name = readTable)]
    fn read_table(this: &Host, name: &str) -> Option<Vec<u8>>;

    /// Keeps a table under this name.
    #[wasm_bindgen(method, js_name = writeTable)]
    fn write_table(this: &Host, name: &str, table: Vec<u8>);

    /// Returns the seconds since any fixed moment.
    #[wasm_bindgen(method)]
    fn now(this: &Host) -> f64;
}

thread_local! {
    /// The host of this thread. Observers and shelves must be usable by several threads, which a JavaScript object is not.
    static HOST: RefCell<Option<Host>> = const { RefCell::new(None) };
}

/// Sets the host of this thread, and makes it the clock of the library and the reader of panic messages.
pub fn install(host: Host) {
    HOST.set(Some(host));
    std::panic::set_hook(Box::new(|panic| {
        with_host((), |host| host.notice(&panic.to_string()));
    }));
    #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
    keepers::internals::clock::set_clock(|| with_host(0.0, Host::now));
}

fn with_host<T>(otherwise: T, run: impl FnOnce(&Host) -> T) -> T {
    HOST.with_borrow(|host| host.as_ref().map_or(otherwise, run))
}

/// Passes everything on to the host.
#[derive(Debug)]
pub struct ToHost;

impl Observer for ToHost {
    fn progress(&self, work: &str, done: usize, all: usize) {
        with_host((), |host| host.progress(work, done as f64, all as f64));
    }

    fn notice(&self, text: &str) {
        with_host((), |host| host.notice(text));
    }

    fn is_cancelled(&self) -> bool {
        with_host(false, Host::is_cancelled)
    }
}

impl Shelf for ToHost {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        with_host(None, |host| host.read_table(name))
    }

    fn write(&self, name: &str, table: Vec<u8>) {
        with_host((), |host| host.write_table(name, table));
    }
}
