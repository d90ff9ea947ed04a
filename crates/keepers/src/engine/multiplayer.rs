//! Questions about several players: positions, advice against others, duels and reviews.

use std::sync::Arc;
use std::time::Duration;

use super::Engine;
use super::cache::Key;
use super::error::Error;
use super::goal::Goal;
use crate::analysis::advise::{Advice, advise};
use crate::analysis::multiplayer::{JudgedEntries, Multiplayer, check_players, result};
use crate::analysis::review::{Review, SolitaireValuation, Valuation, review};
use crate::dice::Roll;
use crate::game::Game;
use crate::game::card::{Card, Standing};
use crate::game::record::Record;
use crate::solve::{Duel, DuelCost, DuelTask, Retain};
use crate::tables::ReachTable;

/// A position of several players, judged.
pub struct JudgedPosition {
    /// What the entries of the player to move lead to.
    pub judged: JudgedEntries,
    /// What the position is worth to the player to move.
    pub value: f64,
}

/// The size of a judged position: a worth for each of a few hundred entries.
const POSITION_BYTES: usize = 64 << 10;

impl<'o> Engine<'o> {
    /// Judges a position of several players, whose cards are given in the order of play from the player to move: solved
    /// if that takes no longer than `time`, estimated otherwise.
    ///
    /// # Errors
    /// If the cards cannot be those of one game, if tables are too large, or if the call is cancelled.
    pub fn position(&self, cards: &[Card], time: Duration) -> Result<Arc<JudgedPosition>, Error> {
        let (first, others) = cards.split_first().ok_or(Error::NoOthers)?;
        let game = first.game();
        check_players(first, others)?;
        if first.is_finished() {
            // Nobody has a turn left: the value is the result.
            let standings: Vec<Standing> = cards.iter().map(Standing::of).collect();
            return Ok(Arc::new(JudgedPosition {
                judged: JudgedEntries::over(),
                value: result(&standings, 0),
            }));
        }
        let texts: Vec<String> = cards.iter().map(Card::to_string).collect();
        let key = Key::Position(*game.fingerprint(), format!("{time:?} {}", texts.join(";")));
        self.remembered(
            &key,
            |_| true,
            |engine| {
                let standings: Vec<Standing> = cards.iter().map(Standing::of).collect();
                let exact = {
                    let _reserved = engine.reserve(0)?;
                    let judge = engine.judge(game, time, None).for_a_turn();
                    judge.exactly(&standings, 0)?.map(|judged| judge.settled(&standings, 0, &judged))
                };
                let (judged, value) = match exact {
                    Some(settled) => settled,
                    None => {
                        let reach = engine.reach_table(game)?;
                        let _reserved = engine.reserve(0)?;
                        let judge = engine.judge(game, time, Some(reach)).for_a_turn();
                        judge.settled(&standings, 0, &judge.estimated(&standings, 0)?)
                    }
                };
                Ok((Arc::new(JudgedPosition { judged, value }), POSITION_BYTES))
            },
        )
    }

    /// Ranks every choice of the first of several players after a roll, by the expected share of the others that are
    /// beaten. Also returns whether the values are exact.
    ///
    /// # Errors
    /// As [`Engine::position`], or if there is no turn left to play.
    pub fn advise_against(
        &self,
        cards: &[Card],
        (roll, rolls_left): (Roll, u8),
        time: Duration,
    ) -> Result<(Advice, bool), Error> {
        let position = self.position(cards, time)?;
        let advice = advise(&position.judged, &cards[0], roll, rolls_left)?;
        Ok((advice, position.judged.exact))
    }

    /// Solves the rest of a game of two exactly, within a limit of memory. Also returns what it took.
    ///
    /// # Errors
    /// If the cards do not fit players who take turns, if the duel is too large, or if the call is cancelled.
    pub fn duel(&self, (mover, other): (&Card, &Card), memory: usize) -> Result<(Duel, DuelCost), Error> {
        let game = mover.game();
        let work = self.work(format!("solving a duel of {}", game.rules().name()));
        let task = DuelTask::new(game, mover, other, &work)?;
        task.check_memory(Retain::Root, memory.min(self.shared.budget.bytes()), &work)?;
        let cost = task.cost(Retain::Root, &work)?;
        let _reserved = self.reserve(cost.bytes)?;
        Ok((task.solve(Retain::Root, &work)?, cost))
    }

    /// Judges some players of a recorded game as if each of them played alone for a goal.
    ///
    /// # Errors
    /// As [`Engine::value_function`].
    pub fn review(
        &self,
        game: &Game,
        record: &Record,
        players: &[usize],
        goal: &Goal,
    ) -> Result<Vec<Review>, Error> {
        let value_fn = self.value_function(&Card::empty(game), goal)?;
        self.judge_players(game, record, players, &SolitaireValuation(&*value_fn))
    }

    /// Judges some players of a recorded game by how they play against the others: exactly where that takes no longer
    /// than `time`, estimated otherwise.
    ///
    /// # Errors
    /// If tables are too large, or if the call is cancelled.
    pub fn review_against(
        &self,
        game: &Game,
        record: &Record,
        players: &[usize],
        time: Duration,
    ) -> Result<Vec<Review>, Error> {
        let reach = self.reach_table(game)?;
        let _reserved = self.reserve(0)?;
        let judge = self.judge(game, time, Some(reach));
        self.judge_players(game, record, players, &judge)
    }

    fn judge_players(
        &self,
        game: &Game,
        record: &Record,
        players: &[usize],
        valuation: &dyn Valuation,
    ) -> Result<Vec<Review>, Error> {
        let work = self.work("judging every decision");
        let one = |(nth, &player): (usize, &usize)| {
            work.report(nth, players.len());
            Ok(review(game, record, player, valuation)?)
        };
        let reviews = players.iter().enumerate().map(one).collect();
        work.report(players.len(), players.len());
        reviews
    }

    /// A judge of positions. Without curves, it must not be asked for estimates.
    fn judge(&self, game: &Game, time: Duration, reach: Option<Arc<ReachTable>>) -> Multiplayer<'o> {
        let reach = move || Ok(Arc::clone(reach.as_ref().expect("only exact values are asked for")));
        Multiplayer::within(game, time, reach, self.observer).limited_to(self.shared.budget.bytes())
    }
}
