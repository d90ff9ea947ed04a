//! `players`: the computer players.

use keepers::Observer;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::question::Question;
use crate::refusal::Refusal;
use crate::service::Service;

/// The deepest search that people will wait for: each further turn takes about twenty times as long.
const DEPTH: u32 = 2;

/// Asks for the computer players.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayersRequest {}

/// The computer players.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = PlayersList, example = json!({
    "players": [{
        "name": "emp", "title": "Looks ahead", "summary": "Plays for the expected rank (expected match points).",
        "needs": "reach", "parameter": { "name": "depth", "default": 1, "least": 0, "most": 2 }
    }]
}))]
pub struct PlayersAnswer {
    /// Every player.
    pub players: Vec<PlayerKind>,
}

/// A computer player.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayerKind {
    /// What to write for `player`; with a colon and the parameter, if it has one.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// How it plays.
    pub summary: &'static str,
    /// The table that it needs, if solving that takes long.
    pub needs: Option<&'static str>,
    /// What can be set about it.
    pub parameter: Option<Parameter>,
}

/// What can be set about a player.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Parameter {
    /// The name of the parameter.
    pub name: &'static str,
    /// The usual value.
    pub default: u32,
    /// The least value.
    pub least: u32,
    /// The largest value.
    pub most: u32,
}

impl Question for PlayersRequest {
    type Answer = PlayersAnswer;
    const NAME: &'static str = "players";
    const QUICK: bool = true;

    fn answer(&self, _: &Service, _: &dyn Observer) -> Result<PlayersAnswer, Refusal> {
        Ok(PlayersAnswer { players: kinds(DEPTH) })
    }
}

fn kinds(depth: u32) -> Vec<PlayerKind> {
    let plain = |name, title, summary| PlayerKind { name, title, summary, needs: None, parameter: None };
    let reach = |kind: PlayerKind| PlayerKind { needs: Some("reach"), ..kind };
    let with = |kind: PlayerKind, name, default, least, most| PlayerKind {
        parameter: Some(Parameter { name, default, least, most }),
        ..kind
    };
    let emp = "Plays for the expected rank, estimated from what every player can reach (EMP, expected match points).";
    let dyns = "Picks the best score to aim at, given what the others can reach (DynS, dynamic fixed score).";
    vec![
        plain("expected", "Best score", "Plays for the best expected final score, whatever the others do."),
        with(reach(plain("emp", "Looks ahead", emp)), "depth", 1, 0, depth),
        reach(plain(
            "duel",
            "Plays to win",
            "Plays perfectly against one rival near the end, and looks ahead before.",
        )),
        with(
            reach(plain(
                "human-like",
                "Like a person",
                "Looks ahead, but errs now and then; the less, the larger its care.",
            )),
            "care",
            100,
            0,
            1_000_000,
        ),
        with(reach(plain("dyns", "Aims at a score", dyns)), "depth", 1, 0, depth),
        with(
            reach(plain("reach", "Reaches a score", "Plays for the best probability of a score.")),
            "score",
            250,
            0,
            65_535,
        ),
        with(
            plain("tournament", "Beats a crowd", "Plays to beat a number of opponents whom nobody sees."),
            "opponents",
            10,
            1,
            1_000_000_000,
        ),
        plain("felldin-sood", "One turn ahead", "Follows a rule of thumb that looks at one turn alone."),
        plain("greedy", "Greedy", "Takes the most points in every turn."),
        plain("random", "Random", "Does anything that the rules allow."),
    ]
}
