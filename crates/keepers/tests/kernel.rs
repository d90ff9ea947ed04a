//! The turn kernel: the chance step, the choice step and the fold that consists of them; and the solver on top of it,
//! whose tables must depend only on the rules.

use keepers::internals::turn::{Number, Row, Row32, Row64, Rows, Turn};
use keepers::internals::{Lattice, Work, solve};
use keepers::{Game, Rules};
use proptest::prelude::*;

/// A turn, and rows for the values of its keeps.
struct Kernel {
    lattice: Lattice,
    turn: Turn,
}

impl Kernel {
    fn new((dice, faces, rolls): (u8, u8, u8)) -> Kernel {
        let lattice = Lattice::new(dice, faces);
        Kernel { turn: Turn::new(&lattice, rolls), lattice }
    }

    /// Rows in which every keep has a value, even those that a turn overwrites.
    fn rows<T: Number, const W: usize>(&self, value: impl Fn(usize, usize) -> T) -> Rows<T, W> {
        let mut rows = Rows::new();
        for keep in 0..self.lattice.keeps().len() {
            *rows.get_mut(keep as u16) = Row(std::array::from_fn(|lane| value(keep, lane)));
        }
        rows
    }

    fn all<T: Number, const W: usize>(&self, rows: &Rows<T, W>) -> Vec<Row<T, W>> {
        (0..self.lattice.keeps().len()).map(|keep| *rows.get(keep as u16)).collect()
    }

    fn place(&self, dice: &[u8]) -> usize {
        let text: String = dice.iter().map(u8::to_string).collect();
        self.lattice.index_of(&text.parse().expect("these are dice"))
    }

    fn fold(&self, values: &[f64]) -> f64 {
        let Row([value]) = self.turn.fold(&mut self.rows(|keep, _| values[keep]));
        value
    }
}

/// Two to six dice of two to six faces, one to four rolls.
fn turns() -> impl Strategy<Value = (u8, u8, u8)> {
    (2u8..=6, 2u8..=6, 1u8..=4)
}

/// A value for each keep of any lattice.
fn values() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-100.0..500.0, 924)
}

fn settings(cases: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}

#[test]
fn a_turn_of_ones_has_exactly_the_value_one() {
    for dice in 2..=6 {
        for faces in 2..=6 {
            for rolls in 1..=4 {
                let kernel = Kernel::new((dice, faces, rolls));
                let of = format!("{dice} dice of {faces} faces, {rolls} rolls");
                // Only the rolls hold ones, because old values of the other keeps must not matter.
                let is_roll = |keep| kernel.lattice.rolls().contains(&keep);
                let single = |keep, _| if is_roll(keep) { 1.0f32 } else { f32::NAN };
                let double = |keep, _| if is_roll(keep) { 1.0f64 } else { f64::NAN };
                assert_eq!(kernel.turn.fold(&mut kernel.rows(single)), Row32::of(1.0), "{of}, f32");
                assert_eq!(kernel.turn.fold(&mut kernel.rows(double)), Row64::of(1.0), "{of}, f64");
            }
        }
    }
}

