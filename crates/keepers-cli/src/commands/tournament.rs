//! `keepers tournament`: shows how often the best strategy wins against N opponents, and its advantage.

use keepers::Objective;
use keepers::internals::tournament::{MAX_OPPONENTS, read_field, read_kinds};
use keepers_api::{TiesName, TournamentAnswer, TournamentRequest, TournamentSizeView};

use crate::args::{self, Tournament};
use crate::commands::equilibrium;
use crate::inputs::{Inputs, read_rules};
use crate::output::{self, escaped};
use crate::plot;
use crate::session::Session;

pub fn run(session: &Session, args: &Tournament) -> anyhow::Result<()> {
    let mut inputs = Inputs::new(session);
    let rules = inputs.rules(&args.game.rules);
    let given = Some(args.opponents.clone()).filter(|text| text.contains('*'));
    let sizes = match given {
        Some(_) => Vec::new(),
        None => inputs.note("opponents", read_sizes(&args.opponents)).unwrap_or_else(|| vec![1]),
    };
    if given.is_some() && (args.opponent != "expected" || args.opponent_scores.is_some()) {
        inputs.add(
            "opponents",
            "a field of given opponents has its own strategies: drop opponent and opponent-scores",
        );
    }
    let judge = inputs.judge(args.judge.as_deref());
    let advantage = inputs.note("plot", plot::files(&args.plot)).unwrap_or_default();
    let scores = inputs.note("plot-scores", plot::files(&args.plot_scores)).unwrap_or_default();
    let grids = inputs.note("plot-grid", plot::files(&args.plot_grid)).unwrap_or_default();
    inputs.note("plot", plot::check_distinct(&[&args.plot, &args.plot_scores, &args.plot_grid]));
    if args.opponent == "self" && args.opponent_scores.is_none() {
        if args.same_dice.is_some() {
            inputs.add("same-dice", "needs opponents of given strategies, not self");
        }
        inputs.note("plot", plot::check_none(&[&args.plot_scores, &args.plot_grid]));
        return equilibrium::run(session, args, &inputs, rules, sizes, &advantage);
    }
    let opponent_scores = args.opponent_scores.as_ref().and_then(|path| {
        inputs.call("opponent_scores", escaped(&path.display().to_string()));
        inputs.file("opponent-scores", path)
    });
    let kinds: Vec<Objective> = match &given {
        Some(field) => read_field(field).unwrap_or_default().into_iter().map(|(_, kind)| kind).collect(),
        None => read_kinds(&args.opponent).unwrap_or_default().into_iter().map(|(_, kind)| kind).collect(),
    };
    let utilities = inputs.utilities("opponent", &kinds);
    inputs.call("given", "opponents".to_string());
    let request = TournamentRequest {
        rules,
        opponents: sizes,
        opponent: Some(args.opponent.clone()).filter(|_| args.opponent_scores.is_none() && given.is_none()),
        given,
        opponent_scores,
        utilities,
        ties: ties(args),
        judge,
        same_dice: args.same_dice,
        seed: args.seed.map(Into::into),
    };
    let answer = inputs.ask(&request)?;
    let game = session.game(&request.rules)?;
    let opponent = match &args.opponent_scores {
        _ if request.given.is_some() => escaped(&args.opponents),
        Some(path) => escaped(&path.display().to_string()),
        None => escaped(&args.opponent),
    };
    let shown =
        plot::Field { game: &game, opponent: &opponent, scores: &answer.field, result: &answer.result };
    plot::write(&advantage, &args.look, || plot::advantage(&shown))?;
    plot::write(&scores, &args.look, || plot::scores(&shown))?;
    let judge = request.judge.as_deref().and_then(read_rules);
    let judge = judge.as_ref().unwrap_or(game.rules());
    plot::write(&grids, &args.look, || plot::grids(&shown, judge))?;
    if session.json { output::json(&answer) } else { output::text(&page(&answer, &opponent)) }
}

/// Converts the result of a tie for the best score.
pub fn ties(args: &Tournament) -> TiesName {
    match args.ties {
        args::Ties::Lose => TiesName::Lose,
        args::Ties::Share => TiesName::Share,
    }
}

fn read_sizes(text: &str) -> Result<Vec<u32>, String> {
    let read = |part: &str| part.trim().parse::<u32>().ok().filter(|n| (1..=MAX_OPPONENTS).contains(n));
    text.split(',').map(read).collect::<Option<Vec<u32>>>().ok_or_else(|| {
        let shown = keepers::internals::text::quote(text);
        format!("must be whole numbers from 1 to {MAX_OPPONENTS}, like 1,10,100, not \"{shown}\"")
    })
}

fn page(answer: &TournamentAnswer, opponent: &str) -> String {
    let rows = answer.sizes.iter().map(|size| {
        vec![
            output::grouped(size.opponents as usize),
            output::percent_in_full(size.win),
            output::percent_in_full(size.win_if_expected),
            format!("{:+.2} %", 100.0 * size.advantage),
            format!("{:.2}", size.mean),
            format!("{:.2}", size.sd),
            size.median_to_beat.to_string(),
        ]
    });
    let headings = [
        ">opponents",
        ">win probability",
        ">if playing for score",
        ">advantage",
        ">mean",
        ">deviation",
        ">median to beat",
    ];
    let table = output::table(&headings, rows);
    let same_dice = same_dice(answer).map_or(String::new(), |page| format!("\n\n{page}"));
    format!("{}, against {opponent}\n\n{table}{same_dice}", answer.rules)
}

/// The results of tournaments on the same dice, if they were played.
fn same_dice(answer: &TournamentAnswer) -> Option<String> {
    let of_size = |size: &TournamentSizeView| {
        let same = size.same_dice?;
        Some(vec![
            output::grouped(size.opponents as usize),
            format!("{} ± {}", output::percent_in_full(same.win), output::percent_in_full(same.win_error)),
            output::percent_in_full(same.tied),
            output::percent_in_full(same.win_if_expected),
            same.median_to_beat.to_string(),
        ])
    };
    let rows: Vec<Vec<String>> = answer.sizes.iter().filter_map(of_size).collect();
    let games = answer.sizes.first()?.same_dice?.games;
    let headings = [">opponents", ">wins", ">ties", ">wins if playing for score", ">median to beat"];
    let games = output::count(games as usize, "tournament", "tournaments");
    Some(format!("the same strategies on the same dice, {games} each\n\n{}", output::table(&headings, rows)))
}
