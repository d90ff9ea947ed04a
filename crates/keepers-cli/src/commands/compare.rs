//! `keepers compare`: shows who is better over several recorded games.

use keepers::answers::{
    ComparedPlayers, DecisionKind, Difference, HeadToHead, Pair, PlayerStatistics, Trend,
};
use keepers::{Grade, Rules};
use keepers_api::{CompareRequest, Question};

use crate::args;
use crate::bad_input::BadInput;
use crate::commands::review::files::{self, Source};
use crate::inputs::rules_text;
use crate::output::{self, escaped};
use crate::session::{Session, refused};

pub fn run(session: &Session, args: &args::Compare) -> anyhow::Result<()> {
    let (sources, _) = files::find(&args.files)?;
    let given = args.rules.as_deref().map(given_rules).transpose()?;
    let mut records = Vec::new();
    let mut beside = None;
    for source in &sources {
        let named = |error: String| BadInput(format!("{}: {error}", escaped(&source.name)));
        let record = source.read().map_err(named)?;
        if given.is_none() && beside.is_none() {
            beside = source.rules(&record).map_err(named)?;
        }
        records.push(record);
    }
    let request = CompareRequest { records, rules: given.or(beside) };
    let answer = request.answer(&session.service, &session.observer);
    session.observer.clear();
    let answer = answer.map_err(|refusal| refused(&refusal, |field| in_file(&sources, field)))?;
    if session.json {
        return output::json(&answer);
    }
    let games = output::count(answer.games, "game", "games");
    let title = format!("{}, {games}", escaped(&answer.rules));
    output::text(&format!("{title}\n\n{}", page(&answer.compared)))
}

/// Returns the rules of the command line as TOML, which the service prefers to the rules that a record names.
fn given_rules(name: &str) -> Result<String, BadInput> {
    let text = rules_text(name).map_err(|error| BadInput(format!("rules: {error}")))?;
    Ok(Rules::preset(name).map_or(text, |rules| rules.to_toml()))
}

/// Returns the name of a field in messages: the file for a record.
fn in_file(sources: &[Source], field: &str) -> String {
    let number = field.strip_prefix("records[").and_then(|rest| rest.strip_suffix(']'));
    let source = number.and_then(|number| sources.get(number.parse::<usize>().ok()?));
    source.map_or_else(|| field.to_string(), |source| escaped(&source.name))
}

/// Formats a comparison: the players, every two of them, the trends and the dice.
fn page(compared: &ComparedPlayers) -> String {
    let parts = [players(compared), pairs(compared, |_| true), trends(compared), dice(compared)];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

fn players(compared: &ComparedPlayers) -> String {
    let mean = |of: Option<(f64, f64)>| {
        of.map_or("-".to_string(), |(mean, error)| output::with_error(mean, error, 1))
    };
    let rows = compared.players.iter().map(|player| {
        vec![
            escaped(&player.name),
            output::grouped(player.games),
            output::grouped(player.finished),
            mean(player.score),
            mean(player.loss),
            format!("{:.3}", player.error),
            Grade::of_points(player.error).to_string(),
        ]
    });
    output::table(&["player", ">games", ">finished", ">score", ">loss", ">loss per decision", "grade"], rows)
}

/// Formats every two players that are `shown`: who is better by score and by loss, and the games between them. Empty
/// without pairs.
pub fn pairs(compared: &ComparedPlayers, shown: fn(&Pair) -> bool) -> String {
    let one = |pair: &Pair| {
        let names = pair.players.map(|nth| escaped(&compared.players[nth].name));
        let mut lines = vec![
            format!("{} and {}", names[0], names[1]),
            format!("  by score: {}", difference(&pair.by_score, &names)),
            format!("  by loss:  {}", difference(&pair.by_loss, &names)),
        ];
        lines.extend(head_to_head(&pair.head_to_head, &names));
        lines.join("\n")
    };
    compared.pairs.iter().filter(|pair| shown(pair)).map(one).collect::<Vec<_>>().join("\n\n")
}

/// Describes a difference: `Ann is better by 12.3 points per game (95 %: 2.0 to 22.6)`.
fn difference(of: &Difference, [first, second]: &[String; 2]) -> String {
    let (better, other, sign) = if of.mean >= 0.0 { (first, second, 1.0) } else { (second, first, -1.0) };
    let by = format!("{:.1} points per game", of.mean.abs());
    let Some((low, high)) = of.interval else {
        return format!("{better} is ahead of {other} by {by}; two games of each are needed to say more");
    };
    let (low, high) = if sign > 0.0 { (low, high) } else { (-high, -low) };
    let range = format!("95 % interval {low:+.1} to {high:+.1}");
    if of.is_decided() {
        return format!("{better} is better by {by} ({range})");
    }
    let more = match of.games_needed {
        Some(games) => format!("about {} would show it", output::count(games, "more game", "more games")),
        None => "no number of games up to a million would show it".to_string(),
    };
    format!("{better} leads by {by}, which may be coincidence ({range}); {more} at this rate")
}

fn head_to_head(of: &HeadToHead, [first, second]: &[String; 2]) -> Option<String> {
    let (low, high) = of.interval()?;
    let games = output::count(of.games(), "game", "games");
    Some(format!(
        "  together: {first} won {} of {games}, {second} {}, {} drawn (share of {first}: {:.0} to {:.0} %)",
        of.wins,
        of.losses,
        of.draws,
        100.0 * low,
        100.0 * high
    ))
}

fn trends(compared: &ComparedPlayers) -> String {
    let row = |player: &PlayerStatistics, trend: &Trend| {
        let slope = trend.slope.map_or("-".to_string(), |(slope, error)| format!("{slope:+.2} ± {error:.2}"));
        vec![escaped(&player.name), kind(trend.kind), format!("{:.2}", trend.mean()), slope]
    };
    let rows: Vec<Vec<String>> = compared
        .players
        .iter()
        .flat_map(|player| player.trends.iter().map(move |trend| row(player, trend)))
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    output::table(&["player", "decision", ">loss per game", ">change per game"], rows)
}

fn kind(kind: DecisionKind) -> String {
    match kind {
        DecisionKind::All => "all".to_string(),
        DecisionKind::Keep { rolls_left } => {
            format!("keep, {} left", output::count(rolls_left.into(), "roll", "rolls"))
        }
        DecisionKind::Score => "box".to_string(),
    }
}

fn dice(compared: &ComparedPlayers) -> String {
    let faces = compared.players.first().map_or(0, |player| player.dice.faces.len());
    let shown: Vec<String> = (1..=faces).map(|face| format!(">{face}s")).collect();
    let headings: Vec<&str> = ["player", ">rolls", ">luck", ">in deviations"]
        .into_iter()
        .chain(shown.iter().map(String::as_str))
        .chain([">expected"])
        .collect();
    let rows = compared.players.iter().map(|player| {
        let dice = &player.dice;
        let first = vec![
            escaped(&player.name),
            output::grouped(dice.rolls),
            format!("{:+.1}", dice.luck),
            dice.score().map_or("-".to_string(), |score| format!("{score:+.2}")),
        ];
        let expected = dice.faces.first();
        let expected =
            expected.map_or(String::new(), |of| format!("{:.1} ± {:.1}", of.expected, of.deviation));
        let counts = dice.faces.iter().map(|face| output::grouped(face.count));
        first.into_iter().chain(counts).chain([expected]).collect()
    });
    output::table(&headings, rows)
}
