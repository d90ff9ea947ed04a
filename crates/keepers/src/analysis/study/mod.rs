//! Studies a solved game of two players: what strategies lose against exact play, where, and what the first move is
//! worth.
//!
//! In a solved game, the result of a game is the value of the start, plus the luck of the dice, minus the losses of the
//! player's decisions, plus those of the opponent's. Luck has mean 0 and exact play loses nothing, so the expected result
//! of a strategy against exact play is the value of the start minus the expected sum of its losses. The losses of a
//! turn are averaged over all its rolls (`judge.rs`), so a few thousand games give four digits; the games themselves only
//! provide the positions.
//!
//! If only the layers of the opening are known, only the turns whose values are known are played. The result of a game
//! is then the value of the position after these turns.

mod judge;
mod lockstep;
mod tally;

use std::cmp::Ordering;

use crate::dice::random::RerollTable;
use crate::game::card::Standing;
use crate::players::Strategy;
use crate::solve::{SolutionError, SolvedGame};
use crate::work::{Work, WorkError};
use lockstep::{GameInProgress, Mover, Turn};
use tally::{Sum, TurnTally};

/// The parameters of a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyOptions {
    /// The number of games that each strategy plays as first player, and again as second player.
    pub games: Vec<u64>,
    /// The number of games of exact play against itself.
    pub exact_games: u64,
    /// The number of games of exact play in which the expected-score choices are compared with the best ones.
    pub compared_games: u64,
    /// The seed of the dice.
    pub seed: u64,
}

/// A mean over games and its standard error, which is NaN for a single game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
}

/// The results of a study.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Study {
    /// The expected result of the player who starts, with exact play of both.
    pub value: f64,
    /// The open boxes on both cards before the last turn that was studied: 1 for complete games.
    pub last_turn: usize,
    /// Losses up to this count as none in the shares of decisions that differ.
    pub resolution: f64,
    /// Exact play against itself.
    pub exact: ExactStudy,
    /// Each strategy against exact play: as first and as second player.
    pub strategies: Vec<[StrategyStudy; 2]>,
}

/// Games of exact play against itself. Results are those of the player who starts.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ExactStudy {
    /// The number of games.
    pub games: u64,
    /// Games won, drawn and lost; `None` if games were not played to the end.
    pub record: Option<[u64; 3]>,
    /// The mean result.
    pub result: Mean,
    /// The mean totals of both players.
    pub totals: [Mean; 2],
    /// By player and turn: how the choices of the compared strategy differ from the best ones.
    pub compared: [Vec<TurnStudy>; 2],
    /// By turn: the value of moving first if both players have the same card.
    pub equal_cards: Vec<EqualCards>,
}

/// The value of moving first if both players have the same card, averaged over the cards of exact play.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct EqualCards {
    /// The open boxes of each player.
    pub open: usize,
    /// The number of cards.
    pub games: u64,
    /// The expected result of the player to move.
    pub value: Mean,
    /// The share of cards with which moving first is a disadvantage.
    pub disadvantage: f64,
}

/// A strategy against exact play. Results are those of the strategy.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StrategyStudy {
    /// The number of games.
    pub games: u64,
    /// Games won, drawn and lost; `None` if games were not played to the end.
    pub record: Option<[u64; 3]>,
    /// The mean result of the games.
    pub result: Mean,
    /// The value of the game minus the mean loss: the expected result without the luck of the dice.
    pub expected_result: Mean,
    /// The mean loss of all decisions in a game.
    pub loss: Mean,
    /// The mean totals of the strategy and of exact play.
    pub totals: [Mean; 2],
    /// By turn, from the first on.
    pub turns: Vec<TurnStudy>,
}

/// The decisions of one turn.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TurnStudy {
    /// The open boxes of the player before the turn.
    pub open: usize,
    /// The number of games.
    pub games: u64,
    /// The mean loss of all decisions of the turn together.
    pub loss_of_turn: Mean,
    /// The mean loss per decision.
    pub loss: Mean,
    /// The mean number of decisions.
    pub decisions: f64,
    /// The share of decisions that are not best choices.
    pub differs: f64,
    /// The decisions by the lead of the player before the turn.
    pub leads: Vec<LeadStudy>,
}

/// The decisions of one turn with leads in one range.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LeadStudy {
    /// The first and the last lead. The lowest and the highest range have no bounds on the outside.
    pub leads: (i32, i32),
    /// The number of games.
    pub games: u64,
    /// The mean loss per decision.
    pub loss: f64,
    /// The share of decisions that are not best choices.
    pub differs: f64,
}

/// The games that are played at the same time. The values of all their positions are in memory.
const GAMES_AT_A_TIME: usize = 1 << 19;

