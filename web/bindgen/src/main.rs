//! Generates the JavaScript and TypeScript declarations that call a WebAssembly module.
//!
//! Usage: `absolve-web-bindgen INPUT.wasm OUTPUT_DIRECTORY`.

use std::env;
use std::error::Error;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, output] = arguments.as_slice() else {
        return Err("usage: absolve-web-bindgen INPUT.wasm OUTPUT_DIRECTORY".into());
    };
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(input)
        // The one form that leaves it to the caller where the module comes from.
        .web(true)?
        .omit_default_module_path(true)
        .typescript(true)
        .out_name("absolve")
        .generate(output)?;
    Ok(())
}
