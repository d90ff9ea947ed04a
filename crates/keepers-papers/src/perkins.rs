//! Perkins (2019): optimal strategies in blind Yahtzee tournaments.

use keepers::answers::{BoxStatistics, Statistics};
use keepers::internals::evaluate::percentile;
use keepers::internals::tournament::best_of;
use keepers::{BoxId, Game, Objective, Pattern, Rules};
use keepers_plot::{Axis, Chart, Ink, Names, Picture, Series};

use crate::document::Item;
use crate::draw::{cell, points, provenance};
use crate::perkins_equilibria::equilibria;
use crate::perkins_tournaments::{mean_and_deviation, ties, tournaments};
use crate::run::Run;

pub const ITEMS: &[Item] = &[
    Item { id: "sizes", quick: true, run: sizes },
    Item { id: "expected-score", quick: true, run: expected_score },
    Item { id: "score-to-beat", quick: true, run: score_to_beat },
    Item { id: "tournaments", quick: false, run: |run| tournaments(run, "buddies-published") },
    Item { id: "tournaments-as-stated", quick: false, run: |run| tournaments(run, "buddies") },
    Item { id: "ties", quick: false, run: ties },
    Item { id: "mean-and-deviation", quick: false, run: mean_and_deviation },
    Item { id: "equilibria", quick: false, run: equilibria },
];

/// The rules that give the printed figures, and those that the paper states.
const BOTH: [&str; 2] = ["buddies-published", "buddies"];

/// The numbers of opponents.
pub(crate) const SIZES: [u32; 5] = [1, 10, 100, 1_000, 10_000];

/// Section 5: the numbers of states.
fn sizes(run: &mut Run<'_>) -> anyhow::Result<()> {
    let game = run.game("buddies")?;
    let rules = game.rules();
    let boxes: Vec<(BoxId, Vec<u16>)> =
        rules.boxes().iter().map(|(id, _)| (id, game.possible_points(id))).collect();
    let counted: u128 = boxes.iter().map(|(_, points)| points.len() as u128 + 1).product();
    run.exact("joint-counted", counted as f64);
    // The printed product: 26 states of Three of a Kind, 27 of Four of a Kind, 28 of Chance.
    let joint = 7_u128.pow(6) * 26 * 27 * 3_u128.pow(4) * 28;
    run.exact("joint", joint as f64);
    run.exact("with-extras", (13 * joint) as f64);
    let rolls = game.lattice().rolls().len() as u128;
    let all = 13 * joint * (1 + 3 * rolls);
    run.exact("all", all as f64);
    run.exact("petabytes", (all * 8) as f64 / 1e15);
    run.exact("used-states", (3 << (boxes.len() - 1)) as f64);
    // The tables: for each set of used boxes, with the Yahtzee box used with or without points, all upper totals, all
    // lower totals with extra bonuses, and all states of the dice.
    let yahtzee = rules.extra().map(|extra| extra.of);
    let extra = rules.extra().map_or(0, |extra| u128::from(extra.points));
    let lattice = game.lattice();
    // The most points of a box, and the most that go to the lower section if extra Yahtzees pay.
    let most = |points: &[u16]| u128::from(points.last().copied().unwrap_or(0));
    let most_with_extra = |id: BoxId| {
        let rule = &rules.boxes()[id];
        let lower = rules.upper_face(id).is_none();
        let paid = |roll: usize| {
            let dice = &lattice.keeps()[roll];
            let points = if lower { u128::from(rule.pattern.points(dice)) } else { 0 };
            points + if dice.all_equal().is_some() { extra } else { 0 }
        };
        lattice.rolls().map(paid).max().unwrap_or(0)
    };
    let (mut entries, mut highest_bottom) = (0_u128, 0);
    for used in 0_u32..1 << boxes.len() {
        let is_used = |id: BoxId| used >> id.index() & 1 == 1;
        for scored in [false, true] {
            if scored && !yahtzee.is_some_and(is_used) {
                continue;
            }
            let (mut top, mut bottom) = (0, 0);
            for (id, points) in boxes.iter().filter(|(id, _)| is_used(*id)) {
                let is_upper = rules.upper_face(*id).is_some();
                top += if is_upper { most(points) } else { 0 };
                bottom += match (scored, Some(*id) == yahtzee) {
                    (true, true) => most(points),
                    (false, true) => 0,
                    (true, false) => most_with_extra(*id),
                    (false, false) => {
                        if is_upper {
                            0
                        } else {
                            most(points)
                        }
                    }
                };
            }
            let dice = if used.count_ones() as usize == boxes.len() { 1 } else { 1 + 3 * rolls };
            entries += (top + 1) * (bottom + 1) * dice;
            highest_bottom = highest_bottom.max(bottom);
        }
    }
    run.exact("entries", entries as f64);
    let upper = rules.boxes().iter().filter(|(id, _)| rules.upper_face(*id).is_some());
    let top: u128 = upper.map(|(id, _)| most(&game.possible_points(id))).sum();
    run.exact("top", top as f64);
    run.exact("highest", f64::from(keepers::internals::solve::max_points(&game, &game.empty_card())));
    let least: u16 = boxes.iter().map(|(_, points)| points.first().copied().unwrap_or(0)).sum();
    run.exact("lowest", f64::from(least));
    run.exact("bottom", highest_bottom as f64);
    Ok(())
}

