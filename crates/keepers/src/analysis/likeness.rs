//! How similarly two strategies decide (Cremers, section 7.2.3): the share of decisions in which they differ, and what
//! the differences cost, both weighted exactly with how often the decisions occur.
//!
//! One of the strategies is followed from a card to the end of the game. At each of its decisions, the other one decides
//! as well. The losses of the followed strategy, measured by the other's values, add up to the other's value of the card
//! minus the value that the followed strategy achieves by the other's measure. Strategies without values, such as
//! heuristics, can be followed and compared too, but nothing can be lost by their measure.

use std::collections::BTreeMap;

use crate::dice::random::RandomStream;
use crate::game::Game;
use crate::game::card::{Card, Standing};
use crate::game::rules::Entry;
use crate::kernel::forward::spread;
use crate::kernel::plan::{Planner, TieTolerance};
use crate::kernel::transitions::Transitions;
use crate::parallel::Threads;
use crate::players::{Strategy, TurnContext};
use crate::solve::UtilityTable;
use crate::solve::utility::ranges_so_far;
use crate::tables::ExpectedTable;
use crate::turn::{LANES, Row, Row64, Rows};
use crate::work::{Work, WorkError};

/// A strategy that plays alone and whose decisions are not random.
#[derive(Clone, Copy)]
pub enum Decider<'a> {
    /// The best expected score.
    Score(&'a ExpectedTable),
    /// The best expected utility of the final score, or any other values of states and points so far.
    Utility(&'a UtilityTable),
    /// A strategy without values, whose decisions depend only on the score state.
    Fixed(&'a dyn Strategy),
}

/// How two strategies differ at one kind of decision.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Disagreement {
    /// The probability that the other strategy acts differently.
    pub differs: f64,
    /// The probability that the followed strategy's action is worse than the other's, by the other's values; 0 if the
    /// other strategy has no values.
    pub worse: f64,
    /// The mean loss of the followed strategy's action, by the other's values; 0 if it has none.
    pub loss: f64,
    /// The mean loss of the other strategy's action, by the followed strategy's values; 0 if it has none.
    pub other_loss: f64,
}

/// How two strategies differ, decision by decision.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Likeness {
    /// By turn, from 0: the differences after each roll. Those after the last roll are about the box, all others about
    /// the dice to keep. Every game has each of these decisions once.
    pub turns: Vec<Vec<Disagreement>>,
    /// Whether the followed strategy and the other one have values.
    pub have_values: [bool; 2],
}

impl Disagreement {
    fn add(&mut self, other: &Disagreement) {
        self.differs += other.differs;
        self.worse += other.worse;
        self.loss += other.loss;
        self.other_loss += other.other_loss;
    }
}

impl Likeness {
    /// Returns the sum over all turns of the differences after the nth roll of a turn, from 0.
    pub fn after_roll(&self, nth: usize) -> Disagreement {
        sum(self.turns.iter().map(|turn| &turn[nth]))
    }

    /// Returns the sum over all decisions of a turn, from 0.
    pub fn turn(&self, nth: usize) -> Disagreement {
        sum(self.turns[nth].iter())
    }

    /// Returns the sum over all decisions of a game.
    pub fn game(&self) -> Disagreement {
        sum(self.turns.iter().flatten())
    }

    /// Returns the number of decisions of a game.
    pub fn decisions(&self) -> usize {
        self.turns.iter().map(Vec::len).sum()
    }
}

fn sum<'a>(all: impl Iterator<Item = &'a Disagreement>) -> Disagreement {
    let mut whole = Disagreement::default();
    all.for_each(|one| whole.add(one));
    whole
}

impl Decider<'_> {
    fn tolerance(&self) -> TieTolerance {
        match self {
            Decider::Score(_) | Decider::Fixed(_) => TieTolerance::Points,
            Decider::Utility(_) => TieTolerance::DoublePrecision,
        }
    }

    fn has_values(&self) -> bool {
        !matches!(self, Decider::Fixed(_))
    }
}

