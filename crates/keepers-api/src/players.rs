//! `players`: the computer players.

use keepers::Observer;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::question::Question;
use crate::refusal::Refusal;
use crate::service::Service;

/// The deepest search offered: each further turn takes about twenty times as long.
const DEPTH: u32 = 2;

/// Asks for the list of computer players.
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
    /// All computer players.
    pub players: Vec<PlayerKind>,
}

/// A computer player.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayerKind {
    /// The name of the player in requests. A player with a parameter is written `name:parameter`.
    pub name: &'static str,
    /// The title for people to read.
    pub title: &'static str,
    /// How the player decides.
    pub summary: &'static str,
    /// The table that the player needs, if solving it takes long.
    pub needs: Option<&'static str>,
    /// The parameter of the player, if any.
    pub parameter: Option<Parameter>,
}

/// The parameter of a player.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Parameter {
    /// The name of the parameter.
    pub name: &'static str,
    /// The default value.
    pub default: u32,
    /// The smallest value.
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
    let emp = "Plays for the best expected rank, estimated from the scores each player can reach (EMP, expected match points).";
    let dyns =
        "Picks the one score to aim for that beats the opponents most often (DynS, dynamic fixed score).";
    vec![
        plain("expected", "Best score", "Maximises the expected final score, whatever the opponents do."),
        with(reach(plain("emp", "Looks ahead", emp)), "depth", 1, 0, depth),
        reach(plain(
            "emp:immediate",
            "Does not look ahead",
            "Estimates the rank after each choice at once, without searching to the end of its turn (EMP(0) as worded by Pawlewicz).",
        )),
        reach(plain(
            "duel",
            "Plays to win",
            "Plays perfectly against one opponent near the end of the game; before that, plays like emp:1.",
        )),
        with(
            reach(plain(
                "human-like",
                "Like a person",
                "Looks ahead but makes occasional mistakes; higher care means fewer.",
            )),
            "care",
            100,
            0,
            1_000_000,
        ),
        with(reach(plain("dyns", "Aims at a score", dyns)), "depth", 1, 0, depth),
        with(
            reach(plain("reach", "Reaches a score", "Maximises the probability of reaching a score.")),
            "score",
            250,
            0,
            65_535,
        ),
        with(
            plain(
                "normal",
                "Approximates",
                "Plays for a score as if the points to come were normally distributed (MaxProbApprox).",
            ),
            "score",
            250,
            0,
            65_535,
        ),
        with(
            plain(
                "tournament",
                "Beats a crowd",
                "Maximises the probability of beating a number of unseen opponents.",
            ),
            "opponents",
            10,
            1,
            1_000_000_000,
        ),
        plain(
            "felldin-sood",
            "One turn ahead",
            "Follows a rule of thumb that only looks at the current turn.",
        ),
        plain("greedy", "Greedy", "Scores as many points as possible in every turn."),
        plain("random", "Random", "Picks any choice that the rules allow."),
    ]
}
