//! Prints the description of the HTTP API:
//! `cargo run -p keepers-web --example openapi > crates/keepers-web/openapi.json`.

fn main() {
    print!("{}", keepers_web::description());
}
