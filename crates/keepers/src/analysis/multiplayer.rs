//! The value of a position against opponents: exact where it can be solved in time, estimated by EMP (expected match
//! points, Pawlewicz) otherwise.
//!
//! A value is the expected share of opponents beaten, where a draw counts half. For two players that is the expected
//! result. For more players it is a linear function of the expected rank: 1 for the first, 0 for the last.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::analysis::review::{EntryValuation, Valuation};
use crate::analysis::value::ValueFunction;
use crate::game::Game;
use crate::game::card::Card;
use crate::game::record::Position;
use crate::game::rules::Entry;
use crate::kernel::plan::{TieTolerance, TurnPlan};
use crate::players::{
    Evaluation, ExactDuels, LookAhead, MAX_SEARCHED_PLAYERS, PlayerSet, Standing, values_ahead,
};
use crate::solve::Solutions;
use crate::tables::ReachTable;
use crate::turn::Row;
use crate::work::{Observer, WorkError};

/// Evaluates positions of several players. The first estimate requests the reach curves; exact values do not need them.
pub struct Multiplayer<'a> {
    game: Game,
    duels: ExactDuels,
    /// The depth of EMP with more than two players: the number of turns searched after the mover's own.
    multiplayer_depth: u8,
    reach: Box<dyn Fn() -> Result<Arc<ReachTable>, WorkError> + Send + Sync + 'a>,
    search: OnceLock<[LookAhead; 2]>,
    observer: &'a dyn Observer,
}

/// With more than two players, positions with at most this many open boxes on all cards together are solved exactly:
/// there are about ten thousand ways to fill them.
const MAX_OPEN_EXACT: usize = 3;

/// The values of a position after each entry of the player to move.
pub struct JudgedEntries {
    value_after: Box<dyn Fn(&Standing) -> f64 + Send + Sync>,
    /// Whether the values are exact.
    pub exact: bool,
}

impl JudgedEntries {
    /// Creates the values of a finished game, which has no entries.
    pub(crate) fn over() -> JudgedEntries {
        JudgedEntries {
            value_after: Box::new(|_| unreachable!("a finished game has no entries")),
            exact: true,
        }
    }

    /// Returns the value of the position for the player to move if an entry leads to the standing `after`.
    pub fn value_after(&self, after: &Standing) -> f64 {
        (self.value_after)(after)
    }
}

impl ValueFunction for JudgedEntries {
    fn value(&self, card: &Card) -> f64 {
        self.value_after(&Standing::of(card))
    }
}

