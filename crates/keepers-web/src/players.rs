//! `/players` and `/choose`: the computer players, and what each of them does.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use keepers::advise::{Action, advise};
use keepers::engine::simple;
use keepers::random::Chance;
use keepers::strategy::{MOST_PLAYERS, Player, Reach, Seats, Standing, Strategy};
use keepers::{Card, Objective, Roll};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::Shared;
use crate::ask::{Asked, PlayedFor, expected, yahtzee};
use crate::body::Body;
use crate::cards::EntryView;
use crate::error::{ApiError, Delays, Refusals};
use crate::jobs::{Key, Outcome, answered, json};
use crate::progress::Accepted;
use crate::prospects::Question;
use crate::seed::Seed;
use crate::task::Task;

/// The deepest search that is done here: one turn more takes about twenty times as long.
const MOST_DEPTH: u8 = 2;

/// With more than two players every turn more takes about a hundred times as long.
const MOST_DEPTH_OF_MANY: u8 = 1;

/// The computer players.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "players": [{
        "name": "emp", "title": "Looks ahead", "summary": "Plays for the expected rank.", "needs": "reach",
        "parameter": { "name": "depth", "default": 1, "least": 0, "most": 2 }
    }]
}))]
pub struct PlayersList {
    players: Vec<PlayerKind>,
}

/// A computer player.
#[derive(Serialize, ToSchema)]
pub struct PlayerKind {
    /// What to write for `player`; with a colon and the parameter, if it has one.
    name: &'static str,
    /// What people call it.
    title: &'static str,
    /// How it plays.
    summary: &'static str,
    /// The table that it needs, if solving that takes long.
    needs: Option<&'static str>,
    parameter: Option<Parameter>,
}

/// What can be set about a player.
#[derive(Serialize, ToSchema)]
pub struct Parameter {
    /// What it is called.
    name: &'static str,
    default: u32,
    least: u32,
    most: u32,
}

fn kinds() -> Vec<PlayerKind> {
    let plain = |name, title, summary| PlayerKind { name, title, summary, needs: None, parameter: None };
    let reach = |kind: PlayerKind| PlayerKind { needs: Some("reach"), ..kind };
    let with = |kind: PlayerKind, name, default, least, most| PlayerKind {
        parameter: Some(Parameter { name, default, least, most }),
        ..kind
    };
    let depth = u32::from(MOST_DEPTH);
    vec![
        plain("expected", "Best score", "Plays for the best expected final score, whatever the others do."),
        with(
            reach(plain(
                "emp",
                "Looks ahead",
                "Plays for the expected rank, as the chances of all players tell it.",
            )),
            "depth",
            1,
            0,
            depth,
        ),
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
        with(
            reach(plain(
                "dyns",
                "Aims at a score",
                "Picks the best score to aim at, given what the others can reach.",
            )),
            "depth",
            1,
            0,
            depth,
        ),
        with(
            reach(plain("reach", "Reaches a score", "Plays for the best chance of a score.")),
            "score",
            250,
            0,
            65_535,
        ),
        with(
            plain("tournament", "Beats a crowd", "Plays to beat so many opponents whom nobody sees."),
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

/// The computer players
#[utoipa::path(get, path = "/players", tag = "play", operation_id = "players",
    responses((status = 200, description = "every player", body = PlayersList), Delays))]
pub async fn players() -> Response {
    answered(json(&PlayersList { players: kinds() }))
}

/// A computer player's turn.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "rules": "yacht", "player": "expected", "cards": ["1=2,2=4", "1=3,2=4"], "mover": 0, "roll": "33566", "rolls_left": 2,
    "seed": "2026"
}))]
pub struct ChooseRequest {
    /// A preset's name, or TOML.
    #[serde(default = "yahtzee")]
    rules: String,
    /// The player, as `/players` names them: `expected`, `emp:1`.
    #[serde(default = "expected")]
    player: String,
    /// Everybody's card, in the order of play.
    #[schema(min_items = 1, max_items = 8)]
    cards: Vec<String>,
    /// Whose turn it is, the first being 0.
    #[serde(default)]
    #[schema(maximum = 7)]
    mover: usize,
    /// The dice on the table.
    #[schema(pattern = "^[1-6]{2,6}$")]
    roll: String,
    /// How often they may still be rolled; as after the first roll, if nothing is said.
    rolls_left: Option<u8>,
    /// Whatever the player leaves to chance is drawn from it.
    seed: Seed,
}