/// Follows a strategy from a card and compares its decisions with those of another one.
///
/// ```
/// use keepers::{Card, Game, Silent, Store};
/// use keepers::internals::{Work, solve};
/// use keepers::internals::likeness::{Decider, likeness};
/// let game = Game::preset("yacht")?;
/// let (empty, work) = (game.empty_card(), Work::silent());
/// let score = Store::none().expected(&game, &Silent)?;
/// let step: Vec<f64> = (0..=200).map(|score| f64::from(u8::from(score == 200))).collect();
/// let reach = solve::best_utility(&game, &empty, &step, &work)?;
/// let both = likeness(&game, &empty, Decider::Utility(&reach), Decider::Score(&score), &work)?;
/// assert_eq!(both.decisions(), 36);
/// assert!(both.game().differs > 1.0 && both.game().loss > 1.0);
/// let same = likeness(&game, &empty, Decider::Score(&score), Decider::Score(&score), &work)?;
/// assert_eq!(same.game().differs, 0.0);
/// # Ok::<(), keepers::Error>(())
/// ```
///
/// # Errors
/// If the work is cancelled, or if there is not enough memory.
///
/// # Panics
/// If a utility table was not solved for the card or an earlier one.
pub fn likeness(
    game: &Game,
    card: &Card,
    followed: Decider<'_>,
    other: Decider<'_>,
    work: &Work<'_>,
) -> Result<Likeness, WorkError> {
    /// The number of states that one thread plays, and of such blocks in a batch, which bounds the memory of pushes.
    const BLOCK: usize = 8;
    const BLOCKS: usize = 32;
    let pass = Pass { game, followed, other, work, ranges: ranges_so_far(game, card, work)? };
    let mut reached: Vec<(usize, Vec<f64>)> = Vec::new();
    let mut start = vec![0.0; pass.len(card.state())];
    start[usize::from(card.total()) - pass.first(card.state())] = 1.0;
    reached.push((card.state(), start));
    let all = card.open_boxes().len();
    let mut turns = Vec::new();
    for turn in 0..all {
        let mut next: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        let mut decisions = vec![Disagreement::default(); usize::from(game.rules().rolls())];
        let blocks = reached.len().div_ceil(BLOCK);
        for first in (0..blocks).step_by(BLOCKS) {
            work.step(turn, all)?;
            // Blocks are played in parallel, but added in order, so that sums do not depend on the number of threads.
            let played = Threads::All.map_with(
                first..blocks.min(first + BLOCKS),
                || Turn::new(game),
                |turn, block| {
                    let states = &reached[block * BLOCK..reached.len().min((block + 1) * BLOCK)];
                    let mut differences = vec![Disagreement::default(); usize::from(game.rules().rolls())];
                    let mut pushes = Vec::new();
                    for (state, mass) in states {
                        pass.play(*state, mass, turn, &mut differences, &mut pushes)?;
                    }
                    Ok((differences, pushes))
                },
            );
            for played in played {
                let (differences, pushes) = played?;
                decisions.iter_mut().zip(&differences).for_each(|(all, one)| all.add(one));
                for Push { to, at, lanes, skipped } in pushes {
                    let mass = next.entry(to).or_insert_with(|| vec![0.0; pass.len(to)]);
                    mass[at..].iter_mut().zip(&lanes.0[skipped..]).for_each(|(cell, more)| *cell += more);
                }
            }
        }
        turns.push(decisions);
        reached = next.into_iter().collect();
    }
    work.report(all, all);
    Ok(Likeness { turns, have_values: [followed.has_values(), other.has_values()] })
}

/// The mass of a block of lanes that an entry moves to the next state.
struct Push {
    to: usize,
    /// The index in the mass of the next state to which the first lane that is not skipped is added.
    at: usize,
    lanes: Row64,
    /// The number of lanes below the range of points of the next state, which have no mass.
    skipped: usize,
}

/// The buffers of one thread.
struct Turn {
    followed: Plan,
    other: Plan,
    mass: Rows<f64, LANES>,
    entry_mass: Vec<Row64>,
}

impl Turn {
    fn new(game: &Game) -> Turn {
        Turn { followed: Plan::new(game), other: Plan::new(game), mass: Rows::new(), entry_mass: Vec::new() }
    }
}