/// Returns the probabilities of scoring a box well and badly in each turn, judged by other rules.
pub(crate) fn grid(game: &Game, of: &BoxStatistics, id: BoxId, judge: &Rules) -> Vec<[f64; 2]> {
    let rule = &game.rules().boxes()[id];
    let pattern: &Pattern = judge.box_by_id(&rule.id).map_or(&rule.pattern, |id| &judge.boxes()[id].pattern);
    of.well_and_badly(game, pattern)
}

/// The probabilities of a strategy that sections 7 and 8 mention, in percent.
pub(crate) struct Shares {
    pub yahtzee: f64,
    pub yahtzee_turns: Vec<[f64; 2]>,
    pub four_well: f64,
    pub four_badly: f64,
    pub ones_badly: f64,
    pub large_straight_badly: Vec<f64>,
    pub four_turns: Vec<[f64; 2]>,
}

pub(crate) fn shares(game: &Game, statistics: &Statistics, judge: &Rules) -> Shares {
    let of = |id: &str| {
        let id = game.rules().box_by_id(id).expect("a box of the game");
        grid(game, &statistics.boxes[id], id, judge)
    };
    let sum = |turns: &[[f64; 2]], which: usize| 100.0 * turns.iter().map(|turn| turn[which]).sum::<f64>();
    let percent = |turns: Vec<[f64; 2]>| turns.iter().map(|turn| turn.map(|p| 100.0 * p)).collect();
    let (yahtzee, four, ones, straight) = (of("y"), of("4k"), of("1"), of("ls"));
    Shares {
        yahtzee: sum(&yahtzee, 0),
        four_well: sum(&four, 0),
        four_badly: sum(&four, 1),
        ones_badly: sum(&ones, 1),
        large_straight_badly: straight.iter().map(|turn| 100.0 * turn[1]).collect(),
        yahtzee_turns: percent(yahtzee),
        four_turns: percent(four),
    }
}