/// What a player does.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(example = json!({ "keep": "66" }))]
pub enum ChosenView {
    /// Keep these dice and roll the others.
    Keep {
        /// The dice that are kept, `-` for none.
        keep: String,
    },
    /// End the turn.
    Score(EntryView),
}

/// Ask a computer player
#[utoipa::path(post, path = "/choose", tag = "play", operation_id = "choose", request_body = ChooseRequest,
    responses(
        (status = 200, description = "what it does", body = ChosenView),
        (status = 202, description = "it thinks for a while", body = Accepted),
        Refusals,
    ))]
pub async fn choose(
    State(app): State<Shared>,
    Body(request): Body<ChooseRequest>,
) -> Result<Response, ApiError> {
    let ready = app.games.get(&request.rules).await?;
    let mut asked = Asked::new(&ready.game);
    let cards: Vec<Option<Card>> = request.cards.iter().map(|card| asked.card("cards", card)).collect();
    let cards: Vec<Card> = cards.into_iter().flatten().collect();
    let player = asked.player(&request.player, request.cards.len());
    let roll = asked.roll("roll", &request.roll);
    let left = asked.rolls_left("rolls_left", request.rolls_left);
    let seed = asked.seed("seed", &request.seed);
    if cards.len() == request.cards.len() {
        asked.seats(&cards, request.mover);
    }
    asked.check()?;
    let turn = Turn {
        player: player.expect("checked"),
        mover: request.mover,
        roll: roll.expect("checked"),
        left: left.expect("checked"),
        seed: seed.expect("checked"),
        question: Question {
            card: cards[request.mover].clone(),
            ready,
            played_for: PlayedFor::Plain(Objective::Expected),
            seconds: 0.0,
        },
        cards,
    };
    let key = turn.key();
    let work = format!("{} thinks", turn.player);
    let of = Arc::clone(&app);
    if turn.is_light(&app) {
        return app.jobs.at_once(move |task| turn.chosen(&of, task)).await;
    }
    app.jobs.answer(key, &work, move |task| turn.chosen(&of, task)).await
}

impl Asked<'_> {
    fn player(&mut self, text: &str, seats: usize) -> Option<Player> {
        let player: Player = text.parse().map_err(|error| self.tell("player", error)).ok()?;
        let most = if seats > 2 { MOST_DEPTH_OF_MANY } else { MOST_DEPTH };
        match &player {
            Player::For(Objective::Utility(_) | Objective::Win) => {
                self.tell("player", "it does not play here: see /api/v1/players for those that do");
                None
            }
            Player::Emp(depth) | Player::DynS(depth) if *depth > most => {
                self.tell(
                    "player",
                    format!("a depth of {depth} takes too long with {seats} players: write 0 to {most}"),
                );
                None
            }
            Player::Emp(_) | Player::DynS(_) | Player::Duel | Player::HumanLike(_) if seats < 2 => {
                self.tell(
                    "player",
                    format!("{player} plays against others: write the cards of 2 to {MOST_PLAYERS}"),
                );
                None
            }
            _ => Some(player),
        }
    }

    /// Everybody's cards, with a turn left for the player to move.
    fn seats(&mut self, cards: &[Card], mover: usize) {
        if !(1..=MOST_PLAYERS).contains(&cards.len()) {
            self.tell(
                "cards",
                format!("{} cannot play: write the cards of 1 to {MOST_PLAYERS}", cards.len()),
            );
        } else if mover >= cards.len() {
            self.tell("mover", format!("there is no player {mover}: write 0 to {}", cards.len() - 1));
        } else if cards[mover].is_finished() {
            self.tell("cards", "every box of the player to move is filled: there is no turn left to play");
        } else {
            // Whoever sits before the player to move has had this turn already.
            let own = cards[mover].open_boxes().len();
            let fits =
                |(seat, card): (usize, &Card)| card.open_boxes().len() + usize::from(seat < mover) == own;
            if !cards.iter().enumerate().all(fits) {
                self.tell(
                    "cards",
                    "these cannot be: players take turns, so everybody after the player to move has as \
                     many open boxes, and everybody before one less",
                );
            }
        }
    }
}

