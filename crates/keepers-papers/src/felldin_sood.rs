//! Felldin and Sood (2012): a one-turn heuristic.

use keepers::answers::BoxSet;
use keepers::internals::Work;
use keepers::internals::players::FelldinSood;
use keepers::internals::players::felldin_sood::{Ingredients, Range, probability_of};
use keepers::internals::simulate::simulate;
use keepers::{Game, Sample, Standing};
use keepers_plot::{Axis, Chart, Ink, Picture, Series};

use crate::decisions::{Losses, losses};
use crate::document::Item;
use crate::draw::{cell, provenance};
use crate::run::Run;

pub const ITEMS: &[Item] = &[
    Item { id: "table-1", quick: true, run: table_1 },
    Item { id: "figure-2", quick: true, run: figure_2 },
    Item { id: "appendix-a", quick: true, run: appendix_a },
    Item { id: "appendix-b", quick: true, run: appendix_b },
    Item { id: "variants", quick: false, run: variants },
    Item { id: "decisions", quick: false, run: decisions },
];

const RULES: &str = "classic";
const SEED: u64 = 2012;

fn played(run: &mut Run<'_>, game: &Game, with: Ingredients, games: u64) -> anyhow::Result<Sample> {
    run.played(games, SEED);
    let player = FelldinSood::with(game, with);
    let work = Work::new(run.observer, "playing games of the heuristic");
    Ok(simulate(game, &player, &Standing::default(), games, SEED, &work)?)
}

/// Tables 1 and 2: a million games.
fn table_1(run: &mut Run<'_>) -> anyhow::Result<()> {
    let game = run.game(RULES)?;
    let games = run.full_or_quick(1_000_000, 200_000);
    let sample = played(run, &game, Ingredients::default(), games)?;
    run.estimate("mean", sample.mean(), sample.error());
    run.estimate("deviation", sample.deviation(), sample.deviation() / (2.0 * games as f64).sqrt());
    for (id, rule) in game.rules().boxes().iter() {
        let (mean, deviation) = sample.boxes[id].mean_and_deviation();
        run.estimate(&rule.id, mean, sample.error_of(deviation));
    }
    let bonus = game.rules().upper_bonus().map_or(0.0, |bonus| f64::from(bonus.points));
    let share = sample.upper_bonus as f64 / games as f64;
    run.estimate("bonus", bonus * share, bonus * sample.error_of_share(sample.upper_bonus));
    if !run.quick {
        run.exact("least", sample.least() as f64);
        run.exact("median", sample.percentile(0.5) as f64);
        run.exact("most", sample.most() as f64);
    }
    Ok(())
}

/// Figure 2: the shares of intervals of twenty points.
fn figure_2(run: &mut Run<'_>) -> anyhow::Result<()> {
    let game = run.game(RULES)?;
    let games = run.full_or_quick(1_000_000, 200_000);
    let sample = played(run, &game, Ingredients::default(), games)?;
    let shares = sample.frequencies();
    let share = |from: usize, to: usize| 100.0 * shares.iter().take(to + 1).skip(from).sum::<f64>();
    let error = |percent: f64| (percent * (100.0 - percent) / games as f64).sqrt();
    let mut figure = |id: &str, from, to| run.estimate(id, share(from, to), error(share(from, to)));
    figure("at-least-200", 200, 400);
    figure("180-to-279", 180, 279);
    figure("up-to-119", 0, 119);
    let bars: Vec<(usize, f64)> = (60..360).step_by(20).map(|from| (from, share(from, from + 19))).collect();
    let rows: Vec<Vec<String>> = bars
        .iter()
        .map(|(from, p)| vec![format!("{from}-{}", from + 19), cell(*p), cell(share(0, from + 19))])
        .collect();
    run.csv("figure-2", &["scores", "percent", "cumulative percent"], &rows)?;
    let x = || Axis::linear("score").from(60.0).to(360.0);
    let steps = bars.iter().map(|(from, p)| (*from as f64 + 10.0, p / 100.0));
    let total = bars.iter().map(|(from, _)| (*from as f64 + 20.0, share(0, from + 19) / 100.0));
    let picture = Picture::new("Figure 2: the scores of the heuristic")
        .description("The share of games in each interval of twenty points, and up to it.")
        .provenance(provenance(RULES, &format!("{games} games, seed {SEED}")))
        .columns(2)
        .panel(
            Chart::new(x(), Axis::linear("share of games").percent().from(0.0))
                .title("Per interval of twenty points")
                .series(Series::line("", steps).ink(Ink::Series(0)).dotted().filled())
                .size(440.0, 300.0),
        )
        .panel(
            Chart::new(x(), Axis::linear("share of games").percent().from(0.0).to(1.0))
                .title("Cumulative")
                .series(Series::line("", total).ink(Ink::Series(1)).dotted())
                .size(440.0, 300.0),
        );
    run.picture("figure-2", &picture)
}

