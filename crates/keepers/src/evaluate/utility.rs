//! Exact statistics of the strategy with the best expected worth of the final score.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::choice::{Chosen, End, ends};
use super::lanes::Track;
use super::statistics::{BoxStatistics, Statistics};
use crate::advise::BestUtility;
use crate::game::Game;
use crate::plan::Equal;
use crate::rules::Entry;
use crate::solve::next::NextGroups;
use crate::solve::utility::W;
use crate::solve::{Progress, UtilityTable};
use crate::turn::{Row, Row64};

/// The probability of each number of points so far in a state, by the number of extra bonuses.
type Mass = Vec<Vec<f64>>;

/// What one thread has seen of the boxes in one turn.
struct Seen {
    rolls: Vec<Vec<f64>>,
    points: Vec<BTreeMap<u16, f64>>,
    upper_bonus: f64,
}

impl Seen {
    fn new(game: &Game) -> Seen {
        let boxes = game.space().boxes();
        let rolls = vec![vec![0.0; game.lattice().rolls().len()]; boxes];
        Seen { rolls, points: vec![BTreeMap::new(); boxes], upper_bonus: 0.0 }
    }

    /// An entry was made.
    fn made(&mut self, entry: Entry, bonus: bool, p: f64) {
        *self.points[entry.into.place()].entry(entry.points).or_default() += p;
        self.upper_bonus += if bonus { p } else { 0.0 };
    }
}

/// The exact statistics of the strategy that a utility table stands for, from the card it was solved
/// for on.
///
/// ```
/// use keepers::{Card, Game, Rules, evaluate::evaluate_utility, solve};
/// let game = Game::new(Rules::preset("yacht").unwrap());
/// let at_least_200: Vec<f64> = (0..=200).map(|score| if score >= 200 { 1.0 } else { 0.0 }).collect();
/// let table = solve::best_utility(&game, &Card::empty(&game), &at_least_200, &|_, _| ());
/// let statistics = evaluate_utility(&game, &table, &|_, _| ());
/// assert!((statistics.at_least(200) - table.value()).abs() < 1e-12);
/// ```
pub fn evaluate_utility(game: &Game, table: &UtilityTable, progress: Progress<'_>) -> Statistics {
    let mut pass = Pass::new(game, table);
    pass.reached = vec![(table.start(), vec![vec![1.0]])];
    pass.play_on(progress)
}

/// The exact statistics after a choice, if the turn and the game are then played for the best expected worth.
/// The table was solved for the card that the choice is made with.
///
/// ```
/// use std::sync::Arc;
/// use keepers::advise::{BestUtility, advise};
/// use keepers::evaluate::{Chosen, evaluate_utility_after};
/// use keepers::{Card, Game, Roll, Rules, solve};
/// let game = Arc::new(Game::new(Rules::preset("yacht").unwrap()));
/// let card = Card::parse(&game, "1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0").unwrap();
/// let at_least_150: Vec<f64> = (0..=150).map(|score| if score >= 150 { 1.0 } else { 0.0 }).collect();
/// let best = BestUtility {
///     game: Arc::clone(&game),
///     table: Arc::new(solve::best_utility(&game, &card, &at_least_150, &|_, _| ())),
/// };
/// let advice = advise(&game, &best, &card, &Roll::parse("12344", 5, 6).unwrap(), 1).unwrap();
/// for choice in &advice.choices {
///     let chosen = Chosen { card: &card, rolls_left: 1, action: choice.action };
///     let statistics = evaluate_utility_after(&best, &chosen, &|_, _| ());
///     assert!((statistics.at_least(150) - choice.value).abs() < 1e-12);
/// }
/// ```
pub fn evaluate_utility_after(best: &BestUtility, chosen: &Chosen<'_>, progress: Progress<'_>) -> Statistics {
    let BestUtility { game, table } = best;
    let mut pass = Pass::new(game, table);
    let mut reached: BTreeMap<usize, Mass> = BTreeMap::new();
    let mut seen = Seen::new(game);
    for End { roll, entry, p } in ends(game, best, chosen) {
        let next = chosen.card.with(entry);
        let to = game.space().index(next.filled(), next.upper_total()).expect("a card has a state");
        if let Some(roll) = roll {
            seen.rolls[entry.into.place()][roll] += p;
        }
        seen.made(entry, next.upper_bonus() > chosen.card.upper_bonus(), p);
        let window = table.window(to);
        let points = usize::from(next.total() - window.least);
        let mass = reached.entry(to).or_default();
        add(mass, window.len(), usize::from(entry.extra > 0), points, &[p]);
    }
    pass.note(seen);
    pass.reached = reached.into_iter().collect();
    pass.play_on(progress)
}

/// A forward pass on its way.
struct Pass<'a> {
    game: &'a Game,
    table: &'a UtilityTable,
    /// How many turns were played, and how many there are.
    turn: usize,
    turns: usize,
    reached: Vec<(usize, Mass)>,
    boxes: Vec<BoxStatistics>,
    upper_bonus: f64,
}

