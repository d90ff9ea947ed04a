//! AVX-512, AVX2 and the baseline give the same bits.
//!
//! The library compiles its numeric loops once per instruction set and calls the best version that the processor can
//! run; a caller cannot choose another. But the loops of a turn are inlined functions, so these tests compile them for
//! each set as well, and compare the results with each other and with those of the library. That covers the value of a
//! turn, the best entries of its rolls, tables, and the means in a plan. Compiled turns, the forward pass and the
//! evaluation of two reach curves are private to the library and not covered.
//!
//! A release build vectorises all of these loops, a test build only some.

#[allow(dead_code, reason = "only a part is needed here")]
mod play;

use std::fmt::Debug;
use std::sync::LazyLock;

use keepers::internals::plan::{Planner, TieTolerance};
use keepers::internals::solve::{Curve, EntryValues, Workspace, turn_value};
use keepers::internals::turn::{Number, Row, Rows, Turn};
use keepers::internals::{Work, solve};
use keepers::{Card, Entry, Game, Keep, Rules};
use play::{RandomStream, anything, play};

/// An instruction set that the library is compiled for. All values come from [`SETS`].
#[derive(Clone, Copy, Debug, PartialEq)]
enum InstructionSet {
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// The sets that this processor has.
static SETS: LazyLock<Vec<InstructionSet>> = LazyLock::new(|| {
    let mut sets = vec![InstructionSet::Baseline];
    #[cfg(target_arch = "x86_64")]
    {
        let has_avx2 = is_x86_feature_detected!("avx")
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        let has_avx512 = has_avx2
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        sets.extend(has_avx2.then_some(InstructionSet::Avx2));
        sets.extend(has_avx512.then_some(InstructionSet::Avx512));
    }
    println!("compared: {sets:?}");
    sets
});

/// The loops of a turn, compiled for an instruction set.
#[cfg(target_arch = "x86_64")]
macro_rules! compiled_for {
    ($set:ident, $features:literal) => {
        mod $set {
            use keepers::internals::turn::{Number, Row, Rows, Turn};

            #[target_feature(enable = $features)]
            pub fn fold<T: Number, const W: usize>(turn: &Turn, rows: &mut Rows<T, W>) -> Row<T, W> {
                turn.fold(rows)
            }

            #[target_feature(enable = $features)]
            pub fn chance<T: Number, const W: usize>(turn: &Turn, rows: &mut Rows<T, W>) {
                turn.chance(rows);
            }
        }
    };
}

// The features that the library names. `multiversion` adds other AVX-512 extensions of Ice Lake to the second list.
#[cfg(target_arch = "x86_64")]
compiled_for!(avx2, "avx,avx2,bmi1,bmi2,popcnt");
#[cfg(target_arch = "x86_64")]
compiled_for!(avx512, "avx,avx2,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl");

impl InstructionSet {
    fn fold<T: Number, const W: usize>(self, turn: &Turn, rows: &mut Rows<T, W>) -> Row<T, W> {
        match self {
            InstructionSet::Baseline => turn.fold(rows),
            // SAFETY: `SETS` has this set only if the processor has all its features.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => unsafe { avx2::fold(turn, rows) },
            // SAFETY: `SETS` has this set only if the processor has all its features.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => unsafe { avx512::fold(turn, rows) },
        }
    }

    fn chance<T: Number, const W: usize>(self, turn: &Turn, rows: &mut Rows<T, W>) {
        match self {
            InstructionSet::Baseline => turn.chance(rows),
            // SAFETY: `SETS` has this set only if the processor has all its features.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => unsafe { avx2::chance(turn, rows) },
            // SAFETY: `SETS` has this set only if the processor has all its features.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => unsafe { avx512::chance(turn, rows) },
        }
    }
}

/// A number whose bits can be compared.
trait Bits: Number + Debug {
    fn bits(self) -> u64;
    fn near(value: f64) -> Self;
}

impl Bits for f32 {
    fn bits(self) -> u64 {
        self.to_bits().into()
    }

    fn near(value: f64) -> f32 {
        value as f32
    }
}

impl Bits for f64 {
    fn bits(self) -> u64 {
        self.to_bits()
    }

