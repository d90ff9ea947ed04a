//! Cremers (2002): how best to beat high scores in Yahtzee.

use std::collections::{BTreeMap, BTreeSet};

use keepers::internals::Work;
use keepers::internals::evaluate::evaluate_utility;
use keepers::{Goal, Objective};
use keepers_blocks::one_player::Cremers;
use keepers_plot::{Axis, Chart, Ink, Names, Picture, Series};

use crate::document::Item;
use crate::draw::{cell, points, provenance};
use crate::run::Run;

pub const ITEMS: &[Item] = &[
    Item { id: "chapter-5", quick: true, run: chapter_5 },
    Item { id: "table-6-1", quick: true, run: table_6_1 },
    Item { id: "maxprob-approx", quick: false, run: maxprob_approx },
    Item { id: "likeness", quick: false, run: likeness },
    Item { id: "maxprob-means", quick: false, run: maxprob_means },
];

const RULES: &str = "yahtzee-free-joker";

/// A class of his partition: the elements of G in the set, and the size of the set.
type Class = (u32, u32);

/// Counts by the definitions of chapter 5: the classes, the most elements of a class and of those that it depends on, and
/// the elements that are read.
fn counted(boxes: u32, fixed: u32) -> (u64, u64, u64) {
    let class = |set: u32| -> Class { (set & ((1 << fixed) - 1), set.count_ones()) };
    let mut sizes: BTreeMap<Class, u64> = BTreeMap::new();
    let mut needs: BTreeMap<Class, BTreeSet<Class>> = BTreeMap::new();
    for set in 0..1_u32 << boxes {
        *sizes.entry(class(set)).or_default() += 1;
        let smaller = (0..boxes).filter(|a| set >> a & 1 == 1).map(|a| class(set & !(1 << a)));
        needs.entry(class(set)).or_default().extend(smaller);
    }
    let of = |needs: &BTreeSet<Class>| needs.iter().map(|class| sizes[class]).sum::<u64>();
    let cache = needs.iter().map(|(class, needs)| sizes[class] + of(needs)).max().unwrap_or(0);
    (sizes.len() as u64, cache, needs.values().map(of).sum())
}

/// The formulas of chapters 4 and 5, checked by counting, and figures 5.5 to 5.8.
fn chapter_5(run: &mut Run<'_>) -> anyhow::Result<()> {
    let mut agree = true;
    for boxes in 1..=10 {
        for fixed in 0..=boxes {
            let formulas = Cremers { boxes, fixed };
            // With G = A, formula (5.8) counts a class that does not exist.
            let cache = formulas.cache() - u64::from(fixed == boxes);
            agree &= counted(boxes, fixed) == (formulas.classes(), cache, formulas.reads());
        }
    }
    run.claim("formulas", agree);
    let mib = |elements: u64| (elements * 51_200 * 8) as f64 / f64::from(1 << 20);
    let yahtzee = |fixed| Cremers { boxes: 13, fixed };
    run.exact("table-gb", mib(1 << 13) / 1000.0);
    run.exact("cache", mib(yahtzee(5).cache()));
    run.exact("classes", yahtzee(5).classes() as f64);
    run.claim("smaller-g-does-not-fit", mib(yahtzee(4).cache()) > 256.0);
    // Section 4.1.1: the states of layer 6 with two values of extra bonuses on average, 64 totals and 300 scores.
    let layer = |open: u64| (0..open).fold(1_u64, |product, nth| product * (13 - nth) / (nth + 1));
    // He has 3/2 values of the Yahtzee box, 64 upper totals and 300 scores: 28,800 values per set of boxes.
    let values = |l: u64| layer(l) * 28_800;
    run.exact("layer-job", ((values(6) + values(7)) * 8) as f64 / f64::from(1 << 20));
    run.exact("layer-factor", 1.5 * 64.0 * 300.0);
    let sizes: Vec<u32> = (1..=20).collect();
    let figures = |fixed: fn(u32) -> u32| {
        sizes
            .iter()
            .map(move |&boxes| (boxes, Cremers { boxes, fixed: fixed(boxes) }.figures()))
            .collect::<Vec<_>>()
    };
    let (none, all) = (figures(|_| 0), figures(|boxes| boxes));
    let bounds: Vec<Vec<String>> = none
        .iter()
        .zip(&all)
        .map(|((boxes, none), (_, all))| {
            vec![boxes.to_string(), cell(none.cache), cell(all.cache), cell(none.misses), cell(all.misses)]
        })
        .collect();
    run.csv("figures-5-5-and-5-6", &["A", "cache G=0", "cache G=A", "misses G=0", "misses G=A"], &bounds)?;
    let study: Vec<Vec<String>> = (0..=13)
        .map(|fixed| {
            let one = yahtzee(fixed);
            vec![fixed.to_string(), one.classes().to_string(), cell(mib(one.cache())), cell(one.misses())]
        })
        .collect();
    run.csv("figures-5-7-and-5-8", &["G", "classes", "cache MiB", "misses"], &study)?;
    let line =
        |name: &str, ink: usize, of: Vec<(f64, f64)>| Series::line(name, of).ink(Ink::Series(ink)).dotted();
    let bound = |of: &[(u32, keepers_blocks::one_player::CremersFigures)], cache: bool| {
        of.iter().map(|(a, f)| (f64::from(*a), if cache { f.cache } else { f.misses })).collect::<Vec<_>>()
    };
    let half = |chart: Chart| chart.size(440.0, 300.0);
    let picture = Picture::new("The division by a fixed subset")
        .description("Cache sizes and external reads by the size of the fixed subset.")
        .provenance(format!("keepers {}, formulas (5.8) and (5.11)", env!("CARGO_PKG_VERSION")))
        .columns(2)
        .panel(half(
            Chart::new(Axis::linear("|A|"), Axis::linear("cache / table").from(0.0))
                .title("Figure 5.5: cache size bounds")
                .series(line("G empty", 0, bound(&none, true)))
                .series(line("G = A", 1, bound(&all, true))),
        ))
        .panel(half(
            Chart::new(Axis::linear("|A|"), Axis::linear("reads per value").from(0.0))
                .title("Figure 5.6: cache efficiency bounds")
                .series(line("G empty", 0, bound(&none, false)))
                .series(line("G = A", 1, bound(&all, false))),
        ))
        .panel(half(
            Chart::new(Axis::linear("|G|").from(0.0).to(13.0), Axis::log("cache, MiB"))
                .title("Figure 5.7: Yahtzee, required cache")
                .series(line("cache", 0, (0..=13).map(|g| (f64::from(g), mib(yahtzee(g).cache()))).collect()))
                .series(Series::line("256 MiB", [(0.0, 256.0), (13.0, 256.0)]).ink(Ink::Neutral).dashed()),
        ))
        .panel(half(
            Chart::new(Axis::linear("|G|").from(0.0).to(13.0), Axis::linear("reads per value").from(0.0))
                .title("Figure 5.8: Yahtzee, average cache misses")
                .series(line("", 0, (0..=13).map(|g| (f64::from(g), yahtzee(g).misses())).collect())),
        ));
    run.picture("figures-5-5-to-5-8", &picture)
}

