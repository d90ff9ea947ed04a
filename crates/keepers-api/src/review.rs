//! `review`: the loss of every decision and the luck of every roll of a recorded game.

use keepers::answers::Measure;
use keepers::internals::players::MAX_SEARCHED_PLAYERS;
use keepers::internals::record::named_rules;
use keepers::{Error, Observer, Record, Rules};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{Fields, PlayedFor, expected};
use crate::games::is_toml;
use crate::question::Question;
use crate::refusal::Refusal;
use crate::service::Service;
use crate::views::{ReviewAnswer, explained, reviewed};

/// Asks for the review of a recorded game.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "record": "rules: yahtzee\nplayers: Ann\n\n33566 66\n22266 fh=25\n" }))]
pub struct ReviewRequest {
    /// The text of the record.
    pub record: String,
    /// The rules: TOML, which replaces the rules that the record names, or a preset, used if the record names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// The objective by which all decisions are valued: `expected`, `reach:S`, `tournament:N`, `utility` or `win`.
    #[serde(default = "expected")]
    #[schema(pattern = "^(expected|reach:[0-9]{1,5}|tournament:[0-9]{1,10}|utility|win)$")]
    pub objective: String,
    /// With `utility`: the utility of final scores, as CSV lines of score,utility.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub utility: Option<String>,
    /// With `win`: seconds to spend on exact values before they are estimated.
    #[schema(minimum = 0, maximum = 60)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Review only this player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// A name for the record, which the answer repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Whether to give reasons for every decision with a loss. Not with `win`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub why: bool,
}

impl Default for ReviewRequest {
    fn default() -> ReviewRequest {
        ReviewRequest {
            record: String::new(),
            rules: None,
            objective: expected(),
            utility: None,
            seconds: None,
            player: None,
            file: None,
            why: false,
        }
    }
}

impl Question for ReviewRequest {
    type Answer = ReviewAnswer;
    const NAME: &'static str = "review";

    fn work(&self) -> String {
        "reviewing every decision".to_string()
    }

    fn answer(&self, service: &Service, observer: &dyn Observer) -> Result<ReviewAnswer, Refusal> {
        let ready = service.game(rules_of_record(&self.record, self.rules.as_deref()))?;
        let mut fields = Fields::with_utilities(&ready, self.utility.as_deref(), None);
        let played_for = match self.objective.as_str() {
            // The cards of all players come from the record.
            "win" => Some(PlayedFor::Win(Vec::new())),
            objective => fields.played_for(objective, None, None),
        };
        if self.why && self.objective == "win" {
            fields.add("why", "does not work with win: use another objective, or drop why");
        }
        let seconds = fields.seconds(self.seconds, service.limits().seconds);
        let record = match Record::parse(ready.game(), &self.record) {
            Ok(record) => Some(record),
            Err(error) => {
                error.problems.iter().for_each(|(line, problem)| fields.add_line("record", *line, problem));
                if error.more > 0 {
                    fields.add("record", format!("there are {} more problems", error.more));
                }
                None
            }
        };
        let players = record.as_ref().and_then(|record| self.judged(&mut fields, record, service));
        let read = record.zip(players).zip(played_for.zip(seconds));
        let ((record, players), (played_for, seconds)) = fields.check(read)?;
        let (engine, game) = (service.engine().observed_by(observer), ready.game());
        let reviews = match &played_for {
            PlayedFor::Win(_) => engine.review_against(game, &record, &players, seconds),
            alone => alone.goal(&engine, game).and_then(|goal| engine.review(game, &record, &players, &goal)),
        };
        let reviews = reviews.map_err(|error: Error| Refusal::engine(&error, "objective"))?;
        let mut answer = reviewed(ready.rules(), record, reviews, &played_for, self.file.clone());
        if self.why {
            let measure = Measure::of(&played_for.objective());
            let explain = |goal| {
                explained(&mut answer, ready.rules(), |card, position, decision| {
                    let chosen = Some(decision.action);
                    Ok(engine.explain(card, position, chosen, (&goal, measure))?.1)
                })
            };
            let explained = played_for.goal(&engine, game).and_then(explain);
            explained.map_err(|error: Error| Refusal::engine(&error, "objective"))?;
        }
        Ok(answer)
    }
}

impl ReviewRequest {
    /// Returns the players of a record to review.
    fn judged(&self, fields: &mut Fields<'_>, record: &Record, service: &Service) -> Option<Vec<usize>> {
        let names = record.players();
        if self.objective == "win" && !(2..=MAX_SEARCHED_PLAYERS).contains(&names.len()) {
            fields.add(
                "objective",
                format!("win needs a game of 2 to {MAX_SEARCHED_PLAYERS} players: use another objective"),
            );
            return None;
        }
        let judged: Vec<usize> = match &self.player {
            None => (0..names.len()).collect(),
            Some(player) => {
                names.iter().enumerate().filter(|(_, name)| *name == player).map(|(nth, _)| nth).collect()
            }
        };
        let most = service.limits().judged;
        if judged.len() > most {
            fields.add("record", format!("has more than {most} players: name one player"));
            return None;
        }
        if judged.is_empty() {
            let player = keepers::internals::text::quote(self.player.as_deref().unwrap_or_default());
            let names = names.join(", ");
            fields.add("player", format!("\"{player}\" is not in this record: its players are {names}"));
            return None;
        }
        Some(judged)
    }
}

/// Returns the rules of a record: given TOML first, then the preset that the record names, then a given preset.
pub fn rules_of_record<'r>(record: &'r str, given: Option<&'r str>) -> &'r str {
    let edited = given.filter(|rules| is_toml(rules));
    let named = named_rules(record).filter(|name| Rules::preset(name).is_ok() || given.is_none());
    edited.or(named).or(given).unwrap_or("yahtzee")
}
