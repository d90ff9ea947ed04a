//! `keepers tournament`: the strategy that wins against N opponents, and by how much.

use std::sync::Arc;

use keepers::evaluate::{Statistics, percentile};
use keepers::tournament::{
    MOST_OPPONENTS, Ties, best_of, expected_worth, mixture, observed_scores, read_kinds, win_chance,
};
use keepers::{Card, Game, Objective};
use serde::Serialize;

use crate::args::{self, Tournament};
use crate::bad_input::{BadInput, Problems};
use crate::commands::equilibrium;
use crate::output;
use crate::plot;
use crate::session::{self, Session};

#[derive(Serialize)]
struct Answer {
    rules: String,
    opponent: String,
    sizes: Vec<Size>,
}

/// What was found for one number of opponents.
#[derive(Serialize)]
pub struct Size {
    pub opponents: u32,
    pub win: f64,
    pub win_if_expected: f64,
    pub advantage: f64,
    pub mean: f64,
    pub sd: f64,
    pub median_to_beat: usize,
    probability: Vec<f64>,
    /// The chance of winning with each final score.
    #[serde(skip)]
    pub worth: Vec<f64>,
    /// The distribution of the best opponent's score.
    #[serde(skip)]
    pub to_beat: Vec<f64>,
    /// What the best strategy gets.
    #[serde(skip)]
    pub statistics: Statistics,
}

pub fn run(session: &Session, args: &Tournament) -> anyhow::Result<()> {
    let game = session::game(&args.game.rules)?;
    let mut problems = Problems::default();
    let sizes = problems.note("opponents", read_sizes(&args.opponents));
    let judge = problems.note("judge", session::judge(&game, args.judge.as_deref()));
    let advantage = problems.note("plot", plot::files(&args.plot));
    let scores = problems.note("plot-scores", plot::files(&args.plot_scores));
    let grids = problems.note("plot-grid", plot::files(&args.plot_grid));
    problems.note("plot", plot::check_distinct(&[&args.plot, &args.plot_scores, &args.plot_grid]));
    if args.opponent == "self" {
        problems.note("plot", plot::check_none(&[&args.plot_scores, &args.plot_grid]));
    }
    let opponent =
        if args.opponent == "self" { None } else { problems.note("opponent", Opponents::read(args)) };
    problems.check()?;
    let (Some(sizes), Some(judge)) = (sizes, judge) else { unreachable!("all problems were told") };
    let ties = match args.ties {
        args::Ties::Lose => Ties::Lose,
        args::Ties::Share => Ties::Share,
    };
    let Some(opponents) = opponent else {
        let expected = session.engine.expected_statistics(&game)?;
        return equilibrium::run(
            session,
            args,
            &game,
            &sizes,
            ties,
            &expected,
            &advantage.unwrap_or_default(),
        );
    };
    let field = opponents.scores(session, &game)?;
    let expected = session.engine.expected_statistics(&game)?;
    let one = |n| one_size(session, &game, &field, &expected.probability, n, ties);
    let sizes = sizes.into_iter().map(one).collect::<Result<Vec<Size>, BadInput>>()?;
    let opponent = match &args.opponent_scores {
        Some(file) => file.display().to_string(),
        None => args.opponent.clone(),
    };
    let shown =
        plot::Field { game: &game, opponent: &opponent, scores: &field, expected: &expected, sizes: &sizes };
    plot::write(&advantage.unwrap_or_default(), &args.look, || plot::advantage(&shown))?;
    plot::write(&scores.unwrap_or_default(), &args.look, || plot::scores(&shown))?;
    plot::write(&grids.unwrap_or_default(), &args.look, || plot::grids(&shown, &judge))?;
    let answer = Answer { rules: game.rules().name().to_string(), opponent, sizes };
    if session.json { output::json(&answer) } else { output::text(&page(&answer)) }
}

/// Who the opponents are.
enum Opponents {
    /// The distribution of scores that were observed.
    Observed(Vec<f64>),
    /// Strategies, each with its share.
    Kinds(Vec<(f64, Objective)>),
}

impl Opponents {
    fn read(args: &Tournament) -> Result<Opponents, BadInput> {
        let Some(file) = &args.opponent_scores else {
            return read_kinds(&args.opponent)
                .map(Opponents::Kinds)
                .map_err(|error| BadInput(error.to_string()));
        };
        let name = file.display();
        let text = std::fs::read_to_string(file)
            .map_err(|error| BadInput(format!("the file {name} cannot be read: {error}")))?;
        observed_scores(&text).map(Opponents::Observed).map_err(|error| BadInput(format!("{name}: {error}")))
    }

    /// The distribution of one opponent's final score.
    fn scores(self, session: &Session, game: &Arc<Game>) -> Result<Vec<f64>, BadInput> {
        let kinds = match self {
            Opponents::Observed(scores) => return Ok(scores),
            Opponents::Kinds(kinds) => kinds,
        };
        let empty = Card::empty(game);
        let scores = |(share, strategy): (f64, Objective)| {
            Ok((share, session.statistics(game, &empty, &strategy)?.probability.clone()))
        };
        Ok(mixture(&kinds.into_iter().map(scores).collect::<Result<Vec<_>, BadInput>>()?))
    }
}

fn read_sizes(text: &str) -> Result<Vec<u32>, BadInput> {
    let read = |part: &str| part.trim().parse::<u32>().ok().filter(|n| (1..=MOST_OPPONENTS).contains(n));
    text.split(',').map(read).collect::<Option<Vec<u32>>>().ok_or_else(|| {
        let wanted = format!("write one or more whole numbers from 1 to {MOST_OPPONENTS}, like 1,10,100");
        BadInput(format!("\"{text}\" is not a list of numbers of opponents: {wanted}"))
    })
}

fn one_size(
    session: &Session,
    game: &Arc<Game>,
    field: &[f64],
    expected: &[f64],
    opponents: u32,
    ties: Ties,
) -> Result<Size, BadInput> {
    let worth = win_chance(field, opponents, ties);
    let solved = session.engine.best(game, &Card::empty(game), &worth)?;
    let (table, best) = (&solved.table, session.engine.statistics_of(&solved));
    let win_if_expected = expected_worth(expected, &worth);
    let to_beat = best_of(field, opponents);
    Ok(Size {
        opponents,
        win: table.value(),
        win_if_expected,
        // Against so many that nobody has a chance there is no advantage either.
        advantage: if win_if_expected > 0.0 { table.value() / win_if_expected - 1.0 } else { 0.0 },
        mean: best.mean(),
        sd: best.deviation(),
        median_to_beat: percentile(&to_beat, 0.5),
        probability: best.probability.clone(),
        worth,
        to_beat,
        statistics: best,
    })
}

fn page(answer: &Answer) -> String {
    let rows = answer.sizes.iter().map(|size| {
        vec![
            output::grouped(size.opponents as usize),
            output::percent(size.win),
            output::percent(size.win_if_expected),
            format!("{:+.2} %", 100.0 * size.advantage),
            format!("{:.2}", size.mean),
            format!("{:.2}", size.sd),
            size.median_to_beat.to_string(),
        ]
    });
    let headings = [
        ">opponents",
        ">best chance",
        ">if expected",
        ">advantage",
        ">mean",
        ">deviation",
        ">median to beat",
    ];
    format!("{}, against {}\n\n{}", answer.rules, answer.opponent, output::table(&headings, rows))
}
