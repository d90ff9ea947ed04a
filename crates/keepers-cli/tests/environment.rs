//! The program in a restricted environment: where it stores tables, and too little memory.

#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Command, Output};

/// Runs the program in a directory, with at most `limit` KiB of address space (or `unlimited`).
fn run(directory: &Path, limit: &str, variables: &[(&str, &str)], args: &[&str]) -> Output {
    Command::new("sh")
        .args(["-c", &format!("ulimit -v {limit} && exec \"$0\" \"$@\"")])
        .arg(env!("CARGO_BIN_EXE_keepers"))
        .args(args)
        .current_dir(directory)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        // Each arena reserves 64 MiB of addresses.
        .env("MALLOC_ARENA_MAX", "1")
        .env("HOME", directory.join("home"))
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_string()
}

#[test]
fn a_relative_cache_folder_of_the_desktop_is_ignored() {
    let directory = tempfile::tempdir().unwrap();
    let absolute = directory.path().join("caches");
    let folder = |set: &str| {
        let output = run(directory.path(), "unlimited", &[("XDG_CACHE_HOME", set)], &["cache", "path"]);
        stdout(&output)
    };
    let home = directory.path().join("home");
    assert!(Path::new(&folder("relative/caches")).starts_with(&home), "{}", folder("relative/caches"));
    assert!(Path::new(&folder("")).starts_with(&home));
    assert!(Path::new(&folder(absolute.to_str().unwrap())).starts_with(&absolute));
}

#[test]
fn too_little_memory_is_one_sentence() {
    let directory = tempfile::tempdir().unwrap();
    let cache = directory.path().join("cache");
    let variables = [("KEEPERS_CACHE", cache.to_str().unwrap())];
    // The curves of Yahtzee take 0.7 GB.
    let args = ["solve", "--objective", "reach", "--threads", "1", "--quiet"];
    let output = run(directory.path(), "400000", &variables, &args);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(1 | 2)), "{:?}: {message}", output.status);
    assert_eq!(message.trim().lines().count(), 1, "{message}");
    assert!(message.contains("memory") && !message.contains("panicked"), "{message}");
}
