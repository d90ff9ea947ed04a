//! The page is a part of the program: whenever one of its files changes, appears or goes, it is taken in anew.

fn main() {
    println!("cargo::rerun-if-changed=dist");
}
