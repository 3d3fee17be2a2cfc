//! The inputs of html5lib's tests.

use std::fs;

use crate::support::{corpora, files};

/// The inputs of html5lib's tests of tree construction and of the tokenizer, where they are.
pub(crate) struct Inputs {
    pub(crate) of_tree_construction: Vec<String>,
    pub(crate) of_the_tokenizer: Vec<String>,
}

/// All inputs; `None` if they are not there.
pub(crate) fn inputs() -> Option<Inputs> {
    let folder = corpora("html5lib")?;
    let mut of_tree_construction = Vec::new();
    for file in files(&folder.join("tree-construction"), &["dat"]) {
        let text = String::from_utf8_lossy(&fs::read(&file).expect("the tests")).into_owned();
        for test in text.split("#data\n").skip(1) {
            let data = test.split("\n#errors").next().unwrap_or_default();
            of_tree_construction.push(data.to_owned());
        }
    }
    let mut of_the_tokenizer = Vec::new();
    for file in files(&folder.join("tokenizer"), &["test"]) {
        let tests: serde_json::Value =
            serde_json::from_slice(&fs::read(&file).expect("the tests")).expect("JSON");
        for test in tests["tests"].as_array().into_iter().flatten() {
            let input = test["input"].as_str().unwrap_or_default();
            if test["doubleEscaped"] == true {
                // The input is escaped once more; lone surrogates are no text and left out.
                of_the_tokenizer.extend(serde_json::from_str::<String>(&format!(
                    "\"{}\"",
                    input.replace('"', "\\\"")
                )));
            } else {
                of_the_tokenizer.push(input.to_owned());
            }
        }
    }
    let (constructions, tokenizations) = (of_tree_construction.len(), of_the_tokenizer.len());
    assert!(
        constructions > 1_000 && tokenizations > 5_000,
        "{constructions} and {tokenizations} inputs"
    );
    Some(Inputs {
        of_tree_construction,
        of_the_tokenizer,
    })
}