/// Studies a solved game. `compared` is the strategy whose choices are compared with the best ones in games of exact
/// play, usually the one that maximises the expected score.
///
/// # Errors
/// If the solution cannot be read or does not have the first turns, or if the work is cancelled.
///
/// # Panics
/// If there are not as many numbers of games as strategies.
pub fn study(
    solution: &dyn SolvedGame,
    compared: &dyn Strategy,
    strategies: &[&dyn Strategy],
    options: &StudyOptions,
    work: &Work<'_>,
) -> Result<Study, SolutionError> {
    assert_eq!(options.games.len(), strategies.len(), "a number of games for each strategy");
    let boxes = solution.game().space().boxes();
    let last_turn = last_turn(solution, 2 * boxes)?;
    let value = solution.values(&[[Standing::default(); 2]], work)?[0];
    let throws = RerollTable::new(solution.game().lattice());
    let resolution = solution.resolution()?;
    let field = Field { solution, throws, last_turn, resolution, options };
    let exact = Mover { plays: None, judged: None };
    let both = Mover { judged: Some(compared), ..exact };
    let mut pairings = vec![Pairing { movers: [both; 2], games: options.exact_games }];
    for (&strategy, &games) in strategies.iter().zip(&options.games) {
        let plays = Mover { plays: Some(strategy), ..exact };
        pairings.extend([[plays, exact], [exact, plays]].map(|movers| Pairing { movers, games }));
    }
    let tallies = field.play_all(&pairings, work)?;
    let of_strategy = |(tallies, &games): (&[Tally; 2], &u64)| {
        [0, 1].map(|seat| field.strategy(&tallies[seat], seat, games, value))
    };
    let (pairs, _) = tallies[1..].as_chunks::<2>();
    let strategies = pairs.iter().zip(&options.games).map(of_strategy).collect();
    Ok(Study { value, last_turn, resolution, exact: field.exact(&tallies[0]), strategies })
}

/// Returns the open boxes on both cards before the last turn that can be studied: the values after it and after all
/// turns before it are known.
fn last_turn(solution: &dyn SolvedGame, start: usize) -> Result<usize, SolutionError> {
    let mut last = start + 1;
    while last > 0 && solution.has_layer(last - 1)? {
        last -= 1;
    }
    // The lowest layer that is known has the values after the last turn.
    if last + 1 > start {
        let text = "the solution does not have the first two layers, so no turn can be studied: solve the game, or copy \
                    more layers";
        return Err(SolutionError::Unreadable(text.into()));
    }
    Ok(last + 1)
}

/// Two players, and the number of their games.
struct Pairing<'a> {
    movers: [Mover<'a>; 2],
    games: u64,
}

/// What all games share.
struct Field<'a> {
    solution: &'a dyn SolvedGame,
    throws: RerollTable,
    last_turn: usize,
    resolution: f64,
    options: &'a StudyOptions,
}

/// What was counted in games.
struct Tally {
    /// Games won, drawn and lost by the first player, by the totals after the last turn that was played.
    record: [u64; 3],
    /// The results of the first player.
    result: Sum,
    totals: [Sum; 2],
    /// The sum of all judged losses of each player in a game.
    losses: [Sum; 2],
    /// By player and by number of turns before.
    turns: [Vec<TurnTally>; 2],
    /// The values of moving first with equal cards, by number of turns before, and the number of those below 1/2.
    equal_cards: Vec<(Sum, u64)>,
}

impl Tally {
    fn new(boxes: usize) -> Tally {
        let turns = || vec![TurnTally::default(); boxes];
        Tally {
            record: [0; 3],
            result: Sum::default(),
            totals: [Sum::default(); 2],
            losses: [Sum::default(); 2],
            turns: [turns(), turns()],
            equal_cards: vec![(Sum::default(), 0); boxes],
        }
    }

    /// Adds a game that has ended, with the losses of both players and the result of the first one.
    fn add(&mut self, standings: &[Standing; 2], losses: &[f64; 2], result: f64) {
        self.result.add(result);
        for seat in 0..2 {
            self.totals[seat].add(standings[seat].total.into());
            self.losses[seat].add(losses[seat]);
        }
        let outcome = match standings[0].total.cmp(&standings[1].total) {
            Ordering::Greater => 0,
            Ordering::Equal => 1,
            Ordering::Less => 2,
        };
        self.record[outcome] += 1;
    }
}

