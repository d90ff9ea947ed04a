//! What a position is worth against others: exactly where that can be had, estimated by EMP otherwise.
//!
//! Worth is the expected share of the others that are beaten, a draw being half a win: for two players the
//! expected result, for more of them the expected rank turned around.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::analysis::review::Valuation;
use crate::analysis::value::ValueFunction;
use crate::game::Game;
use crate::game::card::Card;
use crate::game::record::Position;
use crate::game::rules::Entry;
use crate::kernel::plan::{TieTolerance, TurnPlan};
use crate::players::{
    Evaluation, ExactDuels, LookAhead, MAX_SEARCHED_PLAYERS, PlayerSet, Standing, values_ahead,
};
use crate::tables::ReachTable;
use crate::turn::Row;
use crate::work::{Observer, WorkError};

/// Whoever judges positions of several players. The reach curves are asked for when an estimate is needed
/// for the first time.
pub struct Multiplayer<'a> {
    game: Game,
    duels: ExactDuels,
    /// How many turns are searched after one's own to estimate a position of more than two.
    among_several: u8,
    reach: Box<dyn Fn() -> Result<Arc<ReachTable>, WorkError> + Send + Sync + 'a>,
    search: OnceLock<[LookAhead; 2]>,
    observer: &'a dyn Observer,
}

/// With so many open boxes on all cards together a game of several is played to its end: some ten thousand ways
/// to fill them.
const FEW_OPEN: usize = 3;

/// What a player's entries lead to.
pub struct JudgedEntries {
    worth: Box<dyn Fn(&Standing) -> f64 + Send + Sync>,
    /// Whether that is exact.
    pub exact: bool,
}

impl JudgedEntries {
    /// A game that is over: there are no entries to judge.
    pub(crate) fn over() -> JudgedEntries {
        JudgedEntries { worth: Box::new(|_| unreachable!("a game that is over has no entries")), exact: true }
    }

    /// What the game is worth to the player with this card after the entry.
    pub fn worth(&self, after: &Standing) -> f64 {
        (self.worth)(after)
    }
}

impl ValueFunction for JudgedEntries {
    fn value(&self, card: &Card) -> f64 {
        self.worth(&Standing::of(card))
    }
}

impl<'a> Multiplayer<'a> {
    /// Solves what can be solved in this time, and estimates the rest.
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
        Multiplayer { game, duels, among_several: 0, reach, search: OnceLock::new(), observer }
    }

    /// The same for one turn of each position, as advice needs it: that takes far less memory, and there is time
    /// to search a turn more if there are several others.
    #[must_use]
    pub fn for_a_turn(mut self) -> Multiplayer<'a> {
        self.duels = self.duels.for_a_turn();
        self.among_several = 1;
        self
    }

    /// Lets an exact solve take no more than this many bytes.
    #[must_use]
    pub fn limited_to(mut self, bytes: usize) -> Multiplayer<'a> {
        self.duels = self.duels.limited_to(bytes);
        self
    }

    /// EMP with this depth, 0 or 1.
    fn search(&self, depth: usize) -> Result<&LookAhead, WorkError> {
        if self.search.get().is_none() {
            let reach = (self.reach)()?;
            let _ = self.search.set([0, 1].map(|depth| LookAhead::new(&reach, Evaluation::Emp, depth)));
        }
        Ok(&self.search.get().expect("it was set")[depth])
    }

    /// What the entries of the player to move lead to.
    ///
    /// # Errors
    /// If the observer cancels the work, or if there is not enough memory.
    pub fn entries(&self, standings: &[Standing], mover: usize) -> Result<JudgedEntries, WorkError> {
        match self.exactly(standings, mover)? {
            Some(judged) => Ok(judged),
            None => self.estimated(standings, mover),
        }
    }

    /// What the entries of the player to move lead to, if it can be solved in the time that there is. No curves are
    /// needed for it.
    ///
    /// # Errors
    /// If the observer cancels the work, or if there is not enough memory.
    pub fn exactly(&self, standings: &[Standing], mover: usize) -> Result<Option<JudgedEntries>, WorkError> {
        let worth: Box<dyn Fn(&Standing) -> f64 + Send + Sync> = if let [first, second] = *standings {
            let (own, rival) = if mover == 0 { (first, second) } else { (second, first) };
            let Some(duel) = self.duels.of(&own, &rival, self.observer)? else { return Ok(None) };
            Box::new(move |after| duel.after(after, &rival).expect("it follows"))
        } else if self.open_boxes(standings) <= FEW_OPEN {
            let (game, standings) = (self.game.clone(), standings.to_vec());
            Box::new(move |after| {
                let mut standings = standings.clone();
                standings[mover] = *after;
                let whose = PlayerSet::only(mover);
                values_ahead(&game, &standings, mover, FEW_OPEN as u8, whose, &results).0[mover]
            })
        } else {
            return Ok(None);
        };
        Ok(Some(JudgedEntries { worth, exact: true }))
    }

    /// What the entries of the player to move lead to, estimated by EMP.
    ///
    /// # Errors
    /// If the observer cancels the work, or if there is not enough memory.
    pub fn estimated(&self, standings: &[Standing], mover: usize) -> Result<JudgedEntries, WorkError> {
        let depth = if standings.len() == 2 { 1 } else { self.among_several };
        let worth = self.search(depth.into())?.worth_after(standings, mover, self.observer)?;
        Ok(JudgedEntries { worth, exact: false })
    }

    fn open_boxes(&self, standings: &[Standing]) -> usize {
        standings.iter().map(|standing| standing.open_boxes(&self.game).len()).sum()
    }

    /// What a position is worth to a player before the turn of the player to move.
    ///
    /// # Errors
    /// If the observer cancels the work, or if there is not enough memory.
    pub fn value(&self, standings: &[Standing], mover: usize, player: usize) -> Result<f64, WorkError> {
        let finished = standings.iter().all(|standing| standing.open_boxes(&self.game).is_empty());
        if finished {
            return Ok(result(standings, player));
        }
        if standings.len() > 2 {
            let last = (mover + standings.len() - 1) % standings.len();
            if self.open_boxes(standings) <= FEW_OPEN {
                let whose = PlayerSet::only(player);
                return Ok(
                    values_ahead(&self.game, standings, last, FEW_OPEN as u8, whose, &results).0[player]
                );
            }
            return Ok(self.search(self.among_several.into())?.position(standings, last)[player]);
        }
        let value = self.value_of(standings, mover, &self.entries(standings, mover)?);
        Ok(if player == mover { value } else { 1.0 - value })
    }

    /// Evaluates every entry once. Returns a copy of `judged` backed by a table, so that a solved duel can be dropped,
    /// and the value of the position for the player to move.
    pub fn settled(
        &self,
        standings: &[Standing],
        mover: usize,
        judged: &JudgedEntries,
    ) -> (JudgedEntries, f64) {
        let known = RefCell::new(HashMap::new());
        let own = standings[mover];
        let worth = |entry: Entry| {
            let after = own.after(&self.game, entry);
            *known.borrow_mut().entry(after).or_insert_with(|| judged.worth(&after))
        };
        let rolls = self.game.rules().rolls();
        let value =
            TurnPlan::new(&self.game, own.filled, rolls, TieTolerance::DoublePrecision, worth).value();
        let known = known.into_inner();
        let worth = move |after: &Standing| *known.get(after).expect("a turn looks at every entry");
        (JudgedEntries { worth: Box::new(worth), exact: judged.exact }, value)
    }

    /// What a position is worth to the player to move, whose entries were judged.
    pub fn value_of(&self, standings: &[Standing], mover: usize, judged: &JudgedEntries) -> f64 {
        let own = standings[mover];
        let worth = |entry: Entry| judged.worth(&own.after(&self.game, entry));
        TurnPlan::new(&self.game, own.filled, self.game.rules().rolls(), TieTolerance::DoublePrecision, worth)
            .value()
    }
}

