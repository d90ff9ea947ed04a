//! Seeds: 64-bit integers. Numbers in JavaScript are exact only up to 53 bits, so a seed may also be text.

use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, OneOfBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::fields::Fields;

/// The largest integer that JavaScript represents exactly, together with all smaller ones.
const MOST_NUMBER: u64 = (1 << 53) - 1;

/// A seed: a number below 2^53, or a number below 2^64 as text.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Seed {
    /// A number.
    Number(u64),
    /// A number as text.
    Text(String),
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seed, D::Error> {
        struct Reader;

        impl Visitor<'_> for Reader {
            type Value = Seed;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number below 2^53, or a number below 2^64 as text")
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Seed, E> {
                Ok(Seed::Number(number))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Seed, E> {
                Ok(Seed::Text(text.to_string()))
            }
        }

        deserializer.deserialize_any(Reader)
    }
}

impl Default for Seed {
    fn default() -> Seed {
        Seed::Number(1)
    }
}

impl From<u64> for Seed {
    fn from(seed: u64) -> Seed {
        Seed::Text(seed.to_string())
    }
}

impl PartialSchema for Seed {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
            .minimum(Some(0_u64))
            .maximum(Some(MOST_NUMBER));
        let text = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[0-9]{1,20}$"));
        OneOfBuilder::new()
            .item(number)
            .item(text)
            .description(Some("A number below 2^53, or a number below 2^64 as text"))
            .into()
    }
}

impl ToSchema for Seed {}

impl Fields<'_> {
    /// Reads a seed.
    pub fn seed(&mut self, seed: &Seed) -> Option<u64> {
        let read = match seed {
            Seed::Number(number) => Some(*number).filter(|number| *number <= MOST_NUMBER),
            Seed::Text(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
            Seed::Text(_) => None,
        };
        if read.is_none() {
            self.add("seed", "must be a number below 2^53, or a number below 2^64 as text");
        }
        read
    }
}
