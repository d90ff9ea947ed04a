//! Pawlewicz (2010): a nearly optimal computer player in multi-player Yahtzee.

use keepers::answers::{Experiment, MatchRules};
use keepers::internals::solve::max_points;
use keepers::{Objective, Player};
use keepers_plot::{Axis, Chart, Ink, Names, Picture, Point, Series};
use serde::{Deserialize, Serialize};

use crate::document::Item;
use crate::draw::{cell, points, provenance};
use crate::pawlewicz_readings::readings;
use crate::run::Run;

pub const ITEMS: &[Item] = &[
    Item { id: "states", quick: true, run: states },
    Item { id: "operations", quick: true, run: operations },
    Item { id: "two-player", quick: true, run: two_player },
    Item { id: "figure-3", quick: false, run: figure_3 },
    Item { id: "readings", quick: false, run: readings },
    Item { id: "errors", quick: false, run: errors },
    Item { id: "match", quick: false, run: play },
];

/// The rules of appendix A.
const RULES: &str = "yahtzee-used-joker";

/// The seed of all games: the year.
const SEED: u64 = 2010;

/// Sections 3.1 and 3.2: states, and the best expected score.
fn states(run: &mut Run<'_>) -> anyhow::Result<()> {
    let game = run.game(RULES)?;
    let (rolls, keeps) = (game.lattice().rolls().len(), game.lattice().keeps().len());
    run.exact("rolls", rolls as f64);
    run.exact("keeps", keeps as f64);
    run.exact("turn-states", (3 * rolls + 2 * keeps) as f64);
    run.exact("plain", f64::from(3 * (1 << 12) * 64));
    run.exact("score-states", game.space().states() as f64);
    run.exact("expected", run.engine().value(&game.empty_card(), &Objective::Expected)?);
    run.exact("highest", f64::from(max_points(&game, &game.empty_card())));
    for other in ["yahtzee-free-joker", "yahtzee"] {
        let game = run.game(other)?;
        run.exact(format!("expected-{other}"), run.engine().value(&game.empty_card(), &Objective::Expected)?);
    }
    Ok(())
}

/// Appendix B: the edges that equations (4) and (6) save.
fn operations(run: &mut Run<'_>) -> anyhow::Result<()> {
    let game = run.game(RULES)?;
    let lattice = game.lattice();
    let (rolls, keeps) = (lattice.rolls().len(), lattice.keeps().len());
    // Each roll has an edge to each keep within it (5), and each keep one to each roll that contains it (3).
    let pairs: usize = lattice.rolls().map(|roll| lattice.within(roll).count()).sum();
    let by_4 = 6 * (keeps - rolls);
    // Equation (6): the keep itself, and one smaller keep for each face in it.
    let faces = |keep: &keepers::Keep| keepers::Face::all(6).filter(|face| keep.count(*face) > 0).count();
    let by_6: usize = lattice.keeps().iter().map(|keep| 1 + faces(keep)).sum::<usize>();
    run.exact("edges-3", pairs as f64);
    run.exact("edges-4", by_4 as f64);
    run.exact("factor-4", pairs as f64 / by_4 as f64);
    run.exact("edges-5", pairs as f64);
    run.exact("edges-6", by_6 as f64);
    run.exact("factor-6", pairs as f64 / by_6 as f64);
    run.claim("order-of-magnitude", pairs >= 10 * by_4 || pairs >= 10 * by_6);
    Ok(())
}

/// Appendix D: the two-player game.
fn two_player(run: &mut Run<'_>) -> anyhow::Result<()> {
    let game = run.game(RULES)?;
    let (count, _) = run.engine().two_player_count(&game)?;
    let states = count.states();
    run.exact("states", states as f64);
    let single = game.space().states() as f64;
    run.exact("first-estimate", single * single * 2.0 * f64::from(max_points(&game, &game.empty_card())));
    run.exact("factor", run.figure("first-estimate").unwrap_or(0.0) / states as f64);
    run.exact("terabytes", (states * 8) as f64 / f64::from(1 << 20).powi(2));
    for other in ["yahtzee", "yahtzee-free-joker"] {
        let game = run.game(other)?;
        run.exact(format!("states-{other}"), run.engine().two_player_count(&game)?.0.states() as f64);
    }
    Ok(())
}

