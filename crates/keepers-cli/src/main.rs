//! The `keepers` program: one file a command, thin on purpose. Rules and values live in the library.

mod args;
mod bad_input;
mod choices;
mod commands;
mod output;
mod pace;
mod picture;
mod plot;
mod progress;
mod session;

use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use args::{Cli, Command, Serve};
use bad_input::BadInput;
use session::Session;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("keepers: {error:#}");
            ExitCode::from(if error.is::<BadInput>() || error.is::<keepers::engine::EngineError>() {
                2
            } else {
                1
            })
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<()> {
    let session = Session::new(&cli.shared)?;
    match cli.command.unwrap_or_else(|| Command::Serve(Serve::default())) {
        Command::Value(args) => commands::value::run(&session, &args),
        Command::Advise(args) => commands::advise::run(&session, &args),
        Command::Solve(args) => commands::solve::run(&session, &args),
        Command::Reach(args) => commands::reach::run(&session, &args),
        Command::Distribution(args) => commands::distribution::run(&session, &args),
        Command::Tournament(args) => commands::tournament::run(&session, &args),
        Command::Match(args) => commands::matches::run(&session, &args),
        Command::Measure(args) => commands::measure::run(&session, &args),
        Command::Simulate(args) => commands::simulate::run(&session, &args),
        Command::Duel(args) => commands::duel::run(&session, &args),
        Command::Review(args) => commands::review::run(&session, &args),
        Command::Serve(args) => commands::serve::run(&session, &args),
        Command::States(args) => commands::states::run(&session, &args),
        Command::Rules(args) => commands::rules::run(&session, &args),
        Command::Cache(args) => commands::cache::run(&session, &args),
        Command::Completions(args) => commands::completions::run(&args),
        Command::Man(args) => commands::man::run(&args),
    }
}

/// Help and version are answers; anything else about the arguments is bad input, in one sentence.
fn usage(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let _ = error.print();
            ExitCode::SUCCESS
        }
        _ => {
            let text = error.render().to_string();
            let first = text.split("\n\n").next().unwrap_or_default();
            let words: Vec<&str> = first.trim_start_matches("error: ").split_whitespace().collect();
            anstream::eprintln!("keepers: {}; see keepers --help", words.join(" "));
            ExitCode::from(2)
        }
    }
}
