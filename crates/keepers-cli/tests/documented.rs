//! Every command that the README and the docs show is run, and must print what they show.

use std::process::Command;

const SOLVED: [&str; 9] = [
    "yahtzee",
    "yahtzee-free-joker",
    "yahtzee-used-joker",
    "yahtzee-no-joker",
    "buddies",
    "buddies-published",
    "classic",
    "yatzy",
    "yacht",
];

#[test]
fn commands_print_what_the_documents_show() {
    let cache = tempfile::tempdir().expect("a temporary directory");
    // The documents show what a user sees who has solved these games before.
    for rules in SOLVED {
        let solve = ["solve", "--rules", rules];
        let mut keepers = Command::new(env!("CARGO_BIN_EXE_keepers"));
        let output = keepers.args(solve).env("KEEPERS_CACHE", cache.path()).output().expect("it runs");
        assert!(output.status.success());
    }
    // Commands name the files of the repository as seen from its root.
    std::env::set_current_dir("../..").expect("the root of the repository");
    let cases = trycmd::TestCases::new();
    cases
        .env("KEEPERS_CACHE", cache.path().to_string_lossy())
        // How much progress is shown depends on the machine.
        .env("KEEPERS_QUIET", "1")
        .case("README.md")
        .case("docs/*.md")
        .case("crates/keepers-cli/README.md");
    cases.run();
}
