//! The `keepers` program: a thin layer over the service of `keepers-api`. One file per command turns its arguments into
//! a request, and the answer into text or JSON.

mod args;
mod bad_input;
mod choices;
mod commands;
mod dice_art;
mod inputs;
mod output;
mod plot;
mod progress;
mod read;
mod session;
mod words;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use keepers_blocks::StoreError;

use args::{Cli, Command};
use bad_input::BadInput;
use session::Session;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    ended(run(cli))
}

/// Reports an error, and returns its exit code.
fn ended(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::note(&format!("{error:#}"));
            ExitCode::from(code_of(&error))
        }
    }
}

/// Returns the exit code of an error, from which a program decides what to do: 2 for bad input, which no further attempt
/// changes; 3 for a stored object with other values, which needs a person; 4 for a damaged object; 1 for all others.
fn code_of(error: &anyhow::Error) -> u8 {
    match error.downcast_ref::<StoreError>() {
        Some(error) if error.is_bad_input() => 2,
        Some(StoreError::Conflict { .. }) => 3,
        Some(StoreError::Damaged { .. }) => 4,
        _ if error.is::<BadInput>() => 2,
        _ => 1,
    }
}

fn run(cli: Cli) -> anyhow::Result<()> {
    let session = Session::new(&cli.shared)?;
    match cli.command.map_or_else(without_command, Ok)? {
        Command::Value(args) => commands::value::run(&session, &args),
        Command::Cost(args) => commands::cost::run(&session, &args),
        Command::Advise(args) => commands::advise::run(&session, &args),
        Command::Outlook(args) => commands::outlook::run(&session, &args),
        Command::Card(args) => commands::card::run(&session, &args),
        Command::Solve(args) => commands::solve::run(&session, &args),
        Command::Reach(args) => commands::reach::run(&session, &args),
        Command::Distribution(args) => commands::distribution::run(&session, &args),
        Command::Likeness(args) => commands::likeness::run(&session, &args),
        Command::Tournament(args) => commands::tournament::run(&session, &args),
        Command::Match(args) => commands::matches::run(&session, &args),
        Command::Measure(args) => commands::measure::run(&session, &args),
        Command::Simulate(args) => commands::simulate::run(&session, &args),
        Command::Duel(args) => commands::duel::run(&session, &args),
        Command::Review(args) => commands::review::run(&session, &args),
        Command::Compare(args) => commands::compare::run(&session, &args),
        Command::Puzzle(args) => commands::puzzle::run(&session, &args),
        Command::Players(args) => commands::players::run(&session, &args),
        Command::Choose(args) => commands::choose::run(&session, &args),
        Command::Roll(args) => commands::roll::run(&session, &args),
        Command::Ask(args) => commands::ask::run(&session, &args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => commands::serve::run(&session, &args),
        Command::States(args) => commands::states::run(&session, &args),
        Command::TwoPlayer(args) => commands::two_player::run(&session, &args),
        Command::Papers(args) => commands::papers::run(&session, &args),
        Command::Rules(args) => commands::rules::run(&session, &args),
        Command::Cache(args) => commands::cache::run(&session, &args),
        Command::Completions(args) => commands::completions::run(&args),
        Command::Man(args) => commands::man::run(&args),
    }
}

#[cfg(feature = "serve")]
fn without_command() -> anyhow::Result<Command> {
    Ok(Command::Serve(args::Serve::default()))
}

#[cfg(not(feature = "serve"))]
fn without_command() -> anyhow::Result<Command> {
    Err(BadInput("no command given; see keepers --help".to_string()).into())
}

/// Prints help and version on stdout. Reports wrong arguments as bad input in one sentence.
fn usage(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            ended(output::answer(&error.render(), std::io::IsTerminal::is_terminal(&std::io::stdout())))
        }
        _ => {
            let text = error.render().to_string();
            let first = text.split("\n\n").next().unwrap_or_default();
            let words: Vec<&str> = first.trim_start_matches("error: ").split_whitespace().collect();
            output::note(&format!(
                "{}; see {} --help",
                words.join(" "),
                command_of(std::env::args().skip(1))
            ));
            ExitCode::from(2)
        }
    }
}

/// Returns the command that arguments name: `keepers`, `keepers match`, `keepers rules show`.
fn command_of(arguments: impl Iterator<Item = String>) -> String {
    let mut command = &Cli::command();
    let mut names = vec!["keepers".to_string()];
    for argument in arguments {
        if let Some(found) = command.find_subcommand(&argument) {
            names.push(argument);
            command = found;
        }
    }
    names.join(" ")
}

#[cfg(test)]
mod tests {
    use keepers_blocks::Damage;

    use super::*;

    #[test]
    fn exit_codes_distinguish_what_a_program_can_do_about_an_error() {
        let (name, stored, solved) = ("a".to_string(), "b".to_string(), "c".to_string());
        let damaged = StoreError::Damaged { name: name.clone(), damage: Damage("it is cut".into()) };
        let io =
            StoreError::Io { action: "reading", name: name.clone(), store: "s".into(), reason: "r".into() };
        assert_eq!(code_of(&BadInput("x".into()).into()), 2);
        assert_eq!(code_of(&StoreError::Foreign("x".into()).into()), 2);
        assert_eq!(code_of(&StoreError::Conflict { name, stored, solved }.into()), 3);
        assert_eq!(code_of(&damaged.into()), 4);
        assert_eq!(code_of(&io.into()), 1);
        assert_eq!(code_of(&anyhow::anyhow!("x")), 1);
    }
}