/// Table 6.1, and figures 6.1 to 6.5: MaxProb against the strategy for the expected score.
fn table_6_1(run: &mut Run<'_>) -> anyhow::Result<()> {
    let game = run.game(RULES)?;
    let engine = run.engine();
    let empty = game.empty_card();
    // A quick run uses single precision, whose error is at most 2e-6 (docs/objectives.md). Figures are in per cent.
    let (odds, rounding) =
        if run.quick { (engine.reach(&empty)?, 2e-4) } else { (engine.precise_reach(&empty)?, 0.0) };
    let (statistics, _) = engine.distribution(&empty, &Objective::Expected)?;
    let most: usize = 800;
    let best: Vec<f64> = (0..=most as u16).map(|score| odds.at_least(score)).collect();
    let plain: Vec<f64> = (0..=most).map(|score| statistics.at_least(score)).collect();
    for score in (0..=most).step_by(50) {
        run.estimate(format!("maxprob-{score}"), 100.0 * best[score], rounding / 4.0);
        run.exact(format!("optexpected-{score}"), 100.0 * plain[score]);
    }
    let (gain, ratio): (Vec<f64>, Vec<f64>) =
        best.iter().zip(&plain).map(|(best, plain)| (best - plain, best / plain - 1.0)).unzip();
    run.claim("never-worse", gain.iter().all(|gain| *gain >= -1e-6));
    let mean = |from: usize, to: usize| ratio[from..to].iter().sum::<f64>() / (to - from) as f64;
    run.claim("gain-grows-beyond-400", mean(400, 500) < mean(500, 600) && mean(500, 600) < mean(600, 700));
    let largest = (0..=most).max_by(|a, b| gain[*a].total_cmp(&gain[*b])).unwrap_or(0);
    run.estimate("largest-gain", 100.0 * gain[largest], rounding / 4.0);
    if !run.quick {
        run.exact("largest-gain-at", largest as f64);
    }
    let rows: Vec<Vec<String>> = (0..=most)
        .map(|s| vec![s.to_string(), cell(best[s]), cell(plain[s]), cell(gain[s]), cell(ratio[s])])
        .collect();
    run.csv("table-6-1", &["score", "MaxProb", "OptExpected", "difference", "relative"], &rows)?;
    let x = || Axis::linear("score").from(0.0).to(most as f64);
    let both = |chart: Chart| {
        chart
            .series(Series::line("MaxProb", points(&best)).ink(Ink::Series(1)))
            .series(Series::line("OptExpected", points(&plain)).ink(Ink::Series(0)))
            .names(Names::Legend)
            .size(700.0, 300.0)
    };
    let one = |chart: Chart, values: &[f64]| {
        chart.series(Series::line("", points(values)).ink(Ink::Series(1)).filled()).size(700.0, 260.0)
    };
    let of = |title: &str| {
        Picture::new(title)
            .description("MaxProb and the strategy for the expected score, by score.")
            .provenance(provenance(RULES, "computed, not simulated"))
    };
    let first = of("Figures 6.1 to 6.3: the probability of at least each score")
        .panel(both(Chart::new(x(), Axis::linear("probability").percent().from(0.0).to(1.0))))
        .panel(both(Chart::new(x(), Axis::log("probability").percent())));
    run.picture("figures-6-1-to-6-3", &first)?;
    let second = of("Figures 6.4 and 6.5: what MaxProb gains")
        .panel(one(
            Chart::new(x(), Axis::linear("difference").percent()).title("Figure 6.4: absolute"),
            &gain,
        ))
        .panel(one(
            Chart::new(x(), Axis::linear("difference / OptExpected").percent()).title("Figure 6.5: relative"),
            &ratio,
        ));
    run.picture("figures-6-4-and-6-5", &second)
}