impl<'a> Pass<'a> {
    fn new(game: &'a Game, table: &'a UtilityTable) -> Pass<'a> {
        let space = game.space();
        let turns = space.boxes() - space.group_of(table.start()).filled.boxes.len();
        let boxes = vec![BoxStatistics::default(); space.boxes()];
        Pass { game, table, turn: 0, turns, reached: Vec::new(), boxes, upper_bonus: 0.0 }
    }

    /// A turn was played by all.
    fn note(&mut self, seen: Seen) {
        for (of, (rolls, points)) in self.boxes.iter_mut().zip(seen.rolls.into_iter().zip(seen.points)) {
            of.rolls.push(rolls);
            let most = points.keys().next_back().map_or(0, |most| usize::from(*most) + 1);
            let mut row = vec![0.0; most];
            points.into_iter().for_each(|(points, p)| row[usize::from(points)] = p);
            of.points.push(row);
        }
        self.upper_bonus += seen.upper_bonus;
        self.turn += 1;
    }

    /// Plays all turns that are left.
    fn play_on(mut self, progress: Progress<'_>) -> Statistics {
        while self.turn < self.turns {
            self.play_turn(progress);
            progress(self.turn, self.turns);
        }
        let mut probability = Vec::new();
        let mut extras = Vec::new();
        for (state, mass) in &self.reached {
            let least = usize::from(self.table.window(*state).least);
            for (n, points) in mass.iter().enumerate() {
                for (total, p) in (least..).zip(points) {
                    grow(&mut probability, total, *p);
                    grow(&mut extras, n, *p);
                }
            }
        }
        let last = probability.iter().rposition(|p| *p > 0.0).map_or(0, |last| last + 1);
        probability.truncate(last);
        let boxes = self.boxes.into_iter().collect();
        Statistics { probability, boxes, upper_bonus: self.upper_bonus, extras }
    }

    fn play_turn(&mut self, progress: Progress<'_>) {
        let (game, table, space) = (self.game, self.table, self.game.space());
        let groups = space.layer(self.turns - self.turn - 1);
        let first = space.states_of(&space.groups()[groups.start]).start;
        let end = space.states_of(&space.groups()[groups.end - 1]).end;
        let mut next: Vec<Mass> = vec![Vec::new(); end - first];
        let mut all = Seen::new(game);
        // A batch at a time: turns are played in parallel, what they lead to is added in the order of the
        // states, so that the sums are the same to the last bit with any number of threads.
        for batch in self.reached.chunks(BLOCKS * BLOCK) {
            // Whoever watches may want to stop it here.
            progress(self.turn, self.turns);
            let played: Vec<(Seen, Vec<Push>)> = batch
                .par_chunks(BLOCK)
                .map_init(
                    || Track::new(game),
                    |track, block| {
                        let (mut seen, mut pushes) = (Seen::new(game), Vec::new());
                        for (state, mass) in block {
                            play(game, table, *state, mass, track, &mut seen, &mut pushes);
                        }
                        (seen, pushes)
                    },
                )
                .collect();
            for (seen, pushes) in played {
                all = join(all, seen);
                for Push { to, extras, points, lanes } in pushes {
                    add(&mut next[to - first], table.window(to).len(), extras, points, &lanes.0);
                }
            }
        }
        self.note(all);
        self.reached = (first..end).zip(next).filter(|(_, mass)| !mass.is_empty()).collect();
    }
}

/// How many states one thread plays before their results are added, and how many such blocks are in
/// flight: a state with a thousand lanes has up to a megabyte of results.
const BLOCK: usize = 8;
const BLOCKS: usize = 32;

/// What an entry leads to.
struct Push {
    to: usize,
    extras: usize,
    /// Past the fewest points of that state.
    points: usize,
    lanes: Row64,
}

fn grow(cells: &mut Vec<f64>, place: usize, more: f64) {
    if more > 0.0 {
        if cells.len() <= place {
            cells.resize(place + 1, 0.0);
        }
        cells[place] += more;
    }
}

fn add(mass: &mut Mass, len: usize, extras: usize, points: usize, lanes: &[f64]) {
    while mass.len() <= extras {
        mass.push(Vec::new());
    }
    let row = &mut mass[extras];
    if row.is_empty() {
        row.resize(len, 0.0);
    }
    for (cell, more) in row[points..].iter_mut().zip(lanes) {
        *cell += more;
    }
}

fn join(mut a: Seen, b: Seen) -> Seen {
    for (to, from) in a.rolls.iter_mut().flatten().zip(b.rolls.iter().flatten()) {
        *to += from;
    }
    for (to, from) in a.points.iter_mut().zip(b.points) {
        for (points, p) in from {
            *to.entry(points).or_default() += p;
        }
    }
    a.upper_bonus += b.upper_bonus;
    a
}

/// One turn from one state, for all points so far.
fn play(
    game: &Game,
    table: &UtilityTable,
    state: usize,
    mass: &Mass,
    track: &mut Track,
    seen: &mut Seen,
    pushes: &mut Vec<Push>,
) {
    let group = game.space().group_of(state);
    let class = state - group.first();
    let next = NextGroups::new(game, group);
    let least = usize::from(table.window(state).least);
    track.start(game, group.filled);
    for (extras, points) in mass.iter().enumerate() {
        for (block, start) in points.chunks(W).zip((least..).step_by(W)) {
            if block.iter().all(|p| *p == 0.0) {
                continue;
            }
            let mut lanes = Row([0.0; W]);
            lanes.0[..block.len()].copy_from_slice(block);
            let Seen { rolls, points, upper_bonus } = seen;
            track.follow(
                game,
                Equal::Digits,
                &lanes,
                |entry| {
                    let (to, paid) = next.state(game, group, class, entry);
                    table.load(to, start + usize::from(paid))
                },
                |roll, entry, p| rolls[entry.into.place()][roll] += p,
                |entry, lanes| {
                    let (to, paid) = next.state(game, group, class, entry);
                    let p: f64 = lanes.0.iter().sum();
                    *points[entry.into.place()].entry(entry.points).or_default() += p;
                    *upper_bonus += if paid > entry.points + entry.extra { p } else { 0.0 };
                    let past = start + usize::from(paid) - usize::from(table.window(to).least);
                    let extras = extras + usize::from(entry.extra > 0);
                    pushes.push(Push { to, extras, points: past, lanes: *lanes });
                },
            );
        }
    }
}