impl<'a> Multiplayer<'a> {
    /// Creates a judge that solves positions for which `time` is enough, and estimates all others. `reach` returns the
    /// reach curves of the game; it is called at the first estimate.
    ///
    /// ```
    /// use std::{sync::Arc, time::Duration};
    /// use keepers::Standing;
    /// use keepers::{Card, Game, Rules, Silent, Store};
    /// use keepers::internals::multiplayer::Multiplayer;
    /// let game = Game::new(Rules::preset("yacht").unwrap());
    /// let reach = || Store::none().reach(&game, &Silent).map(Arc::new);
    /// let judge = Multiplayer::within(&game, Duration::from_secs(5), reach, &Silent);
    /// let own = Card::parse(&game, "1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0,ls=30,bs=0,ch=22").unwrap();
    /// let rival = Card::parse(&game, "1=3,2=4,3=9,4=8,5=15,6=18,fh=20,4k=0,ls=30,bs=0,ch=25").unwrap();
    /// let judged = judge.entries(&[own, rival].map(|card| Standing::of(&card)), 0).unwrap();
    /// assert!(judged.exact);
    /// ```
    pub fn within(
        game: &Game,
        time: Duration,
        reach: impl Fn() -> Result<Arc<ReachTable>, WorkError> + Send + Sync + 'a,
        observer: &'a dyn Observer,
    ) -> Multiplayer<'a> {
        let duels = ExactDuels::within(game, time);
        let (game, reach) = (game.clone(), Box::new(reach));
        Multiplayer { game, duels, multiplayer_depth: 0, reach, search: OnceLock::new(), observer }
    }

    /// Restricts the judge to the next turn of each position, as for advice. Exact solves then retain only the values
    /// after that turn, which needs far less memory, and estimates with more than two players search one turn deeper.
    #[must_use]
    pub fn for_a_turn(mut self) -> Multiplayer<'a> {
        self.duels = self.duels.for_a_turn();
        self.multiplayer_depth = 1;
        self
    }

    /// Looks up positions of two players in stored solutions before solving them.
    #[must_use]
    pub fn with_solutions(mut self, solutions: Option<Arc<dyn Solutions>>) -> Multiplayer<'a> {
        self.duels = self.duels.with_solutions(solutions);
        self
    }

    /// Limits the memory of an exact solve to this many bytes.
    #[must_use]
    pub fn limited_to(mut self, bytes: usize) -> Multiplayer<'a> {
        self.duels = self.duels.limited_to(bytes);
        self
    }

    /// Returns the search EMP(0) or EMP(1).
    fn search(&self, depth: usize) -> Result<&LookAhead, WorkError> {
        if self.search.get().is_none() {
            let reach = (self.reach)()?;
            let _ = self.search.set([0, 1].map(|depth| LookAhead::new(&reach, Evaluation::Emp, depth)));
        }
        Ok(&self.search.get().expect("set above")[depth])
    }

    /// Returns the value after each entry of the player to move: exact if possible, estimated otherwise.
    ///
    /// # Errors
    /// If the observer cancels the work, or if an allocation fails.
    pub fn entries(&self, standings: &[Standing], mover: usize) -> Result<JudgedEntries, WorkError> {
        match self.exactly(standings, mover)? {
            Some(judged) => Ok(judged),
            None => self.estimated(standings, mover),
        }
    }

    /// Returns the exact value after each entry of the player to move, without using reach curves. Returns `None` if
    /// the position is too large to be solved in time.
    ///
    /// # Errors
    /// If the observer cancels the work, or if an allocation fails.
    pub fn exactly(&self, standings: &[Standing], mover: usize) -> Result<Option<JudgedEntries>, WorkError> {
        let value_after: Box<dyn Fn(&Standing) -> f64 + Send + Sync> = if let [first, second] = *standings {
            let (own, rival) = if mover == 0 { (first, second) } else { (second, first) };
            let Some(duel) = self.duels.of(&own, &rival, self.observer)? else { return Ok(None) };
            Box::new(move |after| duel.after(after, &rival).expect("an entry leads to a solved position"))
        } else if self.open_boxes(standings) <= MAX_OPEN_EXACT {
            let (game, standings) = (self.game.clone(), standings.to_vec());
            Box::new(move |after| {
                let mut standings = standings.clone();
                standings[mover] = *after;
                let whose = PlayerSet::only(mover);
                values_ahead(&game, &standings, mover, MAX_OPEN_EXACT as u8, whose, &results).0[mover]
            })
        } else {
            return Ok(None);
        };
        Ok(Some(JudgedEntries { value_after, exact: true }))
    }

    /// Returns the value after each entry of the player to move, estimated by EMP.
    ///
    /// # Errors
    /// If the observer cancels the work, or if an allocation fails.
    ///
    /// # Panics
    /// If there are not 2 to 8 players.
    pub fn estimated(&self, standings: &[Standing], mover: usize) -> Result<JudgedEntries, WorkError> {
        let depth = if standings.len() == 2 { 1 } else { self.multiplayer_depth };
        let value_after = self.search(depth.into())?.value_after_entry(standings, mover, self.observer)?;
        Ok(JudgedEntries { value_after, exact: false })
    }

    /// Returns the number of open boxes on all cards together.
    fn open_boxes(&self, standings: &[Standing]) -> usize {
        standings.iter().map(|standing| standing.open_boxes(&self.game).len()).sum()
    }

    /// Returns the value of a position for `player`, before the turn of `mover`.
    ///
    /// # Errors
    /// If the observer cancels the work, or if an allocation fails.
    pub fn value(&self, standings: &[Standing], mover: usize, player: usize) -> Result<f64, WorkError> {
        let finished = standings.iter().all(|standing| standing.open_boxes(&self.game).is_empty());
        if finished {
            return Ok(result(standings, player));
        }
        if standings.len() > 2 {
            let last = (mover + standings.len() - 1) % standings.len();
            if self.open_boxes(standings) <= MAX_OPEN_EXACT {
                let whose = PlayerSet::only(player);
                return Ok(values_ahead(&self.game, standings, last, MAX_OPEN_EXACT as u8, whose, &results)
                    .0[player]);
            }
            return Ok(self.search(self.multiplayer_depth.into())?.position(standings, last)[player]);
        }
        let value = self.value_of(standings, mover, &self.entries(standings, mover)?);
        Ok(if player == mover { value } else { 1.0 - value })
    }

    /// Evaluates every entry once. Returns a copy of `judged` backed by a table, so that the solved duel can be
    /// dropped, and the value of the position for the player to move.
    pub fn settled(
        &self,
        standings: &[Standing],
        mover: usize,
        judged: &JudgedEntries,
    ) -> (JudgedEntries, f64) {
        let known = RefCell::new(HashMap::new());
        let own = standings[mover];
        let entry_value = |entry: Entry| {
            let after = own.after(&self.game, entry);
            *known.borrow_mut().entry(after).or_insert_with(|| judged.value_after(&after))
        };
        let rolls = self.game.rules().rolls();
        let value =
            TurnPlan::new(&self.game, own.filled, rolls, TieTolerance::DoublePrecision, entry_value).value();
        let known = known.into_inner();
        let value_after = move |after: &Standing| *known.get(after).expect("the plan evaluated every entry");
        (JudgedEntries { value_after: Box::new(value_after), exact: judged.exact }, value)
    }

    /// Returns the value of a position for the player to move, given the values after all entries.
    pub fn value_of(&self, standings: &[Standing], mover: usize, judged: &JudgedEntries) -> f64 {
        let own = standings[mover];
        let entry_value = |entry: Entry| judged.value_after(&own.after(&self.game, entry));
        let rolls = self.game.rules().rolls();
        TurnPlan::new(&self.game, own.filled, rolls, TieTolerance::DoublePrecision, entry_value).value()
    }
}