/// Appendix A: the seven patterns of five dice, and equations 3 and 4.
fn appendix_a(run: &mut Run<'_>) -> anyhow::Result<()> {
    let game = run.game(RULES)?;
    let lattice = game.lattice();
    for (id, sizes) in [
        ("aaaaa", &[5][..]),
        ("aaaab", &[4, 1]),
        ("aaabb", &[3, 2]),
        ("aaabc", &[3, 1, 1]),
        ("aabbc", &[2, 2, 1]),
        ("aabcd", &[2, 1, 1, 1]),
        ("abcde", &[1, 1, 1, 1, 1]),
    ] {
        let is_pattern = |roll: &&keepers::Keep| {
            let mut counts: Vec<u8> =
                keepers::Face::all(6).map(|face| roll.count(face)).filter(|count| *count > 0).collect();
            counts.sort_by(|a, b| b.cmp(a));
            counts == sizes
        };
        let ways: u32 =
            lattice.keeps()[lattice.rolls()].iter().filter(is_pattern).map(|roll| roll.orders()).sum();
        run.exact(id, f64::from(ways));
    }
    for (table, rerolls) in [("p1", 1), ("p2", 2)] {
        for from in 1..=5 {
            for to in from..=5 {
                run.exact(format!("{table}-{from}-{to}"), probability_of(5, from, to, 1.0 / 6.0, rerolls));
            }
        }
    }
    run.exact("vertices", 6_f64.powi(5) * 7_f64.powi(5) * 7_f64.powi(5));
    Ok(())
}

/// The printed boxes of tables 1 to 8 of appendix B, and their printed totals.
const APPENDIX_B: [([f64; 14], f64); 8] = [
    (
        [
            1.192, 4.62698, 8.03166, 11.72856, 15.17005, 18.8772, 14.1827, 21.43568, 5.09466, 28.7664,
            28.0452, 15.698, 14.632, 22.06977,
        ],
        209.55086,
    ),
    (
        [
            1.18364, 4.62188, 7.80996, 11.33776, 14.313, 17.54634, 10.4853, 21.96368, 14.64658, 29.0274,
            29.3592, 15.5805, 16.15575, 22.2666,
        ],
        216.29759,
    ),
    (
        [
            1.18551, 4.61752, 7.80747, 11.33144, 14.3159, 17.54322, 10.3852, 21.98945, 14.6449, 29.0139,
            29.5152, 15.6325, 16.0795, 22.28037,
        ],
        216.34208,
    ),
    (
        [
            1.4274, 4.2728, 8.2089, 11.4224, 14.509, 17.6628, 11.445, 22.2307, 14.9582, 29.064, 29.448,
            16.22, 16.28, 21.9473,
        ],
        219.0965,
    ),
    (
        [
            1.43044, 4.29866, 8.1336, 11.48564, 14.48965, 17.74722, 11.59305, 22.22842, 14.94804, 29.0688,
            29.7372, 15.96, 16.42175, 21.91043,
        ],
        219.4529,
    ),
    (
        [
            1.27755, 4.01566, 7.75026, 11.15588, 14.2591, 17.78934, 10.2102, 22.60264, 16.62778, 29.085,
            31.8656, 16.983, 15.93375, 22.02806,
        ],
        221.58382,
    ),
    (
        [
            1.277186, 4.005758, 7.74822, 11.177524, 14.23326, 17.765148, 10.16288, 22.600491, 16.638983,
            29.06226, 31.68448, 17.04175, 16.19965, 22.031328,
        ],
        221.628918,
    ),
    (
        [
            1.277551, 4.00933, 7.742268, 11.17878, 14.24434, 17.762082, 10.159975, 22.59869, 16.636411,
            29.06337, 31.71348, 17.0288, 16.230025, 22.033958,
        ],
        221.67906,
    ),
];