proptest! {
    #![proptest_config(settings(48))]

    #[test]
    fn chance_is_linear(turn in turns(), a in values(), b in values(), factor in -3.0..3.0f64) {
        let kernel = Kernel::new(turn);
        let after = |value: &dyn Fn(usize) -> f64| {
            let mut rows: Rows<f64, 1> = kernel.rows(|keep, _| value(keep));
            kernel.turn.chance(&mut rows);
            kernel.all(&rows)
        };
        let (of_a, of_b) = (after(&|keep| a[keep]), after(&|keep| b[keep]));
        for (k, Row([mixed])) in after(&|keep| factor * a[keep] + b[keep]).into_iter().enumerate() {
            let wanted = factor * of_a[k].0[0] + of_b[k].0[0];
            prop_assert!((mixed - wanted).abs() < 1e-10, "keep {k}: {mixed}, not {wanted}");
        }
    }

    #[test]
    fn chance_is_the_mean_over_the_next_die(turn in turns(), a in values()) {
        let kernel = Kernel::new(turn);
        let mut rows: Rows<f64, 1> = kernel.rows(|keep, _| a[keep]);
        kernel.turn.chance(&mut rows);
        let value = |keep: usize| rows.get(keep as u16).0[0];
        for (k, keep) in kernel.lattice.keeps().iter().enumerate() {
            if kernel.lattice.rolls().contains(&k) {
                prop_assert_eq!(value(k), a[k], "a roll has no die left to come");
                continue;
            }
            let next = keepers::Face::all(turn.1).map(|face| value(kernel.lattice.index_of(&keep.with(face))));
            let mean = next.sum::<f64>() / f64::from(turn.1);
            prop_assert!((value(k) - mean).abs() < 1e-10);
        }
    }

    #[test]
    fn choice_finds_the_best_keep_within_and_never_lowers(turn in turns(), a in values()) {
        let kernel = Kernel::new(turn);
        let mut rows: Rows<f64, 1> = kernel.rows(|keep, _| a[keep]);
        kernel.turn.choice(&mut rows);
        let keeps = kernel.lattice.keeps();
        for (k, keep) in keeps.iter().enumerate() {
            let within = (0..keeps.len()).filter(|&smaller| keeps[smaller].is_within(keep));
            let best = within.map(|smaller| a[smaller]).fold(f64::NEG_INFINITY, f64::max);
            prop_assert_eq!(rows.get(k as u16).0[0], best, "{}", keep);
            prop_assert!(best >= a[k]);
        }
    }

    #[test]
    fn a_turn_is_worth_no_less_when_some_rolls_are_worth_more(
        turn in turns(), a in values(), more in prop::collection::vec(prop_oneof![Just(0.0), 0.0..50.0], 924),
    ) {
        let kernel = Kernel::new(turn);
        let raised: Vec<f64> = a.iter().zip(&more).map(|(a, more)| a + more).collect();
        // Rounding is monotone too, so the comparison needs no tolerance.
        prop_assert!(kernel.fold(&raised) >= kernel.fold(&a));
        let highest = raised[kernel.lattice.rolls()].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        prop_assert!(kernel.fold(&raised) <= highest + 1e-10);
    }

    #[test]
    fn points_paid_for_sure_are_added_to_the_value_of_a_turn(
        turn in turns(), a in values(), sure in -200.0..200.0f64,
    ) {
        let kernel = Kernel::new(turn);
        let with: Vec<f64> = a.iter().map(|a| a + sure).collect();
        prop_assert!((kernel.fold(&with) - (kernel.fold(&a) + sure)).abs() < 1e-10);
    }

    #[test]
    fn another_roll_never_hurts((dice, faces, rolls) in turns(), a in values()) {
        let [fewer, more] = [rolls, rolls + 1].map(|rolls| Kernel::new((dice, faces, rolls)).fold(&a));
        prop_assert!(more >= fewer - 1e-10, "{fewer} with {rolls} rolls, {more} with one more");
    }

    #[test]
    fn lanes_do_not_touch_each_other(turn in turns(), a in values()) {
        let kernel = Kernel::new(turn);
        let lane_value = |keep: usize, lane: usize| a[(keep + 37 * lane) % a.len()];
        let Row(together) = kernel.turn.fold(&mut kernel.rows::<f64, 8>(lane_value));
        for (lane, value) in together.iter().enumerate() {
            let Row([alone]) = kernel.turn.fold(&mut kernel.rows::<f64, 1>(|keep, _| lane_value(keep, lane)));
            prop_assert_eq!(value.to_bits(), alone.to_bits());
        }
    }

    #[test]
    fn single_precision_follows_double(turn in turns(), a in values()) {
        let kernel = Kernel::new(turn);
        let single = kernel.turn.fold(&mut kernel.rows::<f32, 16>(|keep, _| a[keep] as f32));
        let double = kernel.fold(&a);
        for value in single.0 {
            prop_assert!((f64::from(value) - double).abs() < 500.0 * 2e-6, "{value}, not {double}");
        }
    }

    #[test]
    fn a_turn_is_worth_what_trying_all_dice_in_order_says(
        dice in 2u8..=3, faces in 2u8..=6, rolls in 1u8..=4, a in values(),
    ) {
        let kernel = Kernel::new((dice, faces, rolls));
        let wanted = turn_by_force(dice, faces, rolls, &|tuple| a[kernel.place(tuple)]);
        prop_assert!((kernel.fold(&a) - wanted).abs() < 1e-10);
    }
}

