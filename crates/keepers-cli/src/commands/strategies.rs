//! `keepers distribution` for several strategies: shows one line per strategy.

use std::fmt::Write;

use keepers::internals::text::csv_field;
use keepers_api::{PERCENTILES, StrategySummary};

use crate::output::{self, escaped};

pub fn csv(strategies: &[StrategySummary]) -> String {
    let percentiles = PERCENTILES.map(|p| format!(",p{p}")).concat();
    let mut out = format!("strategy,mean,sd,value{percentiles}\n");
    for StrategySummary { strategy, mean, sd, value, percentiles, .. } in strategies {
        let percentiles: String = percentiles.values().map(|score| format!(",{score}")).collect();
        writeln!(out, "{},{mean},{sd},{value}{percentiles}", csv_field(strategy))
            .expect("writing to a string does not fail");
    }
    out
}

pub fn page(strategies: &[StrategySummary]) -> String {
    let percentiles = PERCENTILES.map(|p| format!(">{p} %"));
    let mut headings = vec!["strategy", ">mean", ">deviation", ">best value"];
    headings.extend(percentiles.iter().map(String::as_str));
    let rows = strategies.iter().map(|of| {
        let is_probability = of.strategy.starts_with("reach:") || of.strategy.starts_with("tournament:");
        let value = if is_probability { output::percent(of.value) } else { format!("{:.4}", of.value) };
        let mut row = vec![escaped(&of.strategy), format!("{:.4}", of.mean), format!("{:.4}", of.sd), value];
        row.extend(of.percentiles.values().map(usize::to_string));
        row
    });
    output::table(&headings, rows)
}
