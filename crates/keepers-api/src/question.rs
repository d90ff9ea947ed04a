//! What can be asked.

use keepers::Observer;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::refusal::Refusal;
use crate::service::Service;

/// A request, and how it is answered.
pub trait Question: Serialize + DeserializeOwned + Send + 'static {
    /// What the answer looks like.
    type Answer: Serialize + Send;

    /// The name of the question: the last part of its HTTP path.
    const NAME: &'static str;

    /// Whether it takes well under a millisecond if all tables are in memory.
    const QUICK: bool = false;

    /// The rules that the question is about, if it is about rules.
    fn rules(&self) -> Option<&str> {
        None
    }

    /// Whether an earlier answer must not be reused.
    fn is_afresh(&self) -> bool {
        false
    }

    /// What there is to do, for people.
    fn work(&self) -> String {
        Self::NAME.to_string()
    }

    /// The answer.
    ///
    /// # Errors
    /// If the question is not valid, if it needs more memory than there is, or if the observer cancels it.
    fn answer(&self, service: &Service, observer: &dyn Observer) -> Result<Self::Answer, Refusal>;
}
