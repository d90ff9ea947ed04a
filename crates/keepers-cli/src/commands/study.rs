//! `keepers two-player study`: what players lose against exact play, and where.

use std::time::Instant;

use keepers::internals::Work;
use keepers::internals::solve::SolutionError;
use keepers::internals::study::{Mean, StrategyStudy, Study, StudyOptions, study};
use keepers::internals::text::quote;
use keepers::{Observer, Player, Strategy};
use keepers_blocks::two_player::StoredSolution;
use serde_json::{Value, json};

use super::study_files;
use super::two_player::{folder, game};
use crate::args::StudyTwoPlayer;
use crate::bad_input::BadInput;
use crate::output;
use crate::plot::Studied;
use crate::session::Session;

/// The seats of a game of two.
pub(super) const SEATS: [&str; 2] = ["first", "second"];

pub fn run(session: &Session, args: &StudyTwoPlayer) -> anyhow::Result<()> {
    let game = game(session, &args.store.game.rules)?;
    let names = read_players(&args.players)?;
    let games = read_games(&args.games, names.len())?;
    let files = args.report.as_deref().map(study_files::Folder::create).transpose()?;
    let folder = folder(session, &args.store, &game)?;
    let solution = StoredSolution::open(folder, &game, &session.observer)?;
    let engine = session.service.engine().observed_by(&session.observer);
    let bad = |error: keepers::Error| BadInput(format!("players: {error}"));
    let compared = engine.player(&game, &Player::For(keepers::Objective::Expected)).map_err(bad)?;
    let players = names.iter().map(|name| engine.player(&game, name)).collect::<Result<Vec<_>, _>>();
    let players = players.map_err(bad)?;
    let strategies: Vec<&dyn Strategy> = players.iter().map(|player| &**player).collect();
    let options = StudyOptions {
        games,
        exact_games: args.exact_games,
        compared_games: args.compared.min(args.exact_games),
        seed: args.seed,
    };
    let started = Instant::now();
    let work = Work::new(&session.observer, "playing games");
    let found = study(&solution, &*compared, &strategies, &options, &work).map_err(|error| match error {
        SolutionError::Unreadable(sentence) => BadInput(sentence).into(),
        error => anyhow::anyhow!(error.to_string()),
    })?;
    let seconds = started.elapsed().as_secs_f64();
    if found.last_turn > 1 {
        session.observer.notice(&format!(
            "only the layers of the opening are stored: turns with fewer than {} open boxes on both cards are left out",
            found.last_turn
        ));
    }
    let studied = Studied { game: &game, names: &names, study: &found, seed: args.seed };
    let mut answer = all_numbers(&studied);
    if let Some(files) = files {
        files.write(&studied, &answer, &page(&studied))?;
    }
    if session.json {
        answer["seconds"] = json!(seconds);
        return output::json(&answer);
    }
    output::text(&format!("{}\n\n{seconds:.1} s.", page(&studied)))
}

fn read_players(text: &str) -> anyhow::Result<Vec<Player>> {
    let players = text.split(',').map(|name| name.trim().parse::<Player>());
    Ok(players.collect::<Result<Vec<_>, _>>().map_err(|error| BadInput(format!("players: {error}")))?)
}

fn read_games(text: &str, players: usize) -> anyhow::Result<Vec<u64>> {
    let read =
        |number: &str| number.trim().parse::<u64>().ok().filter(|games| (2..=10_000_000).contains(games));
    let games: Option<Vec<u64>> = text.split(',').map(read).collect();
    match games {
        Some(games) if games.len() == players => Ok(games),
        Some(games) if games.len() == 1 => Ok(vec![games[0]; players]),
        _ => Err(BadInput(format!(
            "games must be a number from 2 to 10,000,000, or one per player, not \"{}\"",
            quote(text)
        ))
        .into()),
    }
}