    fn near(value: f64) -> f64 {
        value
    }
}

fn bits<T: Bits, const W: usize>(row: &Row<T, W>) -> [u64; W] {
    row.0.map(Bits::bits)
}

/// The presets of five and six dice, and a toy whose dice have two faces.
fn games() -> Vec<Game> {
    let mut games: Vec<Game> =
        ["yahtzee", "yatzy", "maxi-yatzy"].map(|name| Game::new(Rules::preset(name).unwrap())).into();
    games.push(toy());
    games
}

fn toy() -> Game {
    let toy = "dice = 4\nfaces = 2\nrolls = 3\nupper_bonus = { threshold = 5, points = 3 }\nbox = [\n\
               { id = \"1\", pattern = \"face\", face = 1 }, { id = \"2\", pattern = \"face\", face = 2 },\n\
               { id = \"3k\", pattern = \"sets\", of = [3], pays = \"matching\" },\n\
               { id = \"ch\", pattern = \"chance\" }]\n";
    Game::new(Rules::from_toml(toy).unwrap())
}

/// Kinds of random values: points, probabilities of any size, subnormal numbers, and values with many ties.
const RANDOM: [fn(&mut RandomStream) -> f64; 4] = [
    |chance| 500.0 * fraction(chance) - 20.0,
    |chance| fraction(chance) * 10f64.powi(-(chance.below(30) as i32)),
    |chance| fraction(chance) * chance.one(&[1e-36, 1e-40, 1e-306, 1e-310]),
    |chance| chance.one(&[0.0, -0.0, 1.0 / 3.0, 1.0, -1.0, f64::MIN_POSITIVE]),
];

/// A random number from 0 to 1.
fn fraction(chance: &mut RandomStream) -> f64 {
    (chance.next() >> 11) as f64 / (1u64 << 53) as f64
}

/// A card in the middle of a random game.
fn random_card(game: &Game, chance: &mut RandomStream) -> Card {
    loop {
        let rolls = chance.below(3 * game.space().boxes());
        let record = play(game, &["Ann"], chance.next(), rolls, &mut anything(game));
        if !record.position().is_over() {
            return record.position().card().clone();
        }
    }
}

fn compare_folds<T: Bits, const W: usize>(
    game: &Game,
    chance: &mut RandomStream,
    random: fn(&mut RandomStream) -> f64,
) {
    let keeps = 0..game.lattice().keeps().len() as u16;
    let start: Vec<Row<T, W>> =
        keeps.clone().map(|_| Row(std::array::from_fn(|_| T::near(random(chance))))).collect();
    let fold = |set: InstructionSet| {
        let mut rows = Rows::new();
        keeps.clone().zip(&start).for_each(|(keep, row)| *rows.get_mut(keep) = *row);
        let value = set.fold(game.turn(), &mut rows);
        // What the fold leaves in the rows is compared too.
        (bits(&value), keeps.clone().map(|keep| bits(rows.get(keep))).collect::<Vec<_>>())
    };
    let baseline = fold(InstructionSet::Baseline);
    for set in SETS.iter().copied() {
        let what = format!("{}, {set:?}, {W} lanes of {}", game.rules().name(), std::any::type_name::<T>());
        assert!(fold(set) == baseline, "{what}");
    }
}

#[test]
fn a_turn_has_the_same_bits_with_every_instruction_set() {
    let mut chance = RandomStream(1);
    for game in games() {
        for random in RANDOM.into_iter().cycle().take(20) {
            compare_folds::<f32, 16>(&game, &mut chance, random);
            compare_folds::<f32, 8>(&game, &mut chance, random);
            compare_folds::<f64, 8>(&game, &mut chance, random);
            compare_folds::<f64, 16>(&game, &mut chance, random);
        }
    }
}

/// The value of every entry for a block of lanes, drawn at random.
struct RandomEntries<T, const W: usize> {
    by_box: Vec<Row<T, W>>,
    /// Whether more points in the same box are never worse.
    more_is_better: bool,
}

impl<T: Bits, const W: usize> EntryValues<T, W> for RandomEntries<T, W> {
    #[inline(always)]
    fn after(&self, _: usize, entry: Entry) -> Row<T, W> {
        let points = entry.points + entry.extra;
        let points = if self.more_is_better { points } else { points % 41 * 29 % 41 };
        self.by_box[entry.into.index()].plus(&Row::of(T::from(f32::from(points))))
    }
}

/// Enters every final roll into its best box, one entry after the other.
fn best_entries<T: Bits, const W: usize>(
    game: &Game,
    card: &Card,
    value: impl Fn(&Keep, Entry) -> Row<T, W>,
) -> Rows<T, W> {
    let mut rows = Rows::new();
    for roll in game.lattice().rolls() {
        let dice = &game.lattice().keeps()[roll];
        let values = card.entries(dice).into_iter().map(|entry| value(dice, entry));
        *rows.get_mut(roll as u16) =
            values.reduce(|best, row| best.max(&row)).expect("every roll has an entry");
    }
    rows
}

fn compare_turn_values<T: Bits, const W: usize>(
    game: &Game,
    chance: &mut RandomStream,
    more_is_better: bool,
) {
    let mut bench: Workspace<T, W> = Workspace::new(game);
    for _ in 0..20 {
        let card = random_card(game, chance);
        let row = |_| Row(std::array::from_fn(|_| T::near(300.0 * fraction(chance))));
        let by_box = (0..game.space().boxes()).map(row).collect();
        let entries = RandomEntries { by_box, more_is_better };
        bench.start(game, card.filled(), more_is_better);
        let shipped = turn_value(game, &entries, &mut bench);
        for set in SETS.iter().copied() {
            let mut rows = best_entries(game, &card, |_, entry| entries.after(0, entry));
            let value = set.fold(game.turn(), &mut rows);
            assert_eq!(bits(&value), bits(&shipped), "{}, \"{card}\", {set:?}", game.rules().name());
        }
    }
}

#[test]
fn the_library_values_a_turn_as_every_instruction_set_does() {
    let mut chance = RandomStream(2);
    for game in games() {
        for more_is_better in [true, false] {
            compare_turn_values::<f32, 16>(&game, &mut chance, more_is_better);
            compare_turn_values::<f64, 8>(&game, &mut chance, more_is_better);
        }
    }
}

/// The index of the state of a card.
fn state(game: &Game, card: &Card) -> usize {
    game.space().index(card.filled(), card.upper_total()).expect("a card has a state")
}

/// The value of a card is that of its turn to the last bit, whichever instruction set computes the turn.
#[test]
fn expected_scores_have_the_same_bits_with_every_instruction_set() {
    let mut chance = RandomStream(3);
    let presets = ["yahtzee", "yatzy"].map(|name| Game::new(Rules::preset(name).unwrap()));
    for game in presets.into_iter().chain([toy()]) {
        let table = solve::expected_scores(&game, &Work::silent()).unwrap();
        for _ in 0..100 {
            let card = random_card(&game, &mut chance);
            let value = |dice: &Keep, entry: Entry| {
                let next = card.enter(dice, entry.into).expect("the entry is allowed");
                Row::of(f64::from(next.total() - card.total()) + table[state(&game, &next)])
            };
            let shipped: Row<f64, 8> = Row::of(table[state(&game, &card)]);
            for set in SETS.iter().copied() {
                let value = set.fold(game.turn(), &mut best_entries(&game, &card, value));
                assert_eq!(bits(&value), bits(&shipped), "{}, \"{card}\", {set:?}", game.rules().name());
            }
        }
    }
}

/// Reach curves have the property that the previous test checks, in single precision.
#[test]
fn reach_curves_have_the_same_bits_with_every_instruction_set() {
    let mut chance = RandomStream(4);
    for game in [Game::new(Rules::preset("yacht").unwrap()), toy()] {
        let curves = solve::reach_curves(&game, &Work::silent()).unwrap();
        for _ in 0..100 {
            let card = random_card(&game, &mut chance);
            let curve = curves.curve(state(&game, &card));
            let needed = chance.below(usize::from(curve.most()) + 1) as i32;
            let row = |curve: Curve<'_>, needed| {
                Row::<f32, 16>(std::array::from_fn(|lane| curve.at(needed + lane as i32)))
            };
            let value = |dice: &Keep, entry: Entry| {
                let next = card.enter(dice, entry.into).expect("the entry is allowed");
                row(curves.curve(state(&game, &next)), needed - i32::from(next.total() - card.total()))
            };
            for set in SETS.iter().copied() {
                let value = set.fold(game.turn(), &mut best_entries(&game, &card, value));
                let what = format!("{}, \"{card}\", {needed} points, {set:?}", game.rules().name());
                assert_eq!(bits(&value), bits(&row(curve, needed)), "{what}");
            }
        }
    }
}

