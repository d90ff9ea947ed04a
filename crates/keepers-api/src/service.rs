//! The service: an engine, a cache of games, and the function from question to answer.

use std::sync::Arc;

use keepers::{Engine, Observer};
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::error::Category;

use crate::field_path::wrong_field;
use crate::games::{Games, ReadyGame};
use crate::limits::Limits;
use crate::question::Question;
use crate::refusal::{Kind, Refusal};
use crate::{
    AdviseRequest, CardRequest, ChooseRequest, CompareRequest, CostRequest, DistributionRequest, DuelRequest,
    EquilibriumRequest, LikenessRequest, MatchRequest, MeasureRequest, OutlookRequest, PlayersRequest,
    PuzzleRequest, ReachRequest, ReviewRequest, RollRequest, RulesListRequest, RulesRequest, SimulateRequest,
    SolveRequest, StatesRequest, TournamentRequest, ValueRequest,
};

/// A service that answers questions. Any number of threads can share it.
pub struct Service {
    engine: Engine<'static>,
    games: Games,
    limits: Limits,
}

/// Calls a macro with every request type.
macro_rules! questions {
    ($each:ident) => {
        $each! {
            AdviseRequest,
            CardRequest,
            ChooseRequest,
            CompareRequest,
            CostRequest,
            LikenessRequest,
            DistributionRequest,
            DuelRequest,
            EquilibriumRequest,
            MatchRequest,
            MeasureRequest,
            OutlookRequest,
            PlayersRequest,
            PuzzleRequest,
            ReachRequest,
            ReviewRequest,
            RollRequest,
            RulesListRequest,
            RulesRequest,
            SimulateRequest,
            SolveRequest,
            StatesRequest,
            TournamentRequest,
            ValueRequest,
        }
    };
}

macro_rules! names {
    ($($request:ty),* $(,)?) => {
        /// The names of all questions.
        pub const QUESTIONS: &[&str] = &[$(<$request as Question>::NAME),*];
    };
}

questions!(names);

#[cfg(test)]
pub(crate) use questions;

impl Service {
    /// Creates a service for the user's own machine, with [`Limits::WIDE`].
    pub fn new(engine: Engine<'static>) -> Service {
        Service::limited(engine, Limits::WIDE)
    }

    /// Creates a service that refuses questions beyond these limits.
    pub fn limited(engine: Engine<'static>, limits: Limits) -> Service {
        Service { engine, games: Games::default(), limits }
    }

    /// Returns the engine.
    pub fn engine(&self) -> &Engine<'static> {
        &self.engine
    }

    /// Returns the limits of a question.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the game with these rules, which are the name of a preset or TOML.
    ///
    /// # Errors
    /// Fails if the rules are unknown or invalid, or if they have too many score states.
    pub fn game(&self, rules: &str) -> Result<Arc<ReadyGame>, Refusal> {
        self.games.get(rules, self.limits.states)
    }

    /// Returns whether the game with these rules is in the cache, so that a question about it need not wait.
    pub fn is_ready(&self, rules: &str) -> bool {
        self.games.is_ready(rules)
    }

    /// Answers a question as JSON, given the name of the question and its fields as JSON.
    ///
    /// # Errors
    /// Fails if the question cannot be answered.
    pub fn ask(&self, name: &str, json: &[u8], observer: &dyn Observer) -> Result<Vec<u8>, Refusal> {
        macro_rules! dispatch {
            ($($request:ty),* $(,)?) => {
                match name {
                    $(<$request as Question>::NAME => {
                        let request: $request = self.read(json)?;
                        write(&request.answer(self, observer)?)
                    })*
                    _ => {
                        let names = QUESTIONS.join(", ");
                        let name = keepers::internals::text::quote(name);
                        Err(Refusal::new(
                            Kind::Unknown,
                            format!("unknown question \"{name}\": use one of {names}"),
                        ))
                    }
                }
            };
        }
        questions!(dispatch)
    }

    /// Reads a request.
    ///
    /// # Errors
    /// Fails if the text is not JSON, or if its fields are not those of the request.
    pub fn read<Q: Question>(&self, json: &[u8]) -> Result<Q, Refusal> {
        // serde alone would also accept an array of the fields.
        if json.trim_ascii_start().first() != Some(&b'{') {
            serde_json::from_slice::<IgnoredAny>(json).map_err(|error| not_json(&error))?;
            return Err(Refusal::invalid(".", "the body must be a JSON object, like {\"field\": value}"));
        }
        serde_json::from_slice(json).map_err(|error| match error.classify() {
            Category::Data => wrong_data::<Q>(json, &error),
            _ => not_json(&error),
        })
    }
}

/// Refuses a request with a field that is missing, unknown or of the wrong type.
fn wrong_data<Q: Question>(json: &[u8], error: &serde_json::Error) -> Refusal {
    let message = message(error);
    if let Some(field) = message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
        return Refusal::invalid(field, "missing");
    }
    let path = serde_json::from_slice(json)
        .map_or_else(|_| String::new(), |request| wrong_field(&request, &error_of::<Q>));
    Refusal::invalid(if path.is_empty() { "." } else { &path }, message)
}

/// Returns the error that a request has, if it has one.
pub(crate) fn error_of<Q: Question>(request: &Value) -> Option<String> {
    serde_json::from_slice::<Q>(request.to_string().as_bytes()).err().map(|error| message(&error))
}

/// Returns the message of an error without its position: the field is named, so the position would add nothing.
fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message).to_string()
}

fn not_json(error: &serde_json::Error) -> Refusal {
    Refusal::new(Kind::Malformed, format!("the body is not JSON: {error}"))
}

/// Writes an answer as JSON.
fn write(answer: &impl serde::Serialize) -> Result<Vec<u8>, Refusal> {
    serde_json::to_vec(answer).map_err(|error| Refusal::new(Kind::Invalid, error))
}