#[test]
fn the_first_roll_is_the_mean_over_all_dice_in_order() {
    for dice in 2..=6 {
        for faces in 2..=6 {
            let kernel = Kernel::new((dice, faces, 1));
            let value = |keep: usize| ((keep * keep) % 97) as f64;
            let all: Vec<f64> = (0..kernel.lattice.keeps().len()).map(value).collect();
            let wanted = turn_by_force(dice, faces, 1, &|tuple| value(kernel.place(tuple)));
            assert!((kernel.fold(&all) - wanted).abs() < 1e-10, "{dice} dice of {faces} faces");
        }
    }
}

/// The value of a turn with ordered dice: any of them may be kept, and the others are rolled.
fn turn_by_force(dice: u8, faces: u8, rolls: u8, final_value: &dyn Fn(&[u8]) -> f64) -> f64 {
    let tuples: Vec<Vec<u8>> = (0..dice).fold(vec![vec![]], |shorter, _| {
        let longer = |t: &Vec<u8>| (1..=faces).map(|face| [&t[..], &[face]].concat()).collect::<Vec<_>>();
        shorter.iter().flat_map(longer).collect()
    });
    // The tuples are sorted, with the first die as the highest digit.
    let place = |tuple: &[u8]| tuple.iter().fold(0, |at, &die| at * faces as usize + die as usize - 1);
    let mean_of = |value: &[f64], kept: usize, lying: &[u8]| {
        let after = |fresh: &Vec<u8>| -> Vec<u8> {
            (0..dice as usize).map(|i| if kept >> i & 1 == 1 { lying[i] } else { fresh[i] }).collect()
        };
        tuples.iter().map(|fresh| value[place(&after(fresh))]).sum::<f64>() / tuples.len() as f64
    };
    let mut value: Vec<f64> = tuples.iter().map(|tuple| final_value(tuple)).collect();
    for _ in 1..rolls {
        let best = |lying: &Vec<u8>| {
            (0..1 << dice).map(|kept| mean_of(&value, kept, lying)).fold(f64::NEG_INFINITY, f64::max)
        };
        value = tuples.iter().map(best).collect();
    }
    value.iter().sum::<f64>() / value.len() as f64
}

fn bits(table: &[f64]) -> Vec<u64> {
    table.iter().map(|value| value.to_bits()).collect()
}

/// Games whose groups of states fill a block of lanes, exceed it, or leave it almost empty.
fn games() -> Vec<Game> {
    let small = "dice = 2\nfaces = 3\nrolls = 2\n[[box]]\nid = \"1\"\npattern = \"face\"\nface = 1\n\
                 [[box]]\nid = \"ch\"\npattern = \"chance\"\n";
    let mut rules: Vec<Rules> = ["yahtzee", "yacht"].map(|name| Rules::preset(name).unwrap()).to_vec();
    rules.push(Rules::from_toml(small).unwrap());
    rules.into_iter().map(Game::new).collect()
}

#[test]
fn a_table_does_not_depend_on_its_contents_before_the_solve() {
    for game in games() {
        let fresh = solve::expected_scores(&game, &Work::silent()).unwrap();
        assert!(fresh.iter().all(|value| value.is_finite()));
        for poison in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e6] {
            let mut table = vec![poison; fresh.len()];
            solve::expected_scores_into(&game, &mut table, &Work::silent()).unwrap();
            assert!(bits(&table) == bits(&fresh), "{} after {poison}", game.rules().name());
        }
    }
}

#[test]
fn a_table_does_not_depend_on_the_number_of_threads() {
    for game in games() {
        let with_threads = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| solve::expected_scores(&game, &Work::silent()).unwrap())
        };
        let alone = with_threads(1);
        for threads in [2, 3, 8] {
            assert!(
                bits(&with_threads(threads)) == bits(&alone),
                "{}, {threads} threads",
                game.rules().name()
            );
        }
    }
}