/// The reason why cards cannot belong to the players of one game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayersError {
    /// There are too few or too many opponents.
    #[error("{0} opponents are not supported: give 1 to {most} cards", most = MAX_SEARCHED_PLAYERS - 1)]
    Others(usize),
    /// The numbers of open boxes cannot occur when players take turns.
    #[error(
        "the player to move has {own} open boxes and another player has {other}: players take turns, so each opponent \
         has as many open boxes or one fewer"
    )]
    NotInTurn {
        /// Open boxes of the player to move.
        own: usize,
        /// Open boxes of the other player.
        other: usize,
    },
    /// The opponents' cards are not in the order of play.
    #[error(
        "the opponents' cards are not in the order of play: give those with {0} open boxes first, then those with {less}",
        less = .0 - 1
    )]
    NotInOrder(usize),
}

/// Checks that cards can belong to the players of one game: `card` to the player to move, `others` to the opponents in
/// the order of play, starting with the next player.
///
/// ```
/// use keepers::errors::PlayersError;
/// use keepers::internals::multiplayer::check_players;
/// use keepers::{Card, Game, Rules};
/// let game = Game::new(Rules::preset("yacht").unwrap());
/// let [none, one] = ["", "ch=20"].map(|card| Card::parse(&game, card).unwrap());
/// assert_eq!(check_players(&none, &[none.clone(), one.clone()]), Ok(()));
/// assert_eq!(check_players(&none, &[one.clone(), none.clone()]), Err(PlayersError::NotInOrder(12)));
/// assert_eq!(check_players(&one, &[none]), Err(PlayersError::NotInTurn { own: 11, other: 12 }));
/// ```
///
/// # Errors
/// If there are not 1 to 7 opponents, or if the numbers of open boxes cannot occur in this order.
pub fn check_players(card: &Card, others: &[Card]) -> Result<(), PlayersError> {
    if !(1..MAX_SEARCHED_PLAYERS).contains(&others.len()) {
        return Err(PlayersError::Others(others.len()));
    }
    let own = card.open_boxes().len();
    let open: Vec<usize> = others.iter().map(|other| other.open_boxes().len()).collect();
    if let Some(&other) = open.iter().find(|other| **other != own && **other + 1 != own) {
        return Err(PlayersError::NotInTurn { own, other });
    }
    if open.is_sorted_by(|one, next| one >= next) { Ok(()) } else { Err(PlayersError::NotInOrder(own)) }
}

/// Returns the share of opponents that a player has beaten at the end of a game; a draw counts half.
pub(crate) fn result(standings: &[Standing], player: usize) -> f64 {
    let own = standings[player].total;
    let others = standings.iter().enumerate().filter(|(other, _)| *other != player);
    let beaten = others.map(|(_, other)| match own.cmp(&other.total) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    });
    beaten.sum::<f64>() / (standings.len() as f64 - 1.0)
}

/// Returns the results of the players in `whose`, and 0 for all others.
fn results(standings: &[Standing], whose: PlayerSet) -> Row<f64, MAX_SEARCHED_PLAYERS> {
    let value = |player: usize| {
        if player < standings.len() && whose.has(player) { result(standings, player) } else { 0.0 }
    };
    Row(std::array::from_fn(value))
}

fn standings(at: &Position) -> Vec<Standing> {
    at.cards.iter().map(Standing::of).collect()
}

impl Valuation for Multiplayer<'_> {
    fn value(&self, at: &Position, player: usize) -> Result<f64, WorkError> {
        self.value(&standings(at), at.to_move, player)
    }

    fn entries<'v>(&'v self, at: &'v Position) -> Result<EntryValuation<'v>, WorkError> {
        let standings = standings(at);
        let own = standings[at.to_move];
        let judged = self.entries(&standings, at.to_move)?;
        let exact = judged.exact;
        let value = Box::new(move |entry| judged.value_after(&own.after(&self.game, entry)));
        Ok(EntryValuation { value, exact })
    }

    fn tie_tolerance(&self) -> TieTolerance {
        TieTolerance::DoublePrecision
    }
}