/// A turn of a computer player.
struct Turn {
    question: Question,
    player: Player,
    cards: Vec<Card>,
    mover: usize,
    roll: Roll,
    left: u8,
    seed: u64,
}

impl Turn {
    fn key(&self) -> Key {
        let key = Key::new("choose").and(&self.question.ready.key).and(&self.player).and(self.mover);
        let key = key.and(self.roll).and(self.left).and(self.seed);
        self.cards.iter().fold(key, |key, card| key.and(card))
    }

    /// Whether it takes milliseconds: all tables are there, and nothing is searched for long.
    fn is_light(&self, app: &Shared) -> bool {
        let Question { ready, .. } = &self.question;
        match &self.player {
            Player::Random | Player::Greedy | Player::FelldinSood => true,
            Player::For(Objective::Expected) => app.tables.expected_now(ready).is_some(),
            Player::For(Objective::Reach(_)) => app.tables.reach_now(ready).is_some(),
            Player::Emp(0 | 1) | Player::DynS(0 | 1) | Player::HumanLike(_) => {
                self.cards.len() <= 2 && app.tables.reach_now(ready).is_some()
            }
            Player::For(_) | Player::Emp(_) | Player::DynS(_) | Player::Duel => false,
        }
    }

    fn chosen(mut self, app: &Shared, task: &Arc<Task>) -> Outcome {
        let action = match &self.player {
            // A target may be out of reach by now, and the game goes on all the same.
            Player::For(Objective::Reach(target)) => {
                let table = app.tables.reach(&self.question.ready, task)?;
                self.planned(&Reach { table, target: *target })
            }
            Player::For(objective) => {
                self.question.played_for = PlayedFor::Plain(objective.clone());
                self.best(app, task)?
            }
            _ => self.planned(&*self.strategy(app, task)?),
        };
        json(&match action {
            Action::Keep(keep) => ChosenView::Keep { keep: keep.to_string() },
            Action::Score(entry) => ChosenView::Score(EntryView::new(&self.question.card, &self.roll, entry)),
        })
    }

    /// What is best for an objective.
    fn best(&self, app: &Shared, task: &Arc<Task>) -> Result<Action, ApiError> {
        let looked = app.looked(&self.question, task)?;
        let Question { ready, card, .. } = &self.question;
        let advice = advise(&ready.game, looked.prospect(), card, &self.roll, self.left);
        Ok(advice.map_err(|error| ApiError::impossible("cards", error))?.choices[0].action)
    }

    fn strategy(&self, app: &Shared, task: &Arc<Task>) -> Result<Arc<dyn Strategy>, ApiError> {
        let ready = &self.question.ready;
        if let Some(strategy) = simple(&ready.game, &self.player) {
            return Ok(strategy.into());
        }
        if self.player == Player::Duel {
            return Ok(app.tables.duel_player(ready, task)?);
        }
        // All others judge by these, and the engine finds them here.
        app.tables.reach(ready, task)?;
        let player = app.tables.engine(task).player(&ready.game, &self.player);
        Ok(player.map_err(|error| ApiError::impossible("player", error))?.into())
    }

    /// What a player means to do with the roll.
    fn planned(&self, strategy: &dyn Strategy) -> Action {
        let game = &self.question.ready.game;
        let standings: Vec<Standing> = self.cards.iter().map(Standing::of).collect();
        let mut plan = strategy.plan(&Seats { game, standings: &standings, mover: self.mover });
        let roll = game.lattice().index_of_roll(&self.roll) as u16;
        // Every decision of a game has numbers of its own, whatever was decided before.
        let cards: Vec<String> = self.cards.iter().map(Card::to_string).collect();
        let moment = format!("{} {} {} {}", self.mover, self.roll, self.left, cards.join(";"));
        let stream = blake3::hash(moment.as_bytes());
        let stream = u64::from_le_bytes(*stream.as_bytes().first_chunk().expect("a hash has 32 bytes"));
        let mut chance = Chance::new(self.seed, stream);
        match self.left {
            0 => Action::Score(plan.enter(roll, &mut chance)),
            left => Action::Keep(game.lattice().keeps()[usize::from(plan.keep(roll, left, &mut chance))]),
        }
    }
}