/// The decisions of one strategy in a turn, for a block of lanes.
struct Plan {
    planner: Planner<LANES>,
    /// The decisions of a strategy without values, which replace those of the planner: `picks[n - 1]` has the keep of
    /// each roll with n rolls left, `ends` the index of the entry of each final roll.
    fixed: Option<FixedPlan>,
}

struct FixedPlan {
    picks: Vec<Vec<[u16; LANES]>>,
    ends: Vec<[u16; LANES]>,
}

impl Plan {
    fn new(game: &Game) -> Plan {
        Plan { planner: Planner::new(game, game.rules().rolls() - 1), fixed: None }
    }

    /// Prepares for the turns of a state. Decisions that do not depend on the points so far are made here, once for all
    /// blocks.
    fn start(
        &mut self,
        pass: &Pass<'_>,
        decider: Decider<'_>,
        (state, next): (usize, &Transitions),
    ) -> Result<(), WorkError> {
        let game = pass.game;
        let group = game.space().group_of(state);
        let class = state - group.first();
        self.planner.start(game, group.filled);
        match decider {
            Decider::Utility(_) => {}
            Decider::Score(table) => self.planner.plan(game, decider.tolerance(), |entry| {
                let (to, paid) = next.state(game, group, class, entry);
                Row::of(f64::from(paid) + table.get(to))
            }),
            Decider::Fixed(strategy) => {
                let upper = game.space().upper();
                let upper_total = upper.total_of(group.upper_set(), class).expect("the state has a total");
                let total = pass.ranges[state].0;
                let own = [Standing { filled: group.filled, upper_total, total, extras: 0 }];
                let context = TurnContext { game, standings: &own, mover: 0, observer: pass.work.observer() };
                self.fixed = Some(fixed_plan(&context, strategy, self.planner.entries())?);
            }
        }
        Ok(())
    }

    fn picks(&self, rolls_left: u8) -> &[[u16; LANES]] {
        match &self.fixed {
            Some(fixed) => &fixed.picks[usize::from(rolls_left) - 1],
            None => self.planner.picks(rolls_left),
        }
    }

    fn ends(&self) -> &[[u16; LANES]] {
        self.fixed.as_ref().map_or(self.planner.ends(), |fixed| &fixed.ends)
    }

    /// Returns the values of two keeps in a lane; equal ones if the strategy has no values.
    fn keeps(&self, keeps: [u16; 2], rolls_left: u8, lane: usize) -> [f64; 2] {
        match self.fixed {
            Some(_) => [0.0; 2],
            None => keeps.map(|keep| self.planner.keeps(rolls_left).get(keep).0[lane]),
        }
    }

    /// Returns the values of two entries in a lane; equal ones if the strategy has no values.
    fn values(&self, entries: [u16; 2], lane: usize) -> [f64; 2] {
        match self.fixed {
            Some(_) => [0.0; 2],
            None => entries.map(|entry| self.planner.value(entry).0[lane]),
        }
    }
}

/// Asks a strategy for its decisions after every roll of a turn. `entries` are all entries of the turn.
fn fixed_plan(
    context: &TurnContext<'_>,
    strategy: &dyn Strategy,
    entries: &[Entry],
) -> Result<FixedPlan, WorkError> {
    let (game, lattice) = (context.game, context.game.lattice());
    let mut policy = strategy.plan(context)?;
    let mut random = RandomStream::new(0, 0);
    let picks = (1..game.rules().rolls())
        .map(|rolls_left| {
            let pick = |roll| lattice.index_of(&policy.keep(lattice.roll(roll), rolls_left, &mut random));
            lattice.rolls().map(pick).map(|keep| [keep as u16; LANES]).collect()
        })
        .collect();
    let end = |roll| {
        let entry = policy.enter(lattice.roll(roll), &mut random);
        let index = entries.iter().position(|other| *other == entry).expect("the entry is allowed");
        [index as u16; LANES]
    };
    Ok(FixedPlan { picks, ends: lattice.rolls().map(end).collect() })
}

struct Pass<'a> {
    game: &'a Game,
    followed: Decider<'a>,
    other: Decider<'a>,
    work: &'a Work<'a>,
    /// The fewest and the most points so far of each state.
    ranges: Vec<(u16, u16)>,
}

