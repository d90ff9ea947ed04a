//! `choose`: what a computer player does.

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

/// A computer player's turn.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "rules": "yacht", "player": "expected", "cards": ["1=2,2=4", "1=3,2=4"], "mover": 0, "roll": "33566", "rolls_left": 2,
    "seed": "2026"
}))]
pub struct ChooseRequest {
    /// A preset's name, or TOML.
    #[serde(default = "yahtzee")]
    pub rules: String,
    /// The player, as `players` names them: `expected`, `emp:1`.
    #[serde(default = "expected")]
    pub player: String,
    /// Everybody's card, in the order of play.
    #[schema(min_items = 1, max_items = 8)]
    pub cards: Vec<String>,
    /// Whose turn it is, the first being 0.
    #[serde(default)]
    #[schema(maximum = 7)]
    pub mover: usize,
    /// The dice on the table.
    #[schema(pattern = "^[1-6]{2,6}$")]
    pub roll: String,
    /// How often they may still be rolled; as after the first roll if it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolls_left: Option<u8>,
    /// The source of the player's random choices.
    pub seed: Seed,
}

/// What a player does.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = Chosen, example = json!({ "keep": "66" }))]
pub enum ChooseAnswer {
    /// Keep these dice and roll the others.
    Keep {
        /// The dice that are kept, `-` for none.
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
    /// A player of a game with this many seats.
    fn seated_player(&mut self, text: &str, seats: usize, limits: &Limits) -> Option<Player> {
        let player: Player = self.note("player", text.parse())?;
        let most = if seats > 2 { limits.depth_of_many } else { limits.depth };
        match &player {
            Player::For(Objective::Utility(_) | Objective::Win) => {
                self.add("player", "it does not play here: see players for those that do");
                None
            }
            Player::Emp(depth) | Player::DynS(depth) if *depth > most => {
                let text =
                    format!("a depth of {depth} takes too long with {seats} players: write 0 to {most}");
                self.add("player", text);
                None
            }
            Player::Emp(_) | Player::DynS(_) | Player::Duel | Player::HumanLike(_) if seats < 2 => {
                let text =
                    format!("{player} plays against others: write the cards of 2 to {MAX_SEARCHED_PLAYERS}");
                self.add("player", text);
                None
            }
            _ => Some(player),
        }
    }

    /// Everybody's cards, with a turn left for the player to move.
    fn seats(&mut self, cards: &[Card], mover: usize) {
        if !(1..=MAX_SEARCHED_PLAYERS).contains(&cards.len()) {
            let text = format!(
                "{} players cannot play: write the cards of 1 to {MAX_SEARCHED_PLAYERS}",
                cards.len()
            );
            self.add("cards", text);
        } else if mover >= cards.len() {
            self.add("mover", format!("there is no player {mover}: write 0 to {}", cards.len() - 1));
        } else if cards[mover].is_finished() {
            self.add("cards", "every box of the player to move is filled: there is no turn left to play");
        } else {
            // The players in front of the one to move have already had this turn.
            let own = cards[mover].open_boxes().len();
            let fits =
                |(seat, card): (usize, &Card)| card.open_boxes().len() + usize::from(seat < mover) == own;
            if !cards.iter().enumerate().all(fits) {
                self.add(
                    "cards",
                    "these cannot be the cards of one game: players take turns, so those after the player to move have \
                     as many open boxes, and those before one less",
                );
            }
        }
    }
}
