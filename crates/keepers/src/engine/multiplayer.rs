//! Engine methods about several players: positions, advice against opponents, duels and reviews.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::Engine;
use super::cache::Key;
use super::error::Error;
use super::goal::Goal;
use crate::analysis::advise::{Advice, advise};
use crate::analysis::multiplayer::{JudgedEntries, Multiplayer, check_players, result};
use crate::analysis::reasons::{Measure, Reason, Turn, explain};
use crate::analysis::review::{Review, SolitaireValuation, Valuation, review};
use crate::analysis::value::ValueFunction;
use crate::dice::Roll;
use crate::game::Game;
use crate::game::card::{Card, Standing};
use crate::game::record::Record;
use crate::game::rules::Action;
use crate::solve::{DuelCost, DuelTask, ExactTurn, Retain, StoredTurn};
use crate::tables::ReachTable;
use crate::work::WorkError;

/// A position of several players with the values of all entries of the player to move.
pub struct JudgedPosition {
    /// The value of the position after each entry of the player to move.
    pub judged: JudgedEntries,
    /// The value of the position for the player to move: the expected share of opponents beaten.
    pub value: f64,
}

/// The assumed size of a judged position in the cache: it has a value for each of a few hundred entries.
const POSITION_BYTES: usize = 64 << 10;

/// An exactly solved position of two players: the values of the position and of all entries of the player to move.
pub struct SolvedDuel {
    turn: ExactTurn,
    rival: Card,
    value: f64,
    cost: Option<DuelCost>,
}

impl SolvedDuel {
    /// Returns the expected result of the player to move: win 1, draw 1/2, loss 0.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Returns the cost of the solve. Returns `None` if the values were read from a stored solution.
    pub fn cost(&self) -> Option<DuelCost> {
        self.cost
    }
}

impl ValueFunction for SolvedDuel {
    /// Returns the expected result for a card after an entry.
    ///
    /// # Panics
    /// If the card does not follow from the position.
    fn value(&self, card: &Card) -> f64 {
        let value = self.turn.after(&Standing::of(card), &Standing::of(&self.rival));
        value.expect("an entry leads to a solved position")
    }
}

impl<'o> Engine<'o> {
    /// Returns the value of a position of 2 to 8 players, and the values of all entries of the player to move. `cards`
    /// are in the order of play and start with the player to move. A value is the expected share of opponents beaten; a
    /// draw counts half.
    ///
    /// The values are exact if the position can be solved within `time` (for more than two players: if at most three
    /// boxes are open on all cards together). Otherwise they are estimated by EMP (expected match points), and the
    /// first estimate for a game solves the reach curves of these cards ([`Engine::reach`]).
    ///
    /// # Errors
    /// If the cards cannot belong to one game, if a table is too large, or if the call is cancelled.
    pub fn position(&self, cards: &[Card], time: Duration) -> Result<Arc<JudgedPosition>, Error> {
        let (first, others) = cards.split_first().ok_or(Error::NoOthers)?;
        let game = first.game();
        check_players(first, others)?;
        if first.is_finished() {
            // The player to move has a full card only if all cards are full: the value is the result of the game.
            let standings: Vec<Standing> = cards.iter().map(Standing::of).collect();
            return Ok(Arc::new(JudgedPosition {
                judged: JudgedEntries::over(),
                value: result(&standings, 0),
            }));
        }
        let texts: Vec<String> = cards.iter().map(Card::to_string).collect();
        let key = Key::Position(*game.fingerprint(), format!("{time:?} {}", texts.join(";")));
        self.get_or_make(
            &key,
            |_| true,
            |engine| {
                let standings: Vec<Standing> = cards.iter().map(Standing::of).collect();
                let exact = {
                    let _reserved = engine.reserve(0)?;
                    let judge = engine.judge(game, time, &Arc::default()).for_a_turn();
                    judge.exactly(&standings, 0)?.map(|judged| judge.settled(&standings, 0, &judged))
                };
                let (judged, value) = match exact {
                    Some(settled) => settled,
                    None => {
                        let curves = Arc::new(OnceLock::from(engine.reach_table_from(cards)?));
                        let _reserved = engine.reserve(0)?;
                        let judge = engine.judge(game, time, &curves).for_a_turn();
                        judge.settled(&standings, 0, &judge.estimated(&standings, 0)?)
                    }
                };
                Ok((Arc::new(JudgedPosition { judged, value }), POSITION_BYTES))
            },
        )
    }

    /// Ranks every choice of the first player after a roll by the expected share of opponents beaten. Also returns
    /// whether the values are exact. The arguments and the cost are those of [`Engine::position`].
    ///
    /// # Errors
    /// The same as [`Engine::position`], or if the card is full, or if `rolls_left` is not less than the rolls of a turn.
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

    /// Ranks every choice as [`Engine::advise_against`] does, and returns up to three reasons: why the best choice is
    /// best or, if `chosen` loses something, why it is worse. Also returns whether the values are exact.
    ///
    /// # Errors
    /// The same as [`Engine::advise_against`].
    pub fn explain_against(
        &self,
        cards: &[Card],
        (roll, rolls_left): (Roll, u8),
        chosen: Option<Action>,
        time: Duration,
    ) -> Result<(Advice, Vec<Reason>, bool), Error> {
        let position = self.position(cards, time)?;
        let exact = position.judged.exact;
        let measure = Measure::Result { opponents: cards.len() - 1, exact };
        let turn = Turn { card: &cards[0], roll, rolls_left, before: position.value, measure };
        let (advice, reasons) = explain(&position.judged, &turn, chosen)?;
        Ok((advice, reasons, exact))
    }

