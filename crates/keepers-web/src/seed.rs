//! Seeds: whole numbers of 64 bits. JSON in a browser has 53 of them, so that they may be written as text.

use serde::Deserialize;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, OneOfBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::ask::Asked;

/// The numbers that a browser can tell apart.
const MOST_NUMBER: u64 = (1 << 53) - 1;

/// A seed: a number below 2^53, or any number below 2^64 as text.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Seed {
    /// A number.
    Number(u64),
    /// A number as text.
    Text(String),
}

impl PartialSchema for Seed {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
            .minimum(Some(0_u64))
            .maximum(Some(MOST_NUMBER));
        let text = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[0-9]{1,19}$"));
        OneOfBuilder::new()
            .item(number)
            .item(text)
            .description(Some("A number below 2^53, or one below 2^64 as text"))
            .into()
    }
}

impl ToSchema for Seed {}

impl Asked<'_> {
    /// A seed.
    pub fn seed(&mut self, field: &str, seed: &Seed) -> Option<u64> {
        let read = match seed {
            Seed::Number(number) => Some(*number).filter(|number| *number <= MOST_NUMBER),
            Seed::Text(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
            Seed::Text(_) => None,
        };
        if read.is_none() {
            self.tell(field, "it is not a seed: write a number below 2^53, or one below 2^64 as text");
        }
        read
    }
}