#[test]
fn plans_have_the_same_bits_with_every_instruction_set() {
    let mut chance = RandomStream(5);
    for game in games() {
        let rolls = game.rules().rolls();
        let mut plans: Planner<8> = Planner::new(&game, rolls);
        for _ in 0..20 {
            let card = random_card(&game, &mut chance);
            let row = |_| Row(std::array::from_fn(|_| 300.0 * fraction(&mut chance)));
            let by_box = (0..game.space().boxes()).map(row).collect();
            let entries = RandomEntries { by_box, more_is_better: false };
            plans.start(&game, card.filled());
            plans.plan(&game, TieTolerance::Points, |entry| entries.after(0, entry));
            for set in SETS.iter().copied() {
                let mut rows = best_entries(&game, &card, |_, entry| entries.after(0, entry));
                for to_come in 1..=rolls {
                    set.chance(game.turn(), &mut rows);
                    for keep in 0..game.lattice().keeps().len() as u16 {
                        let what = format!("{}, {set:?}, keep {keep}, {to_come}", game.rules().name());
                        assert_eq!(bits(rows.get(keep)), bits(plans.keeps(to_come).get(keep)), "{what}");
                    }
                    follow(&game, &mut rows, plans.picks(to_come));
                }
            }
        }
    }
}

/// Gives each roll the value of the keep that is picked for it in each lane.
fn follow<const W: usize>(game: &Game, rows: &mut Rows<f64, W>, picks: &[[u16; W]]) {
    for (roll, picks) in game.lattice().rolls().zip(picks) {
        let picked = std::array::from_fn(|lane| rows.get(picks[lane]).0[lane]);
        *rows.get_mut(roll as u16) = Row(picked);
    }
}
