//! `compare`: who is better, over several recorded games.

use keepers::answers::{ComparedPlayers, ReviewedGame};
use keepers::internals::compare::compare;
use keepers::{Error, Goal, Observer, Record, Review};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::Fields;
use crate::question::Question;
use crate::refusal::Refusal;
use crate::review::rules_of_record;
use crate::service::Service;
use crate::views::{ComparedPair, ComparedPlayer, compared};

/// Asks for a comparison of the players of several recorded games, by score and by loss.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "records": [
    "rules: yacht\nplayers: Ann, Bob\n\nAnn: 11111 y=50\nBob: 12345 ls=30\n",
    "rules: yacht\nplayers: Ann, Bob\n\nAnn: 12345 ls=30\nBob: 11111 y=50\n"
] }))]
pub struct CompareRequest {
    /// The texts of the records, in the order in which the games were played. All must have the same rules.
    #[schema(min_items = 1, max_items = 1000)]
    pub records: Vec<String>,
    /// The rules: TOML, which replaces the rules that the records name, or a preset, used if the first record names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
}

/// The players of several games, compared.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Comparison, example = json!({ "rules": "yahtzee", "games": 12, "confidence": 0.95, "players": [], "pairs": [] }))]
pub struct CompareAnswer {
    /// The name of the rules.
    pub rules: String,
    /// The number of games.
    pub games: usize,
    /// The probability with which each interval contains the true value.
    pub confidence: f64,
    /// All players, by the mean loss per decision: the best first.
    pub players: Vec<ComparedPlayer>,
    /// Every two players with a finished game each.
    pub pairs: Vec<ComparedPair>,
    /// The comparison, for callers in Rust.
    #[serde(skip)]
    #[schema(ignore)]
    pub compared: ComparedPlayers,
}

impl Question for CompareRequest {
    type Answer = CompareAnswer;
    const NAME: &'static str = "compare";

    fn work(&self) -> String {
        format!("comparing the players of {} games", self.records.len())
    }

    fn answer(&self, service: &Service, observer: &dyn Observer) -> Result<CompareAnswer, Refusal> {
        let given = self.rules.as_deref();
        let first = self.records.first().map_or("", String::as_str);
        let ready = service.game(rules_of_record(first, given))?;
        let mut fields = Fields::new(&ready);
        let most = service.limits().compared;
        if self.records.is_empty() {
            fields.add("records", "must have at least one record");
        } else if self.records.len() > most {
            fields.add("records", format!("must be up to {most} records, not {}", self.records.len()));
        }
        let mut records = Vec::new();
        for (nth, text) in self.records.iter().enumerate().take(most) {
            let field = format!("records[{nth}]");
            let rules = service.game(rules_of_record(text, given))?;
            if rules.game().fingerprint() != ready.game().fingerprint() {
                let (found, expected) = (rules.rules().name(), ready.rules().name());
                let text =
                    format!("has the rules {found}, the first record {expected}: compare games of one kind");
                fields.add(&field, text);
                continue;
            }
            match Record::parse(ready.game(), text) {
                Ok(record) if record.players().len() > service.limits().judged => {
                    let most = service.limits().judged;
                    fields.add(&field, format!("has more than {most} players"));
                }
                Ok(record) => records.push(record),
                Err(error) => {
                    let add = |(line, problem): &(usize, _)| fields.add_line(&field, *line, problem);
                    error.problems.iter().for_each(add);
                    if error.more > 0 {
                        fields.add(&field, format!("there are {} more problems", error.more));
                    }
                }
            }
        }
        let records = fields.check(Some(records))?;
        let engine = service.engine().observed_by(observer);
        let judged = |record: &Record| {
            let players: Vec<usize> = (0..record.players().len()).collect();
            engine.review(ready.game(), record, &players, &Goal::Score)
        };
        let reviews: Result<Vec<Vec<Review>>, Error> = records.iter().map(judged).collect();
        let reviews = reviews.map_err(|error| Refusal::engine(&error, "records"))?;
        let games: Vec<ReviewedGame<'_>> = records
            .iter()
            .zip(&reviews)
            .map(|(record, reviews)| ReviewedGame {
                players: record.players().iter().map(String::as_str).zip(reviews).collect(),
            })
            .collect();
        let found = compare(&games);
        let (players, pairs) = compared(&found);
        Ok(CompareAnswer {
            rules: ready.rules().name().to_string(),
            games: games.len(),
            confidence: keepers::internals::compare::CONFIDENCE,
            players,
            pairs,
            compared: found,
        })
    }
}
