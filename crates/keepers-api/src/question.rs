//! The trait of all requests.

use keepers::Observer;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::refusal::Refusal;
use crate::service::Service;

/// A request that a [`Service`] can answer.
pub trait Question: Serialize + DeserializeOwned + Send + 'static {
    /// The type of the answer.
    type Answer: Serialize + Send;

    /// The name of the question: the last part of its HTTP path.
    const NAME: &'static str;

    /// Whether an answer takes well under a millisecond once all tables are in memory.
    const QUICK: bool = false;

    /// Returns the rules that the question is about, if any.
    fn rules(&self) -> Option<&str> {
        None
    }

    /// Returns whether an earlier answer must not be reused.
    fn is_afresh(&self) -> bool {
        false
    }

    /// Describes the work for people who wait for it.
    fn work(&self) -> String {
        Self::NAME.to_string()
    }

    /// Answers the question.
    ///
    /// # Errors
    /// Fails if the question is invalid, if it needs more memory than there is, or if the observer cancels it.
    fn answer(&self, service: &Service, observer: &dyn Observer) -> Result<Self::Answer, Refusal>;
}