/// Figure 3, and the mean of the best reach curve by every reading that needs only the curve.
fn figure_3(run: &mut Run<'_>) -> anyhow::Result<()> {
    let game = run.game(RULES)?;
    let odds = run.engine().precise_reach(&game.empty_card())?;
    let most = usize::from(max_points(&game, &game.empty_card()));
    let curve: Vec<f64> = (0..=most as u16).map(|score| odds.at_least(score)).collect();
    let mean = |of: &dyn Fn(usize, f64) -> f64| -> f64 {
        curve.iter().enumerate().skip(1).map(|(score, p)| of(score, *p)).sum()
    };
    run.exact("mean", mean(&|_, p| p));
    for limit in [600, 622, 623, 625, 640, 650] {
        run.exact(format!("up-to-{limit}"), mean(&|score, p| if score <= limit { p } else { 0.0 }));
    }
    for digits in 3..=5 {
        let unit = 10_f64.powi(digits);
        run.exact(format!("least-{digits}"), mean(&|_, p| if p * unit >= 1.0 { p } else { 0.0 }));
        run.exact(format!("cut-{digits}"), mean(&|_, p| (p * unit).floor() / unit));
        run.exact(format!("rounded-{digits}"), mean(&|_, p| (p * unit).round() / unit));
    }
    // The curve known only at multiples of a step, with the points between them on straight lines.
    for step in [5_usize, 10, 25, 50] {
        let sampled = mean(&|score, p| if score % step == 0 { step as f64 * p } else { 0.0 });
        run.exact(format!("every-{step}"), sampled + (step - 1) as f64 / 2.0);
    }
    for bits in 14..=16 {
        let unit = f64::from(1 << bits);
        run.exact(format!("bits-{bits}"), mean(&|_, p| (p * unit).floor() / unit));
    }
    let rows: Vec<Vec<String>> =
        curve.iter().enumerate().map(|(s, p)| vec![s.to_string(), cell(*p)]).collect();
    run.csv("figure-3", &["score", "best probability"], &rows)?;
    let chart = |y: Axis, to: f64| {
        Chart::new(Axis::linear("score").from(0.0).to(to), y)
            .series(Series::line("", points(&curve)).ink(Ink::Series(0)))
            .size(440.0, 300.0)
    };
    let picture = Picture::new("Figure 3: the best probability of every score")
        .description("The best probability of at least each score at the start of the game.")
        .provenance(provenance(RULES, "double precision"))
        .columns(2)
        .panel(chart(Axis::linear("probability").percent().from(0.0).to(1.0), 600.0))
        .panel(chart(Axis::log("probability").percent(), most as f64));
    run.picture("figure-3", &picture)
}

/// The players of figures 4 and 5.
const PLAYERS: [&str; 10] = [
    "emp:0",
    "emp:1",
    "emp:2",
    "dyns:0",
    "dyns:1",
    "dyns:2",
    "dyns:3",
    "dyns:4",
    "expected",
    "emp:immediate",
];

/// The largest number of open boxes, on both cards together.
const DEPTH: usize = 10;

/// The mean loss of a player with one number of open boxes.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Loss {
    mean: f64,
    error: f64,
    games: u64,
}

impl Loss {
    /// Joins independent samples.
    fn join(all: &[Loss]) -> Loss {
        let games: u64 = all.iter().map(|loss| loss.games).sum();
        let weighted = |of: fn(&Loss) -> f64| all.iter().map(of).sum::<f64>() / games.max(1) as f64;
        let mean = weighted(|loss| loss.mean * loss.games as f64);
        let squares: f64 = all.iter().map(|loss| (loss.error * loss.games as f64).powi(2)).sum();
        Loss { mean, error: squares.sqrt() / games.max(1) as f64, games }
    }
}

