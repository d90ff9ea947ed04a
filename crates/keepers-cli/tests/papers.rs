//! `keepers papers`: the list, one quick item, and bad input.

use std::process::{Command, Output};

const PAPERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../papers");

fn keepers(args: &[&str]) -> Output {
    keepers_in(PAPERS, args)
}

fn keepers_in(folder: &str, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_keepers"))
        .args(["--no-cache", "--quiet", "papers", "--folder", folder])
        .args(args)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn the_list_names_every_publication() {
    let out = keepers(&[]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    for name in
        ["verhoeff-1999", "cremers-2002", "pawlewicz-2010", "felldin-sood-2012", "perkins-2019", "yatzy"]
    {
        assert!(text(&out.stdout).contains(name), "{name}");
    }
}

#[test]
fn a_quick_item_is_compared_with_the_printed_figures() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().to_str().unwrap();
    let out = keepers(&["run", "perkins", "--quick", "--only", "sizes", "--output", output]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let shown = text(&out.stdout);
    assert!(shown.contains("100,706,855,944") && shown.contains("agrees"), "{shown}");
    assert!(shown.contains("14.75") && shown.contains("differs, explained"), "{shown}");
    let out = keepers(&["run", "cremers", "--quick", "--only", "chapter-5", "--output", output]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let csv = std::fs::read_to_string(folder.path().join("figures-5-7-and-5-8.csv")).unwrap();
    assert!(csv.starts_with("G,classes,cache MiB,misses\n") && csv.contains("\n5,288,185.9"), "{csv}");
    assert!(folder.path().join("figures-5-5-to-5-8.svg").is_file());
}

#[test]
fn a_figure_that_should_agree_and_does_not_fails() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("perkins-2019");
    std::fs::create_dir(&own).unwrap();
    let published = std::fs::read_to_string(format!("{PAPERS}/perkins-2019/published.toml")).unwrap();
    std::fs::write(own.join("published.toml"), published.replacen("\"740\"", "\"741\"", 1)).unwrap();
    let folder = folder.path().to_str().unwrap();
    let out = keepers_in(folder, &["run", "perkins-2019", "--quick", "--only", "sizes"]);
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
    assert!(text(&out.stdout).contains("FAILS"));
}

#[test]
fn bad_input_is_refused_in_one_sentence() {
    for (args, problem) in [
        (&["run", "nobody"][..], "unknown publication \"nobody\""),
        (&["run", "yatzy", "--only", "nothing"], "yatzy has no item \"nothing\""),
        (&["run", "all", "--only", "value"], "--only needs the name of one publication"),
        (&["run", "yatzy", "--minutes", "0"], "--minutes must be a number above 0"),
    ] {
        let out = keepers(args);
        assert_eq!(out.status.code(), Some(2), "{args:?}");
        assert!(text(&out.stderr).contains(problem), "{}", text(&out.stderr));
    }
}
