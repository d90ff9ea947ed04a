//! The module: a service with one engine, asked with JSON.

use std::sync::Arc;

use keepers::{Engine, Limits, Store};
use keepers_api::{QUESTIONS, Refusal, Service};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::host::{self, Host, ToHost};

/// An engine and its tables.
#[wasm_bindgen]
pub struct Module {
    service: Service,
}

#[wasm_bindgen]
impl Module {
    /// Creates an engine that keeps tables of up to `kept` bytes in memory, and refuses solves of more than `working`
    /// bytes. If `is_page`, it also refuses questions beyond the limits of a server, as the page expects.
    #[wasm_bindgen(constructor)]
    pub fn new(host: Host, kept: f64, working: f64, is_page: bool) -> Module {
        host::install(host);
        let limits = Limits::default().with_kept(kept as usize).with_working(working as usize).with_solves(1);
        let engine = Engine::limited(Store::on_shelf(Arc::new(ToHost)), limits);
        let limits = if is_page { keepers_api::Limits::SERVER } else { keepers_api::Limits::WIDE };
        Module { service: Service::limited(engine, limits) }
    }

    /// Answers a question with JSON.
    ///
    /// # Errors
    /// Throws a string: the HTTP status of the refusal, a space, and the refusal as JSON.
    pub fn ask(&self, question: &str, request: &str) -> Result<String, JsValue> {
        let answer = self.service.ask(question, request.as_bytes(), &ToHost);
        answer.map_err(|refusal| thrown(&refusal)).map(text)
    }

    /// Returns the bytes of tables in memory.
    #[wasm_bindgen(getter)]
    pub fn bytes(&self) -> f64 {
        self.service.engine().bytes() as f64
    }

    /// Drops all tables from memory.
    pub fn shrink(&self) {
        self.service.engine().shrink(0);
    }

    /// Returns the version of Keepers.
    pub fn version() -> String {
        env!("CARGO_PKG_VERSION").to_string()
    }

    /// Returns the names of all questions.
    pub fn questions() -> Vec<String> {
        QUESTIONS.iter().map(ToString::to_string).collect()
    }
}

fn thrown(refusal: &Refusal) -> JsValue {
    let body = serde_json::to_string(&refusal.body()).unwrap_or_default();
    JsValue::from_str(&format!("{} {body}", refusal.kind.status()))
}

/// Answers are written by `serde_json`, which writes UTF-8.
fn text(answer: Vec<u8>) -> String {
    String::from_utf8(answer).unwrap_or_default()
}