/// Section 7, and what section 8 reports about the strategy for the expected score.
fn expected_score(run: &mut Run<'_>) -> anyhow::Result<()> {
    let judge = Rules::preset("buddies")?;
    for rules in BOTH {
        let game = run.game(rules)?;
        let (statistics, mean) = run.engine().distribution(&game.empty_card(), &Objective::Expected)?;
        let own = |id: &str| if rules == "buddies" { format!("{id}-as-stated") } else { id.to_string() };
        run.exact(own("mean"), mean);
        run.exact(own("deviation"), statistics.deviation());
        let found = shares(&game, &statistics, &judge);
        run.exact(own("yahtzee"), found.yahtzee);
        run.exact(own("four-sacrificed"), found.four_badly);
        run.exact(own("four-scored"), found.four_well);
        run.exact(own("ones-poor"), found.ones_badly);
        let last = found.yahtzee_turns.len() - 1;
        run.exact(own("yahtzee-last"), found.yahtzee_turns[last][0]);
        run.exact(own("yahtzee-scratched-last"), found.yahtzee_turns[last][1]);
        let first = &found.yahtzee_turns[..5];
        let (least, most) = (first.iter().map(|turn| turn[0]).fold(f64::MAX, f64::min), first[0][0]);
        run.exact(own("yahtzee-first-turn"), most);
        run.exact(own("yahtzee-fifth-turn"), first[4][0]);
        run.claim(own("yahtzee-3-to-4"), (2.5..4.5).contains(&least) && (2.5..4.5).contains(&most));
        run.claim(own("no-early-scratch"), first.iter().all(|turn| turn[1] < 0.5));
    }
    Ok(())
}

/// Figure 2A: the distribution of the highest of N scores, and its median.
fn score_to_beat(run: &mut Run<'_>) -> anyhow::Result<()> {
    for rules in BOTH {
        let game = run.game(rules)?;
        let (statistics, _) = run.engine().distribution(&game.empty_card(), &Objective::Expected)?;
        let own = |id: &str| if rules == "buddies" { format!("{id}-as-stated") } else { id.to_string() };
        let mut chart = Chart::new(
            Axis::linear("score").from(100.0).to(650.0),
            Axis::linear("probability").percent().from(0.0),
        )
        .names(Names::Legend)
        .size(700.0, 340.0)
        .series(Series::line("one player", points(&statistics.probability)).ink(Ink::Neutral).thin());
        let mut rows: Vec<Vec<String>> = (0..statistics.probability.len())
            .map(|s| vec![s.to_string(), cell(statistics.probability[s])])
            .collect();
        for (nth, players) in SIZES.into_iter().enumerate().skip(1) {
            let best = best_of(&statistics.probability, players);
            run.exact(own(&format!("median-{players}")), percentile(&best, 0.5) as f64);
            let name = format!("best of {players}");
            chart = chart.series(Series::line(name, points(&best)).ink(Ink::Series(nth - 1)).thin());
            rows.iter_mut().zip(&best).for_each(|(row, p)| row.push(cell(*p)));
            if players == 10_000 {
                run.exact(own("modes"), modes(&best) as f64);
            }
        }
        if rules == "buddies-published" {
            run.csv(
                "figure-2a",
                &["score", "one", "best of 10", "best of 100", "best of 1000", "best of 10000"],
                &rows,
            )?;
            let picture = Picture::new("Figure 2A: the score to beat")
                .description("The distribution of one score, and of the best of 10 to 10,000.")
                .provenance(provenance(rules, "computed exactly"))
                .panel(chart);
            run.picture("figure-2a", &picture)?;
        }
    }
    Ok(())
}

/// Counts the modes of a distribution: maxima of its smoothed form that stand out by a twentieth of the highest.
fn modes(probability: &[f64]) -> usize {
    const HALF: usize = 4;
    let smooth: Vec<f64> = (0..probability.len())
        .map(|at| {
            let window = &probability[at.saturating_sub(HALF)..(at + HALF + 1).min(probability.len())];
            window.iter().sum::<f64>() / window.len() as f64
        })
        .collect();
    let least = smooth.iter().copied().fold(0.0, f64::max) / 20.0;
    // A mode counts when the curve has fallen by `least` on both sides of it.
    let (mut count, mut low, mut high, mut rising) = (0, 0.0_f64, 0.0_f64, true);
    for value in smooth {
        if rising {
            high = high.max(value);
            if value < high - least {
                count += 1;
                (rising, low) = (false, value);
            }
        } else {
            low = low.min(value);
            if value > low + least {
                (rising, high) = (true, value);
            }
        }
    }
    count
}