impl Pass<'_> {
    /// Returns the number of points so far of index 0 in the mass of a state.
    fn first(&self, state: usize) -> usize {
        usize::from(self.ranges[state].0) / LANES * LANES
    }

    fn len(&self, state: usize) -> usize {
        usize::from(self.ranges[state].1) + 1 - self.first(state)
    }

    /// Plays a turn from one state, for all numbers of points so far.
    fn play(
        &self,
        state: usize,
        mass: &[f64],
        turn: &mut Turn,
        differences: &mut [Disagreement],
        pushes: &mut Vec<Push>,
    ) -> Result<(), WorkError> {
        let game = self.game;
        let group = game.space().group_of(state);
        let class = state - group.first();
        let next = Transitions::new(game, group);
        let (first, least) = (self.first(state), usize::from(self.ranges[state].0));
        turn.followed.start(self, self.followed, (state, &next))?;
        turn.other.start(self, self.other, (state, &next))?;
        for (block, start) in mass.chunks(LANES).zip((first..).step_by(LANES)) {
            if block.iter().all(|p| *p == 0.0) {
                continue;
            }
            for (plan, decider) in [(&mut turn.followed, self.followed), (&mut turn.other, self.other)] {
                let Decider::Utility(table) = decider else { continue };
                plan.planner.plan(game, decider.tolerance(), |entry| {
                    let (to, paid) = next.state(game, group, class, entry);
                    let points = start + usize::from(paid);
                    // The first lanes may be below the range of the state.
                    if start < least { table.load_clamped(to, points) } else { table.load(to, points) }
                });
            }
            let mut lanes = Row([0.0; LANES]);
            lanes.0[..block.len()].copy_from_slice(block);
            self.compare(&lanes, turn, differences);
            for (&entry, lanes) in turn.followed.planner.entries().iter().zip(&turn.entry_mass) {
                if lanes.0.iter().any(|p| *p > 0.0) {
                    let (to, paid) = next.state(game, group, class, entry);
                    let points = start + usize::from(paid);
                    let skipped = self.first(to).saturating_sub(points);
                    pushes.push(Push { to, at: points + skipped - self.first(to), lanes: *lanes, skipped });
                }
            }
        }
        Ok(())
    }

    /// Follows the first plan through the turn, compares the decisions of both, and computes the mass of each entry.
    fn compare(&self, lanes: &Row64, turn: &mut Turn, differences: &mut [Disagreement]) {
        let (game, lattice) = (self.game, self.game.lattice());
        let Turn { followed, other, mass, entry_mass } = turn;
        let tolerance = self.other.tolerance();
        let mut differ = |nth: usize, p: f64, own: [f64; 2], others: [f64; 2]| {
            let difference = &mut differences[nth];
            difference.differs += p;
            difference.other_loss += p * (own[0] - own[1]).max(0.0);
            if tolerance.rank(others[1]) > tolerance.rank(others[0]) {
                difference.worse += p;
                difference.loss += p * (others[1] - others[0]);
            }
        };
        (0..lattice.rolls().start).for_each(|keep| *mass.get_mut(keep as u16) = Row([0.0; LANES]));
        for roll in lattice.rolls() {
            let share = f64::from(lattice.keeps()[roll].orders()) / game.turn().all_orders();
            *mass.get_mut(roll as u16) = lanes.times(share);
        }
        let rolls = game.rules().rolls();
        for rolls_left in (1..rolls).rev() {
            let picks = followed.picks(rolls_left).iter().zip(other.picks(rolls_left));
            for (roll, (picks, others)) in lattice.rolls().zip(picks) {
                let here = std::mem::replace(mass.get_mut(roll as u16), Row([0.0; LANES]));
                for (lane, (&pick, &instead)) in picks.iter().zip(others).enumerate() {
                    let p = here.0[lane];
                    mass.get_mut(pick).0[lane] += p;
                    if pick != instead && p > 0.0 {
                        let both = |plan: &Plan| plan.keeps([pick, instead], rolls_left, lane);
                        differ(usize::from(rolls - 1 - rolls_left), p, both(followed), both(other));
                    }
                }
            }
            spread(game, mass);
        }
        entry_mass.clear();
        entry_mass.resize(followed.planner.entries().len(), Row([0.0; LANES]));
        let entries = followed.planner.entries();
        let ends = followed.ends().iter().zip(other.ends());
        for (roll, (ends, others)) in lattice.rolls().zip(ends) {
            for (lane, (&end, &instead)) in ends.iter().zip(others).enumerate() {
                let p = mass.get(roll as u16).0[lane];
                entry_mass[usize::from(end)].0[lane] += p;
                // Jokers of different faces can be equal entries with different indices.
                if p > 0.0 && entries[usize::from(end)] != entries[usize::from(instead)] {
                    let both = |plan: &Plan| plan.values([end, instead], lane);
                    differ(usize::from(rolls - 1), p, both(followed), both(other));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::evaluate::{evaluate_expected, evaluate_utility};
    use crate::analysis::simulate::simulate;
    use crate::players::{Expected, FelldinSood, Greedy};
    use crate::solve::best_utility;
    use crate::tables::Store;
    use crate::work::Silent;

    #[test]
    fn losses_add_up_to_the_difference_of_the_values() {
        let game = Game::preset("yacht").unwrap();
        let (card, work) = (Card::parse(&game, "1=2,2=4,3=9,4=12,ch=20").unwrap(), Work::silent());
        let table = Store::none().expected(&game, &Silent).unwrap();
        let step: Vec<f64> = (0..=180).map(|score| f64::from(u8::from(score == 180))).collect();
        let reach = best_utility(&game, &card, &step, &work).unwrap();
        let (score, target) = (Decider::Score(&table), Decider::Utility(&reach));
        // Following the target, by the values of the score.
        let one = likeness(&game, &card, target, score, &work).unwrap();
        let mean = evaluate_utility(&game, &reach, &card, &work).unwrap().mean();
        assert!((one.game().loss - (table.value(&card) - mean)).abs() < 1e-6, "{:?}", one.game());
        // Following the score, by the probability of the target.
        let two = likeness(&game, &card, score, target, &work).unwrap();
        let reached = evaluate_expected(&table, &card, &work).unwrap().at_least(180);
        assert!((two.game().loss - (reach.value() - reached)).abs() < 1e-9, "{:?}", two.game());
        assert!(two.game().worse > 0.0 && two.game().worse <= two.game().differs);
        assert_eq!((two.decisions(), two.turns.len()), (21, 7));
    }

    #[test]
    fn heuristics_lose_what_their_simulated_games_lose() {
        let cards = [
            ("classic", "1=3,2=6,3=9,4=12,5=15,3k=20,ss=30,ch=22"),
            ("yahtzee", "1=2,2=6,3=9,5=15,6=18,y=50,ss=30,ch=22,extra=1"),
        ];
        for (rules, card) in cards {
            let game = Game::preset(rules).unwrap();
            let (card, work) = (Card::parse(&game, card).unwrap(), Work::silent());
            let asked = Expected(std::sync::Arc::new(Store::none().expected(&game, &Silent).unwrap()));
            let table = &asked.0;
            let best = Decider::Score(table);
            let heuristics: [&dyn Strategy; 2] = [&Greedy, &FelldinSood::new(&game)];
            for player in heuristics {
                let found = likeness(&game, &card, Decider::Fixed(player), best, &work).unwrap();
                assert_eq!(found.have_values, [false, true]);
                assert_eq!(found.game().other_loss, 0.0);
                let sample = simulate(&game, player, &Standing::of(&card), 20_000, 1, &work).unwrap();
                let lost = table.value(&card) - sample.mean();
                let (loss, error) = (found.game().loss, sample.error());
                assert!((loss - lost).abs() < 4.0 * error, "{rules}: {loss}, not {lost} ± {error}");
                // The other way round, they differ too, but nothing can be lost by values that do not exist.
                let back = likeness(&game, &card, best, Decider::Fixed(player), &work).unwrap();
                assert!(back.game().differs > 0.0 && back.game().loss == 0.0 && back.game().other_loss > 0.0);
            }
            // A strategy that is asked decision by decision decides as its table does.
            let same = likeness(&game, &card, Decider::Fixed(&asked), best, &work).unwrap();
            assert_eq!(same.game().differs, 0.0, "{rules}");
        }
    }
}
