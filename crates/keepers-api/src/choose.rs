//! `choose`: the choice of a computer player.

use keepers::internals::players::MAX_SEARCHED_PLAYERS;
use keepers::{Action, Card, Objective, Observer, Player};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::card::EntryView;
use crate::fields::{Fields, expected, yahtzee};
use crate::limits::Limits;
use crate::question::Question;
use crate::refusal::Refusal;
use crate::seed::Seed;
use crate::service::Service;

/// Asks what a computer player does with a roll.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "rules": "yacht", "player": "expected", "cards": ["1=2,2=4", "1=3,2=4"], "mover": 0, "roll": "33566", "rolls_left": 2,
    "seed": "2026"
}))]
pub struct ChooseRequest {
    /// The rules: the name of a preset, or TOML.
    #[serde(default = "yahtzee")]
    pub rules: String,
    /// The player, by a name from `players`: `expected`, `emp:1`.
    #[serde(default = "expected")]
    pub player: String,
    /// The cards of all players, in the order of play.
    #[schema(min_items = 1, max_items = 8)]
    pub cards: Vec<String>,
    /// The index of the player to move in `cards`, starting at 0.
    #[serde(default)]
    #[schema(maximum = 7)]
    pub mover: usize,
    /// The dice on the table.
    #[schema(pattern = "^[1-6]{2,6}$")]
    pub roll: String,
    /// Rolls left in this turn; by default, as after the first roll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolls_left: Option<u8>,
    /// The seed of the player's random choices.
    pub seed: Seed,
}

/// The choice of a player.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = Chosen, example = json!({ "keep": "66" }))]
pub enum ChooseAnswer {
    /// Keep these dice and roll the others.
    Keep {
        /// The kept dice; `-` for none.
        keep: String,
    },
    /// End the turn.
    Score(EntryView),
}

impl Question for ChooseRequest {
    type Answer = ChooseAnswer;
    const NAME: &'static str = "choose";

    fn work(&self) -> String {
        format!("{} thinks", keepers::internals::text::quote(&self.player))
    }

    fn answer(&self, service: &Service, observer: &dyn Observer) -> Result<ChooseAnswer, Refusal> {
        let ready = service.game(&self.rules)?;
        let mut fields = Fields::new(&ready);
        let cards: Vec<Option<Card>> = self.cards.iter().map(|card| fields.card("cards", card)).collect();
        let cards: Option<Vec<Card>> = cards.into_iter().collect();
        let player = fields.seated_player(&self.player, self.cards.len(), service.limits());
        let roll = fields.roll("roll", &self.roll);
        let left = fields.rolls_left(self.rolls_left);
        let seed = fields.seed(&self.seed);
        if let Some(cards) = &cards {
            fields.seats(cards, self.mover);
        }
        let read = cards.zip(player).zip(roll.zip(left)).zip(seed);
        let (((cards, player), (roll, left)), seed) = fields.check(read)?;
        let engine = service.engine().observed_by(observer);
        let chosen = engine.choose(&player, (&cards, self.mover), (roll, left), seed);
        Ok(match chosen.map_err(|error| Refusal::engine(&error, "player"))? {
            Action::Keep(keep) => ChooseAnswer::Keep { keep: keep.to_string() },
            Action::Score(entry) => ChooseAnswer::Score(EntryView::new(&cards[self.mover], &roll, entry)),
        })
    }
}

impl Fields<'_> {
    /// Reads a player for a game with this many seats.
    fn seated_player(&mut self, text: &str, seats: usize, limits: &Limits) -> Option<Player> {
        let player: Player = self.note("player", text.parse())?;
        let most = if seats > 2 { limits.depth_of_many } else { limits.depth };
        match &player {
            Player::For(Objective::Utility(_) | Objective::Win) => {
                self.add("player", "cannot be win or utility here: use a name that players lists");
                None
            }
            Player::Emp(depth) | Player::DynS(depth) if *depth > most => {
                let text = format!("a depth of {depth} takes too long with {seats} players: use 0 to {most}");
                self.add("player", text);
                None
            }
            Player::Emp(_) | Player::EmpImmediate | Player::DynS(_) | Player::Duel | Player::HumanLike(_)
                if seats < 2 =>
            {
                let text = format!(
                    "{player} needs opponents: give the cards of 2 to {MAX_SEARCHED_PLAYERS} players"
                );
                self.add("player", text);
                None
            }
            _ => Some(player),
        }
    }

    /// Checks that the cards are those of one game, and that the player to move has a turn left.
    fn seats(&mut self, cards: &[Card], mover: usize) {
        if !(1..=MAX_SEARCHED_PLAYERS).contains(&cards.len()) {
            let text = format!("a game has 1 to {MAX_SEARCHED_PLAYERS} players, not {}", cards.len());
            self.add("cards", text);
        } else if mover >= cards.len() {
            self.add("mover", format!("must be 0 to {}, not {mover}", cards.len() - 1));
        } else if cards[mover].is_finished() {
            self.add("cards", "the player to move has no open box, so there is no turn left to play");
        } else {
            // Players before the mover have already played this turn, so they have one open box less.
            let own = cards[mover].open_boxes().len();
            let fits =
                |(seat, card): (usize, &Card)| card.open_boxes().len() + usize::from(seat < mover) == own;
            if !cards.iter().enumerate().all(fits) {
                self.add(
                    "cards",
                    "these cards cannot be from one game: players after the one to move must have as many open boxes \
                    as that player, and players before one fewer",
                );
            }
        }
    }
}