    /// Solves the rest of a game of two players exactly, with at most `memory` bytes. Returns the values of the position
    /// and of every position after the next turn. If a stored solution has them ([`Engine::with_solutions`]), they are
    /// read instead.
    ///
    /// Time and memory grow steeply with the number of open boxes on both cards together. On two cores, 100 positions
    /// of Yahtzee with 12 open boxes took 0.6 s in the median; the largest of 100 with 16 took 554 s and 6.2 GB.
    ///
    /// ```
    /// use keepers::{Engine, Game};
    /// let (engine, game) = (Engine::in_memory(), Game::preset("yacht")?);
    /// let mover = game.card("1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0,ls=30,bs=0,ch=22")?;
    /// let other = game.card("1=3,2=4,3=9,4=8,5=15,6=18,fh=20,4k=0,ls=30,bs=0,ch=22")?;
    /// let duel = engine.duel((&mover, &other), 1 << 30)?;
    /// assert!(duel.value() > 0.9); // three points ahead, and only the Yacht is open
    /// # Ok::<(), keepers::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the cards cannot belong to players who take turns, if more than 16 boxes are open on a card, if the duel
    /// needs more than `memory` bytes or more than [`Limits::working`](crate::Limits::working), or if the call is
    /// cancelled.
    pub fn duel(&self, (mover, other): (&Card, &Card), memory: usize) -> Result<SolvedDuel, Error> {
        let game = mover.game();
        if let Some(stored) = self.stored_duel(mover, other) {
            return Ok(stored);
        }
        let work = self.work(format!("solving a duel of {}", game.rules().name()));
        let task = DuelTask::new(game, mover, other, &work)?;
        task.check_memory(Retain::Root, memory.min(self.shared.budget.bytes()), &work)?;
        let cost = task.cost(Retain::Root, &work)?;
        let _reserved = self.reserve(cost.bytes)?;
        let duel = task.solve(Retain::Root, &work)?;
        let value = duel.value();
        Ok(SolvedDuel {
            turn: ExactTurn::Solved(Arc::new(duel)),
            rival: other.clone(),
            value,
            cost: Some(cost),
        })
    }

    /// Returns a position from a stored solution, if there is one. A solution that cannot be read is reported and not
    /// used.
    fn stored_duel(&self, mover: &Card, other: &Card) -> Option<SolvedDuel> {
        let solutions = self.shared.solutions.as_ref()?;
        let read = StoredTurn::read(&**solutions, mover.game(), &Standing::of(mover), &Standing::of(other));
        let turn = read.unwrap_or_else(|problem| {
            self.observer.notice(&problem);
            None
        })?;
        let value = turn.value()?;
        Some(SolvedDuel { turn: ExactTurn::Stored(turn), rival: other.clone(), value, cost: None })
    }

    /// Returns a review for each of `players` (numbered from 0 as in the record): the loss of every decision and the
    /// luck of every roll, as if the player had played alone for the goal.
    ///
    /// The first call for a goal solves a table ([`Engine::value_function`]).
    ///
    /// ```
    /// use keepers::{Engine, Game, Goal, Record};
    /// let (engine, game) = (Engine::in_memory(), Game::preset("yacht")?);
    /// let record = Record::parse(&game, "33566 3366\n33366 fh")?; // keep 3366 of the first roll, then score
    /// let review = &engine.review(&game, &record, &[0], &Goal::Score)?[0];
    /// assert!((review.start + review.luck() - review.loss() - review.end).abs() < 1e-9);
    /// # Ok::<(), keepers::Error>(())
    /// ```
    ///
    /// # Errors
    /// The same as [`Engine::value_function`].
    ///
    /// # Panics
    /// If the record has no such player, or belongs to other rules than the game's.
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

    /// Returns a review for each of `players` (numbered from 0 as in the record) by their expected result against the
    /// other players: exact where a position can be solved within `time`, estimated by EMP (expected match points)
    /// otherwise.
    ///
    /// The first estimate for a game solves its reach curves ([`Engine::reach`]), and each position may take up to `time`.
    ///
    /// # Errors
    /// If a table is too large, or if the call is cancelled.
    ///
    /// # Panics
    /// If the record has no such player, belongs to other rules than the game's, or has fewer than 2 or more than 8
    /// players.
    pub fn review_against(
        &self,
        game: &Game,
        record: &Record,
        players: &[usize],
        time: Duration,
    ) -> Result<Vec<Review>, Error> {
        let curves = Arc::new(OnceLock::new());
        if self.knows_reach(game) {
            let _ = curves.set(self.reach_table(game)?);
        }
        let judge = self.judge(game, time, &curves);
        let judged = || {
            let _reserved = self.reserve(0)?;
            self.judge_players(game, record, players, &judge)
        };
        match judged() {
            // A position has to be estimated. The curves are solved without a reservation, and the review starts again.
            Err(error) if error.is_cancelled() && !self.observer.is_cancelled() => {
                let _ = curves.set(self.reach_table(game)?);
                judged()
            }
            reviews => reviews,
        }
    }

    /// Reviews some players of a record with a valuation.
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

    /// Returns a judge of positions. Until the reach curves are set, estimates return [`WorkError::Cancelled`].
    fn judge(&self, game: &Game, time: Duration, curves: &Arc<OnceLock<Arc<ReachTable>>>) -> Multiplayer<'o> {
        let curves = Arc::clone(curves);
        let reach = move || curves.get().cloned().ok_or(WorkError::Cancelled);
        Multiplayer::within(game, time, reach, self.observer)
            .limited_to(self.shared.budget.bytes())
            .with_solutions(self.shared.solutions.clone())
    }
}