impl Field<'_> {
    fn boxes(&self) -> usize {
        self.solution.game().space().boxes()
    }

    /// Returns what was counted in games of exact play.
    fn exact(&self, tally: &Tally) -> ExactStudy {
        let equal_cards = tally.equal_cards.iter().enumerate().filter(|(_, (sum, _))| sum.count() > 0);
        ExactStudy {
            games: self.options.exact_games,
            record: self.is_complete().then_some(tally.record),
            result: tally.result.mean(),
            totals: tally.totals.map(|sum| sum.mean()),
            compared: [0, 1].map(|seat| self.turns(tally, seat)),
            equal_cards: equal_cards
                .map(|(round, (sum, below))| EqualCards {
                    open: self.boxes() - round,
                    games: sum.count(),
                    value: sum.mean(),
                    disadvantage: *below as f64 / sum.count() as f64,
                })
                .collect(),
        }
    }

    /// Returns what was counted in games of a strategy in one seat against exact play.
    fn strategy(&self, tally: &Tally, seat: usize, games: u64, value: f64) -> StrategyStudy {
        let loss = tally.losses[seat].mean();
        let (mut result, mut value, mut record, mut totals) =
            (tally.result.mean(), value, tally.record, tally.totals);
        if seat == 1 {
            (result.mean, value) = (1.0 - result.mean, 1.0 - value);
            record.reverse();
            totals.reverse();
        }
        StrategyStudy {
            games,
            record: self.is_complete().then_some(record),
            result,
            expected_result: Mean { mean: value - loss.mean, error: loss.error },
            loss,
            totals: totals.map(|sum| sum.mean()),
            turns: self.turns(tally, seat),
        }
    }

    fn is_complete(&self) -> bool {
        self.last_turn == 1
    }

    fn turns(&self, tally: &Tally, seat: usize) -> Vec<TurnStudy> {
        let study = |(round, turn): (usize, &TurnTally)| turn.study(self.boxes() - round);
        tally.turns[seat].iter().enumerate().filter_map(study).collect()
    }

    /// Plays the games of all pairings, many at a time: the values that they need are read once for all of them.
    fn play_all(&self, pairings: &[Pairing<'_>], work: &Work<'_>) -> Result<Vec<Tally>, SolutionError> {
        let mut tallies: Vec<Tally> = pairings.iter().map(|_| Tally::new(self.boxes())).collect();
        let all = pairings.iter().map(|pairing| pairing.games).sum::<u64>() as usize;
        let turns = 2 * self.boxes() + 1 - self.last_turn;
        let mut games = (0..).zip(pairings).flat_map(|(pairing, of)| {
            let start = move |number| GameInProgress { pairing, number, standings: [Standing::default(); 2] };
            (0..of.games).map(start)
        });
        let mut done = 0;
        loop {
            let some: Vec<GameInProgress> = games.by_ref().take(GAMES_AT_A_TIME).collect();
            if some.is_empty() {
                work.report(all * turns, all * turns);
                return Ok(tallies);
            }
            self.play(some, pairings, &mut tallies, work, |games| {
                done += games;
                work.step(done, all * turns + 1)
            })?;
        }
    }

    /// Plays some games in lockstep, and adds them to the tallies of their pairings. Calls `step` after each turn with the
    /// number of games.
    fn play(
        &self,
        mut games: Vec<GameInProgress>,
        pairings: &[Pairing<'_>],
        tallies: &mut [Tally],
        work: &Work<'_>,
        mut step: impl FnMut(usize) -> Result<(), WorkError>,
    ) -> Result<(), SolutionError> {
        let mut losses = vec![[0.0; 2]; games.len()];
        let mut results = vec![0.5; games.len()];
        for left in (self.last_turn..=2 * self.boxes()).rev() {
            let turns = 2 * self.boxes() - left;
            let (seat, round) = (turns % 2, turns / 2);
            if seat == 0 {
                self.equal_cards(&games, round, &mut tallies[0], work)?;
            }
            let turn = Turn {
                solution: self.solution,
                throws: &self.throws,
                movers: pairings.iter().map(|pairing| pairing.movers[seat]).collect(),
                seat,
                round,
                seed: self.options.seed,
                judged_games: self.options.compared_games,
                resolution: self.resolution,
            };
            for played in turn.play(&games, work)? {
                let nth = played.game as usize;
                let GameInProgress { pairing, standings, .. } = &mut games[nth];
                if let Some(judged) = &played.judged {
                    let lead = i32::from(standings[seat].total) - i32::from(standings[1 - seat].total);
                    tallies[*pairing as usize].turns[seat][round].add(lead, judged);
                    losses[nth][seat] += judged.loss;
                }
                standings[seat] = standings[seat].after(self.solution.game(), played.entry);
                results[nth] = if seat == 0 { played.value } else { 1.0 - played.value };
            }
            step(games.len())?;
        }
        for ((game, losses), result) in games.iter().zip(&losses).zip(&results) {
            tallies[game.pairing as usize].add(&game.standings, losses, *result);
        }
        Ok(())
    }

    /// Adds the values of moving first if both players had the card of the player to move, in games of exact play.
    fn equal_cards(
        &self,
        games: &[GameInProgress],
        round: usize,
        tally: &mut Tally,
        work: &Work<'_>,
    ) -> Result<(), SolutionError> {
        let compared = self.options.compared_games;
        let compared = games.iter().filter(|game| game.pairing == 0 && game.number < compared);
        let positions: Vec<[Standing; 2]> = compared.map(|game| [game.standings[0]; 2]).collect();
        let (sum, below) = &mut tally.equal_cards[round];
        if !positions.is_empty() {
            for value in self.solution.values(&positions, work)? {
                sum.add(value);
                *below += u64::from(value < 0.5 - self.resolution);
            }
        }
        Ok(())
    }
}