/// Figures 4 and 5: the mean loss of a decision by the number of open boxes.
fn errors(run: &mut Run<'_>) -> anyhow::Result<()> {
    const PARTS: u64 = 80;
    const GAMES: u64 = 50;
    let game = run.game(RULES)?;
    let names: Vec<Player> = PLAYERS.iter().map(|name| name.parse()).collect::<Result<_, _>>()?;
    let parts: Vec<Vec<Vec<Loss>>> = run.parts(PARTS, |run, nth| {
        let engine = run.engine();
        let players = names.iter().map(|name| engine.player(&game, name)).collect::<Result<Vec<_>, _>>()?;
        let experiment = Experiment { depth: DEPTH, games: GAMES, seed: SEED + nth, memory: 4 << 30 };
        let measured = engine.measure(&game, &players, experiment)?;
        let loss = |one: &keepers::answers::Measured| Loss {
            mean: one.error,
            error: one.standard_error,
            games: one.games,
        };
        Ok(measured.iter().map(|depth| depth.iter().map(loss).collect()).collect())
    })?;
    let at = |depth: usize, player: usize| {
        Loss::join(&parts.iter().map(|part| part[depth - 1][player]).collect::<Vec<_>>())
    };
    run.played(parts.len() as u64 * GAMES, SEED);
    let mut rows = Vec::new();
    for (player, name) in PLAYERS.iter().enumerate() {
        for depth in 1..=DEPTH {
            let loss = at(depth, player);
            run.estimate(format!("{}-{depth}", name.replace(':', "-")), 1e5 * loss.mean, 1e5 * loss.error);
            rows.push(vec![
                name.to_string(),
                depth.to_string(),
                cell(loss.mean),
                cell(loss.error),
                loss.games.to_string(),
            ]);
        }
    }
    // Section 4.4: the mean with up to 8 open boxes, with each number weighted equally.
    for (id, name) in [("emp-1-mean", "emp:1"), ("expected-mean", "expected")] {
        let player = PLAYERS.iter().position(|other| *other == name).unwrap_or(0);
        let all: Vec<Loss> = (1..=8).map(|depth| at(depth, player)).collect();
        let mean = all.iter().map(|loss| loss.mean).sum::<f64>() / 8.0;
        let error = all.iter().map(|loss| loss.error.powi(2)).sum::<f64>().sqrt() / 8.0;
        run.estimate(id, mean, error);
    }
    let worst = (1..=DEPTH).map(|depth| at(depth, 1)).max_by(|a, b| a.mean.total_cmp(&b.mean));
    let worst = worst.unwrap_or_default();
    run.estimate("emp-1-worst", worst.mean, worst.error);
    // The paper's peak is at 6 open boxes. Whether 6 or 8 is the higher one shows only with many games.
    let peaks = [6, 8].map(|depth| at(depth, 1));
    run.estimate(
        "emp-1-6-minus-8",
        1e5 * (peaks[0].mean - peaks[1].mean),
        1e5 * peaks[0].error.hypot(peaks[1].error),
    );
    run.estimate("per-game", 39.0 * worst.mean, 39.0 * worst.error);
    let order: Vec<f64> = (0..PLAYERS.len()).map(|player| at(DEPTH, player).mean).collect();
    run.claim("emp-better-with-depth", order[2] < order[1] && order[1] < order[0]);
    run.claim(
        "dyns-better-with-depth",
        order[4..8].windows(2).all(|two| two[1] < two[0]) && order[4] < order[3],
    );
    run.claim("dyns-4-before-expected", order[7] < order[8]);
    run.claim("emp-1-before-dyns", order[3..8].iter().all(|dyns| order[1] < *dyns));
    run.csv("figures-4-and-5", &["player", "open boxes", "mean loss", "standard error", "games"], &rows)?;
    let series = |player: usize, log: bool| {
        let points = (1..=DEPTH).filter_map(|depth| {
            let loss = at(depth, player);
            // A logarithmic axis cannot show an error bar that reaches 0, so such points have none.
            let bar = if log && 2.0 * loss.error >= loss.mean { 0.0 } else { 2.0 * loss.error };
            (!log || loss.mean > 1e-9).then(|| Point::with_error(depth as f64, loss.mean, bar))
        });
        let name = PLAYERS[player];
        let line = Series::line(name, points).dotted();
        match name.split_once(':') {
            Some(("emp", "immediate")) => line.ink(Ink::Series(4)),
            Some(("emp", depth)) => line.ink(Ink::Series([1, 0, 2][depth.parse::<usize>().unwrap_or(0)])),
            Some((_, depth)) => line.ink(Ink::Ramp(depth.parse::<f64>().unwrap_or(0.0) / 4.0)).dashed(),
            None => line.ink(Ink::Neutral),
        }
    };
    let chart = |y: Axis, title: &str| {
        Chart::new(Axis::linear("open boxes on both cards").from(1.0).to(DEPTH as f64), y)
            .title(title)
            .names(Names::Legend)
            .size(700.0, 380.0)
    };
    let mut first = chart(Axis::linear("loss per decision").from(0.0), "Figure 4: EMP(d)");
    (0..3).for_each(|player| first = first.clone().series(series(player, false)));
    let mut second = chart(Axis::log("loss per decision"), "Figure 5: all players");
    (0..PLAYERS.len()).for_each(|player| second = second.clone().series(series(player, true)));
    let games = parts.len() as u64 * GAMES;
    let picture = Picture::new("Losses against perfect play")
        .subtitle("Mean loss per decision, in games. Bars: two standard errors; none where they would reach 0 in figure 5.")
        .description("The mean loss of ten players with 1 to 10 open boxes.")
        .provenance(provenance(RULES, &format!("{games} games, seeds from {SEED}")))
        .panel(first)
        .panel(second);
    run.picture("figures-4-and-5", &picture)
}

