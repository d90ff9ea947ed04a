//! Writes the JavaScript bindings of a WebAssembly module. Usage: bindgen MODULE DIR
use std::error::Error;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, directory] = &arguments[..] else { return Err("usage: bindgen MODULE DIR".into()) };
    // Without the names of functions, which only debuggers read and which are a third of the module.
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name("keepers").remove_name_section(true).remove_producers_section(true);
    bindgen.web(true)?.typescript(false).omit_default_module_path(true).generate(directory)?;
    Ok(())
}
