//! Reader of the inputs of html5lib-tests.

use std::fs;

use crate::{corpora, files};

/// Inputs of html5lib-tests, by the part of the parser they test.
pub struct Inputs {
    pub tree_construction: Vec<String>,
    pub tokenizer: Vec<String>,
}

/// Returns all inputs, or `None` if html5lib-tests is not in the corpora.
pub fn inputs() -> Option<Inputs> {
    let folder = corpora("html5lib")?;
    let mut tree_construction = Vec::new();
    for file in files(&folder.join("tree-construction"), &["dat"]) {
        let text = String::from_utf8_lossy(&fs::read(&file).expect("the tests")).into_owned();
        for test in text.split("#data\n").skip(1) {
            let data = test.split("\n#errors").next().unwrap_or_default();
            tree_construction.push(data.to_owned());
        }
    }
    let mut tokenizer = Vec::new();
    for file in files(&folder.join("tokenizer"), &["test"]) {
        let tests: serde_json::Value =
            serde_json::from_slice(&fs::read(&file).expect("the tests")).expect("JSON");
        for test in tests["tests"].as_array().into_iter().flatten() {
            let input = test["input"].as_str().unwrap_or_default();
            if test["doubleEscaped"] == true {
                // The input is escaped once more. Inputs with lone surrogates are dropped, because they are not text.
                tokenizer.extend(serde_json::from_str::<String>(&format!(
                    "\"{}\"",
                    input.replace('"', "\\\"")
                )));
            } else {
                tokenizer.push(input.to_owned());
            }
        }
    }
    let (constructions, tokenizations) = (tree_construction.len(), tokenizer.len());
    assert!(
        constructions > 1_000 && tokenizations > 5_000,
        "{constructions} and {tokenizations} inputs"
    );
    Some(Inputs {
        tree_construction,
        tokenizer,
    })
}