/// Returns the results as text for people.
pub(super) fn page(studied: &Studied<'_>) -> String {
    let Studied { study, .. } = studied;
    let exact = &study.exact;
    let start = format!("The player who starts has an expected result of {:.12}.", study.value);
    let agreement = (exact.result.mean - study.value) / exact.result.error;
    let played = match exact.record {
        Some([won, drawn, lost]) => format!(
            "{} games of exact play against itself: the player who starts won {}, drew {} and lost {}; result {}, \
             {agreement:+.2} standard errors from the value. Mean totals {:.3} and {:.3}.",
            output::grouped(exact.games),
            output::grouped(won),
            output::grouped(drawn),
            output::grouped(lost),
            output::with_error(exact.result.mean, exact.result.error, 6),
            exact.totals[0].mean,
            exact.totals[1].mean,
        ),
        None => format!(
            "{} games of exact play against itself, up to the turns that are stored: the mean value after them is {}, \
             {agreement:+.2} standard errors from the value of the start.",
            output::grouped(exact.games),
            output::with_error(exact.result.mean, exact.result.error, 6),
        ),
    };
    let parts = [
        start,
        played,
        players_table(studied),
        turns_table(studied),
        compared_table(study),
        equal_table(study),
    ];
    parts.join("\n\n")
}

/// Returns the table of results against exact play.
fn players_table(studied: &Studied<'_>) -> String {
    let mut rows = Vec::new();
    for (name, seats) in studied.names.iter().zip(&studied.study.strategies) {
        for (seat, found) in SEATS.iter().zip(seats) {
            let [won, drawn, lost] = found.record.map_or(["-", "-", "-"].map(String::from), |record| {
                record.map(|games| format!("{:.2} %", 100.0 * games as f64 / found.games as f64))
            });
            rows.push(vec![
                name.to_string(),
                seat.to_string(),
                output::grouped(found.games),
                output::with_error(found.expected_result.mean, found.expected_result.error, 6),
                output::with_error(found.result.mean, found.result.error, 4),
                output::with_error(found.loss.mean, found.loss.error, 6),
                won,
                drawn,
                lost,
            ]);
        }
    }
    let headings = [
        "player",
        "seat",
        ">games",
        ">expected result",
        ">result",
        ">loss per game",
        ">won",
        ">drawn",
        ">lost",
    ];
    output::table(&headings, rows)
}

/// Returns the mean loss per decision of a strategy in both seats, with a number of own open boxes. `None` if it was not
/// studied.
pub fn both_seats(seats: &[StrategyStudy; 2], open: usize) -> Option<(Mean, f64)> {
    let turns = seats.iter().filter_map(|seat| seat.turns.iter().find(|turn| turn.open == open));
    let turns: Vec<_> = turns.collect();
    let n = turns.len() as f64;
    let mean = turns.iter().map(|turn| turn.loss.mean).sum::<f64>() / n;
    let error = turns.iter().map(|turn| turn.loss.error.powi(2)).sum::<f64>().sqrt() / n;
    let differs = turns.iter().map(|turn| turn.differs).sum::<f64>() / n;
    (!turns.is_empty()).then_some((Mean { mean, error }, differs))
}

/// Returns the table of losses per decision by turn.
fn turns_table(studied: &Studied<'_>) -> String {
    let Studied { names, study, game, .. } = studied;
    let mut headings = vec![">open boxes".to_string()];
    headings.extend(names.iter().map(|name| format!(">{name}")));
    let row = |open: usize| {
        let cell = |seats: &[StrategyStudy; 2]| match both_seats(seats, open) {
            Some((Mean { mean, error }, differs)) => {
                format!("{:.2} ± {:.2} ({:.1} %)", 1e6 * mean, 1e6 * error, 100.0 * differs)
            }
            None => "-".to_string(),
        };
        let mut row = vec![open.to_string()];
        row.extend(study.strategies.iter().map(cell));
        row
    };
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let table = output::table(&headings, (1..=game.space().boxes()).rev().map(row));
    format!(
        "Loss per decision in millionths of a game, by own open boxes, both seats (in brackets: decisions that are not \
         best choices):\n\n{table}"
    )
}