/// Appendix B: whether the boxes of each table add up to its total, and how far two runs of a million games differ.
fn appendix_b(run: &mut Run<'_>) -> anyhow::Result<()> {
    for (nth, (boxes, _)) in (1..).zip(&APPENDIX_B) {
        run.exact(format!("total-{nth}"), boxes.iter().sum());
    }
    let difference = APPENDIX_B[7].1 - APPENDIX_B[6].1;
    run.exact("spread-of-two", difference);
    run.claim("at-most-0-03", difference <= 0.03);
    // The largest difference among ten means of a million games has the mean 3.078 standard errors (Tippett).
    let game = run.game(RULES)?;
    let games = run.full_or_quick(1_000_000, 200_000);
    let deviation = played(run, &game, Ingredients::default(), games)?.deviation();
    let of_ten = 3.0775 / 1000.0;
    run.estimate(
        "expected-spread-of-ten",
        of_ten * deviation,
        of_ten * deviation / (2.0 * games as f64).sqrt(),
    );
    Ok(())
}

/// The variants of the heuristic: the effect of each part, and other readings of the text.
fn variants(run: &mut Run<'_>) -> anyhow::Result<()> {
    let game = run.game(RULES)?;
    let whole = Ingredients::default();
    let full_house = game.rules().box_by_id("fh").map_or(BoxSet::NONE, |fh| BoxSet::NONE.with(fh));
    let games = run.full_or_quick(1_000_000, 50_000);
    let mut rows = Vec::new();
    for (id, with) in [
        ("whole", whole),
        ("full-house-left-to-luck", Ingredients { left_to_luck: full_house, ..whole }),
        ("without-equation-4", Ingredients { both_rerolls: false, ..whole }),
        ("without-mutual-benefit", Ingredients { mutual_benefit: false, ..whole }),
        ("whole-expected-points", Ingredients { gain: false, ..whole }),
        ("neither", Ingredients { gain: false, mutual_benefit: false, ..whole }),
        ("without-bonus", Ingredients { bonus: false, ..whole }),
        ("without-range", Ingredients { range: Range::Ignored, ..whole }),
        ("share-of-range", Ingredients { range: Range::Share, ..whole }),
        ("share-then-points", Ingredients { range: Range::ShareThenPoints, ..whole }),
    ] {
        let sample = played(run, &game, with, games)?;
        run.estimate(id, sample.mean(), sample.error());
        let mut row = vec![id.to_string(), cell(sample.mean()), cell(sample.error())];
        row.extend(sample.boxes.values().iter().map(|of| cell(of.mean_and_deviation().0)));
        rows.push(row);
    }
    let mut headings = vec!["variant", "mean", "standard error"];
    headings.extend(game.rules().boxes().values().iter().map(|rule| rule.id.as_str()));
    run.csv("variants", &headings, &rows)
}

/// How often the heuristic makes a best decision, and where its points are lost.
fn decisions(run: &mut Run<'_>) -> anyhow::Result<()> {
    const PARTS: u64 = 20;
    const GAMES: u64 = 250;
    let game = run.game(RULES)?;
    let table = run.engine().expected_table(&game)?;
    let player = FelldinSood::new(&game);
    let parts: Vec<Losses> =
        run.parts(PARTS, |_, nth| losses(&table, &player, nth * GAMES..(nth + 1) * GAMES, SEED))?;
    let mut all = Losses::default();
    parts.iter().for_each(|part| all.add(part));
    run.played(all.games, SEED);
    let games = all.games as f64;
    let turns = games * game.space().boxes() as f64;
    let (lost, error) = all.per_game();
    run.estimate("lost", lost, error);
    for (nth, id) in ["first-keep", "second-keep", "box"].iter().enumerate() {
        run.exact(format!("agrees-{id}"), 100.0 * (1.0 - all.not_best[nth] / turns));
        run.exact(format!("lost-{id}"), all.loss[nth] / games);
    }
    for (rule, loss) in game.rules().boxes().values().iter().zip(&all.boxes) {
        run.exact(format!("into-{}", rule.id), loss / games);
    }
    Ok(())
}