/// Section 7.2.2: the expected scores of the MaxProb strategies.
fn maxprob_means(run: &mut Run<'_>) -> anyhow::Result<()> {
    let game = run.game(RULES)?;
    let targets: Vec<u16> = (50..=800).step_by(50).collect();
    let parts = run.parts(targets.len() as u64, |run, nth| {
        let target = targets[nth as usize];
        let (statistics, value) = run.engine().distribution(&game.empty_card(), &Goal::Target(target))?;
        Ok([statistics.mean(), statistics.deviation(), statistics.percentile(0.5) as f64, value])
    })?;
    let mut rows = Vec::new();
    for (target, part) in targets.iter().zip(&parts) {
        run.exact(format!("mean-{target}"), part[0]);
        rows.push(std::iter::once(target.to_string()).chain(part.iter().map(|v| cell(*v))).collect());
    }
    run.csv("maxprob-means", &["target", "mean", "standard deviation", "median", "probability"], &rows)
}

/// Section 6.2.2: MaxProbApprox, by its exact probability of reaching each target.
fn maxprob_approx(run: &mut Run<'_>) -> anyhow::Result<()> {
    const TARGETS: [u16; 7] = [150, 200, 250, 300, 350, 400, 500];
    let game = run.game(RULES)?;
    let empty = game.empty_card();
    let parts: Vec<[f64; 2]> = run.parts(TARGETS.len() as u64, |run, nth| {
        let target = TARGETS[nth as usize];
        let table = run.engine().normal_approximation(&empty, target)?;
        let work = Work::new(run.observer, "following MaxProbApprox");
        let statistics = evaluate_utility(&game, &table, &empty, &work)?;
        Ok([statistics.at_least(target.into()), statistics.mean()])
    })?;
    let (plain, _) = run.engine().distribution(&empty, &Objective::Expected)?;
    let mut worse = 0;
    for (target, [reached, mean]) in TARGETS.iter().zip(&parts) {
        let expected = plain.at_least((*target).into());
        run.exact(format!("approx-{target}"), 100.0 * reached);
        run.exact(format!("expected-{target}"), 100.0 * expected);
        run.exact(format!("mean-{target}"), *mean);
        worse += usize::from(*reached < expected);
    }
    run.exact("worse", worse as f64);
    run.claim("worse-than-optexpected", worse == TARGETS.len());
    Ok(())
}

/// Section 7.2.3: how similarly MaxProb and OptExpected decide.
fn likeness(run: &mut Run<'_>) -> anyhow::Result<()> {
    const TARGETS: [u16; 4] = [200, 250, 300, 400];
    let game = run.game(RULES)?;
    let empty = game.empty_card();
    let parts: Vec<[f64; 8]> = run.parts(TARGETS.len() as u64, |run, nth| {
        let (target, score) = (Goal::Target(TARGETS[nth as usize]), Goal::Score);
        let engine = run.engine();
        let one = engine.likeness(&empty, &target, &score)?;
        let two = engine.likeness(&empty, &score, &target)?;
        let all = one.decisions() as f64;
        let (one, two) = (one.game(), two.game());
        Ok([
            one.differs / all,
            one.worse / all,
            one.loss,
            one.other_loss,
            two.differs / all,
            two.worse / all,
            two.loss,
            two.other_loss,
        ])
    })?;
    for (target, part) in TARGETS.iter().zip(&parts) {
        run.exact(format!("maxprob-differs-{target}"), 100.0 * part[0]);
        run.exact(format!("maxprob-worse-{target}"), 100.0 * part[1]);
        run.exact(format!("maxprob-loses-{target}"), part[2]);
        run.exact(format!("expected-differs-{target}"), 100.0 * part[4]);
        run.exact(format!("expected-worse-{target}"), 100.0 * part[5]);
        run.exact(format!("expected-loses-{target}"), 100.0 * part[6]);
    }
    Ok(())
}