/// Section 4.4: EMP(1) against the strategy for the expected score, on the same dice.
fn play(run: &mut Run<'_>) -> anyhow::Result<()> {
    const PARTS: u64 = 80;
    const GAMES: u64 = 250;
    let game = run.game(RULES)?;
    let names: [Player; 2] = ["emp:1".parse()?, "expected".parse()?];
    let parts: Vec<[f64; 5]> = run.parts(PARTS, |run, nth| {
        let engine = run.engine();
        let players = names.iter().map(|name| engine.player(&game, name)).collect::<Result<Vec<_>, _>>()?;
        let rules = MatchRules { games: GAMES, seed: SEED + nth, same_dice: true };
        let outcomes = engine.play_match(&game, &players, rules, &|_, _| ())?;
        let [emp, other] = [&outcomes[0], &outcomes[1]];
        // The rank is 1, 1.5 or 2, so half a point of result is one unit of rank.
        Ok([emp.wins as f64, other.wins as f64, emp.draws as f64, emp.rank, emp.rank_error])
    })?;
    let games = parts.len() as f64 * GAMES as f64;
    run.played(games as u64, SEED);
    let sum = |nth: usize| parts.iter().map(|part| part[nth]).sum::<f64>();
    run.exact("wins", sum(0));
    run.exact("losses", sum(1));
    run.exact("draws", sum(2));
    // Wins minus losses per game is 2 (1.5 - rank).
    let error = 2.0 * parts.iter().map(|part| part[4].powi(2)).sum::<f64>().sqrt() / parts.len() as f64;
    run.estimate("per-100", 100.0 * (sum(0) - sum(1)) / games, 100.0 * error);
    Ok(())
}