/// Why cards cannot be those of one game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeatsError {
    /// Too few or too many others.
    #[error("{0} cards of others cannot be played against: give 1 to {most}", most = MAX_SEARCHED_PLAYERS - 1)]
    Others(usize),
    /// Somebody is ahead or behind.
    #[error(
        "the player to move has {own} open boxes and another {other}: players take turns, so others have as many \
         or one less"
    )]
    NotInTurn {
        /// Open boxes of the player to move.
        own: usize,
        /// Open boxes of the other.
        other: usize,
    },
    /// Somebody has moved before his turn.
    #[error(
        "the cards of others come in the order of play, from the next player on: those with {0} open boxes first, \
         then those with {less}, who have moved in this round", less = .0 - 1
    )]
    NotInOrder(usize),
}

/// Whether these can be the cards of one game, the others in the order of play from the next player on.
///
/// ```
/// use keepers::errors::SeatsError;
/// use keepers::internals::multiplayer::check_seats;
/// use keepers::{Card, Game, Rules};
/// let game = Game::new(Rules::preset("yacht").unwrap());
/// let [none, one] = ["", "ch=20"].map(|card| Card::parse(&game, card).unwrap());
/// assert_eq!(check_seats(&none, &[none.clone(), one.clone()]), Ok(()));
/// assert_eq!(check_seats(&none, &[one.clone(), none.clone()]), Err(SeatsError::NotInOrder(12)));
/// assert_eq!(check_seats(&one, &[none]), Err(SeatsError::NotInTurn { own: 11, other: 12 }));
/// ```
///
/// # Errors
/// If they cannot.
pub fn check_seats(card: &Card, others: &[Card]) -> Result<(), SeatsError> {
    if !(1..MAX_SEARCHED_PLAYERS).contains(&others.len()) {
        return Err(SeatsError::Others(others.len()));
    }
    let own = card.open_boxes().len();
    let open: Vec<usize> = others.iter().map(|other| other.open_boxes().len()).collect();
    if let Some(&other) = open.iter().find(|other| **other != own && **other + 1 != own) {
        return Err(SeatsError::NotInTurn { own, other });
    }
    if open.is_sorted_by(|one, next| one >= next) { Ok(()) } else { Err(SeatsError::NotInOrder(own)) }
}

/// The share of the others that is beaten at the end of a game.
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

/// The same for some players.
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

    fn entries<'v>(&'v self, at: &'v Position) -> Result<Box<dyn Fn(Entry) -> f64 + 'v>, WorkError> {
        let standings = standings(at);
        let own = standings[at.to_move];
        let judged = self.entries(&standings, at.to_move)?;
        Ok(Box::new(move |entry| judged.worth(&own.after(&self.game, entry))))
    }

    fn tie_tolerance(&self) -> TieTolerance {
        TieTolerance::DoublePrecision
    }
}