/// Returns the table of how the expected-score choices differ from the best ones.
fn compared_table(study: &Study) -> String {
    let [first, second] = &study.exact.compared;
    let rows = first.iter().map(|turn| {
        let of_second = second.iter().find(|other| other.open == turn.open);
        let differs = |share: f64| format!("{:.2} %", 100.0 * share);
        let loss = |loss: Mean| format!("{:.2}", 1e6 * loss.mean);
        vec![
            turn.open.to_string(),
            differs(turn.differs),
            of_second.map_or("-".into(), |turn| differs(turn.differs)),
            loss(turn.loss),
            of_second.map_or("-".into(), |turn| loss(turn.loss)),
        ]
    });
    let headings = [">open boxes", ">differs, first", ">differs, second", ">loss, first", ">loss, second"];
    format!(
        "In positions of exact play: decisions in which the expected-score choice is not a best one, and its loss per \
         decision in millionths of a game:\n\n{}",
        output::table(&headings, rows)
    )
}

/// Returns the table of the value of moving first with equal cards.
fn equal_table(study: &Study) -> String {
    let rows = study.exact.equal_cards.iter().map(|turn| {
        vec![
            turn.open.to_string(),
            output::with_error(turn.value.mean, turn.value.error, 6),
            format!("{:.2} %", 100.0 * turn.disadvantage),
        ]
    });
    format!(
        "The value of moving first if both players have the same card, averaged over the cards of exact play:\n\n{}",
        output::table(&[">open boxes each", ">value of moving first", ">cards with a disadvantage"], rows)
    )
}

/// Returns all numbers as JSON.
fn all_numbers(studied: &Studied<'_>) -> Value {
    let Studied { game, names, study, seed } = studied;
    let known = |number: f64| if number.is_finite() { json!(number) } else { Value::Null };
    let mean = |of: &Mean| json!({ "mean": known(of.mean), "error": known(of.error) });
    let turns = |turns: &[keepers::internals::study::TurnStudy]| -> Vec<Value> {
        let one = |turn: &keepers::internals::study::TurnStudy| {
            let leads = turn.leads.iter().map(|lead| {
                json!({ "from": lead.leads.0, "to": lead.leads.1, "games": lead.games, "loss": lead.loss, "differs": lead.differs })
            });
            json!({
                "open": turn.open, "games": turn.games, "loss": mean(&turn.loss),
                "loss_of_turn": mean(&turn.loss_of_turn), "decisions": turn.decisions, "differs": turn.differs,
                "leads": leads.collect::<Vec<_>>(),
            })
        };
        turns.iter().map(one).collect()
    };
    let mut players = Vec::new();
    for (name, seats) in names.iter().zip(&study.strategies) {
        for (seat, found) in SEATS.iter().zip(seats) {
            players.push(json!({
                "player": name.to_string(), "seat": seat, "games": found.games,
                "record": found.record, "result": mean(&found.result),
                "expected_result": mean(&found.expected_result), "loss": mean(&found.loss),
                "totals": found.totals.iter().map(mean).collect::<Vec<_>>(), "turns": turns(&found.turns),
            }));
        }
    }
    let exact = &study.exact;
    let equal = exact.equal_cards.iter().map(|turn| {
        json!({ "open": turn.open, "games": turn.games, "value": mean(&turn.value), "disadvantage": turn.disadvantage })
    });
    json!({
        "game": game.rules().name(), "fingerprint": output::fingerprint(game.rules()), "seed": seed,
        "value": study.value, "last_turn": study.last_turn, "resolution": study.resolution,
        "exact": {
            "games": exact.games, "record": exact.record, "result": mean(&exact.result),
            "standard_errors_from_value": known((exact.result.mean - study.value) / exact.result.error),
            "totals": exact.totals.iter().map(mean).collect::<Vec<_>>(),
            "compared": exact.compared.iter().map(|of| turns(of)).collect::<Vec<_>>(),
            "equal_cards": equal.collect::<Vec<_>>(),
        },
        "players": players,
    })
}
