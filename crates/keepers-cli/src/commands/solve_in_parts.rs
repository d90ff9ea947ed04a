//! `keepers solve --memory`: solves a one-player table of a game part by part into a store.

use std::path::PathBuf;

use keepers::internals::evaluate::mean_and_deviation;
use keepers::internals::text::{byte_size, quote};
use keepers::internals::{gibibytes, utility};
use keepers::{Card, Game, Goal, Objective};
use keepers_blocks::ObjectFolder;
use keepers_blocks::one_player::{CurveStore, Curves, Division, Keep, SolveSummary};
use keepers_blocks::two_player::store_name;
use serde_json::{Value, json};

use super::two_player::game;
use crate::args::Solve;
use crate::bad_input::BadInput;
use crate::inputs::Inputs;
use crate::output;
use crate::session::Session;

pub fn run(session: &Session, args: &Solve, memory: u16) -> anyhow::Result<()> {
    let game = game(session, &args.game.rules)?;
    let target = Target::read(session, args, &game)?;
    let address = match args.store.clone().or_else(|| std::env::var("KEEPERS_ONE_PLAYER").ok()) {
        Some(address) => address,
        None => default_store(session, &game, target.curves(&game))?.display().to_string(),
    };
    let memory = gibibytes(memory.into());
    let division = args.fixed.map_or(Division::Within(memory), Division::Fixed);
    let folder = ObjectFolder::open(&address)?;
    let store = CurveStore::create_for(target.curves(&game), folder, &game, division)?;
    let keep = if args.keep { Keep::AllParts } else { Keep::LastPart };
    let solved = target.solve(session, &store, (memory, keep));
    session.observer.clear();
    let (result, summary) = solved?;
    if session.json {
        let mut answer = json!({
            "game": game.rules().name(),
            "objective": args.objective,
            "store": address,
            "fixed": store.partition().fixed().len(),
            "summary": summary,
        });
        if let (Some(answer), Value::Object(result)) = (answer.as_object_mut(), result.json) {
            answer.extend(result);
        }
        return output::json(&answer);
    }
    output::text(&format!("{}\n{}\nStored in {address}", result.words, in_words(&store, &summary)))
}

/// What is solved in parts.
enum Target {
    Reach,
    Distribution,
    Utility(Vec<f64>),
}

/// A result, for people and for programs.
struct Solved {
    words: String,
    json: Value,
}

impl Target {
    fn read(session: &Session, args: &Solve, game: &Game) -> anyhow::Result<Target> {
        match args.objective.as_str() {
            "reach" => return Ok(Target::Reach),
            "distribution" => return Ok(Target::Distribution),
            _ => {}
        }
        let mut inputs = Inputs::new(session);
        let engine = session.service.engine().observed_by(&session.observer);
        match args.objective.parse::<Objective>() {
            Ok(objective @ Objective::Tournament(_)) => match engine.goal(game, &objective) {
                Ok(Goal::Utility(utility)) => return Ok(Target::Utility(utility)),
                Ok(_) => {}
                Err(error) => inputs.add("objective", error),
            },
            Ok(Objective::Utility(path)) => {
                let text = inputs.file("objective", &path);
                let read = text.and_then(|text| inputs.note("objective", utility::parse(&text)));
                if let Some(utility) = read {
                    return Ok(Target::Utility(utility));
                }
            }
            _ => {
                let shown = quote(&args.objective);
                let allowed = "reach, distribution, tournament:N or utility:FILE";
                inputs.add("objective", format!("must be {allowed} with --memory, not \"{shown}\""));
            }
        }
        inputs.finish()?;
        Err(BadInput("the objective cannot be solved in parts".into()).into())
    }

    fn curves(&self, game: &Game) -> Curves {
        match self {
            Target::Reach => Curves::Reach,
            Target::Distribution => Curves::Distribution,
            Target::Utility(utility) => Curves::of_utility(&Card::empty(game), utility),
        }
    }

    fn solve(
        &self,
        session: &Session,
        store: &CurveStore,
        (memory, keep): (usize, Keep),
    ) -> anyhow::Result<(Solved, SolveSummary)> {
        let (game, observer) = (store.game(), &session.observer);
        let name = game.rules().name();
        let states = output::grouped(game.space().states());
        match self {
            Target::Reach => {
                let solved = store.solve(memory, observer)?;
                let values = output::grouped(solved.summary.values);
                let words = format!(
                    "{name}: reach curves of {states} score states, {values} values\nRoot hash {}",
                    solved.root
                );
                let json = json!({ "root": solved.root, "values_computed": solved.computed });
                Ok((Solved { words, json }, solved.summary))
            }
            Target::Distribution => {
                let engine = session.service.engine().observed_by(observer);
                let table = engine.expected_table(game)?;
                let (probability, summary) = store.distribution(&table, memory, observer)?;
                let (mean, deviation) = mean_and_deviation(&probability);
                let words = format!(
                    "{name}: the strategy \"expected\" has mean {mean:.6}, standard deviation {deviation:.6}"
                );
                let json = json!({ "mean": mean, "sd": deviation, "probability": probability });
                Ok((Solved { words, json }, summary))
            }
            Target::Utility(utility) => {
                let solved = store.best_utility(&Card::empty(game), utility, (memory, keep), observer);
                let (value, summary) = solved?;
                let words = format!("{name}: best expected utility {value:.9}");
                Ok((Solved { words, json: json!({ "value": value }) }, summary))
            }
        }
    }
}

/// Returns the store of a table in the cache folder.
fn default_store(session: &Session, game: &Game, curves: Curves) -> anyhow::Result<PathBuf> {
    let folder = session.curves_folder().ok_or_else(|| {
        BadInput("there is no cache folder for the table: give a folder with --store".into())
    })?;
    Ok(folder.join(match curves {
        Curves::Reach => store_name(game),
        curves => format!("{}-{}", curves.name(), store_name(game)),
    }))
}

fn in_words(store: &CurveStore, summary: &SolveSummary) -> String {
    let (rules, partition) = (store.game().rules(), store.partition());
    let fixed: Vec<&str> = partition.fixed().iter().map(|&id| rules.boxes()[id].id.as_str()).collect();
    let fixed = if fixed.is_empty() { "none".to_string() } else { fixed.join(",") };
    let (io, inputs) = (&summary.io, &summary.inputs);
    let per_value = |values: u64| values as f64 / summary.values.max(1) as f64;
    format!(
        "{} solved in {:.1} s, {} done before; fixed boxes: {fixed}\n\
         Inputs: {} read from the store ({:.2} values per value of the table), {} found in memory ({:.2}); \
         at most {} of curves in memory\n\
         Cremers' formulas for {}: {:.2} values read per value of the table (5.11), {:.1} % of the table in memory (5.8)\n\
         Read {} in {} requests, wrote {} in {} objects; {:.1} s solving, {:.1} s reading, {:.1} s waiting for writes",
        output::count(summary.parts_solved, "part", "parts"),
        summary.seconds,
        output::grouped(summary.parts_done_before),
        output::grouped(inputs.misses),
        per_value(inputs.missed_values),
        output::grouped(inputs.hits),
        per_value(inputs.hit_values),
        byte_size(inputs.most_bytes as u128),
        output::count(partition.fixed().len(), "fixed box", "fixed boxes"),
        summary.cremers.misses,
        100.0 * summary.cremers.cache,
        byte_size(io.read_bytes.into()),
        output::grouped(io.reads),
        byte_size(io.written_bytes.into()),
        output::grouped(io.writes),
        summary.seconds_solving,
        summary.seconds_reading,
        summary.seconds_waiting_for_writes,
    )
}
