//! Comparisons of players, tested with simulated players whose difference is known exactly.

#[allow(dead_code, reason = "only a part is needed here")]
mod truth;

use keepers::answers::{ComparedPlayers, DecisionKind, Difference, Pair, ReviewedGame, ValueFunction};
use keepers::internals::advise::advise;
use keepers::internals::compare::compare;
use keepers::{
    Action, Card, Engine, Face, Game, Goal, Keep, Objective, RandomStream, Record, Review, Roll, Rules,
};
use truth::{Compared, Dice, Truth};

const TOY: &str = r#"
name = "toy"
dice = 3
faces = 4
rolls = 3
[upper_bonus]
threshold = 12
points = 10
[[box]]
id = "1"
pattern = "face"
face = 1
[[box]]
id = "2"
pattern = "face"
face = 2
[[box]]
id = "3"
pattern = "face"
face = 3
[[box]]
id = "s"
pattern = "straight"
length = 3
pays = 12
[[box]]
id = "c"
pattern = "chance"
"#;

fn toy() -> Game {
    Game::new(Rules::from_toml(TOY).unwrap())
}

fn roll(game: &Game, random: &mut RandomStream, kept: Keep) -> Roll {
    let faces: Vec<Face> = Face::all(game.rules().faces()).collect();
    let mut dice = kept;
    while dice.len() < game.rules().dice().into() {
        dice = dice.with(faces[random.below(faces.len() as u32) as usize]);
    }
    game.lattice().roll(game.lattice().index_of(&dice))
}

/// Plays a game in which each player follows a value function; stops after `turns` turns of all players.
fn play(
    game: &Game,
    players: &[(&str, &dyn ValueFunction)],
    turns: usize,
    random: &mut RandomStream,
) -> Record {
    let names: Vec<&str> = players.iter().map(|(name, _)| *name).collect();
    let mut record = Record::new(game, &names).unwrap();
    for _ in 0..turns {
        let mover = record.position().to_move;
        let mut kept = Keep::NOTHING;
        for left in (0..game.rules().rolls()).rev() {
            let rolled = roll(game, random, kept);
            record.roll(rolled).unwrap();
            let card: Card = record.position().card().clone();
            match advise(players[mover].1, &card, rolled, left).unwrap().choices[0].action {
                // A keep of all dice ends the rolling.
                Action::Keep(keep) if keep == *rolled.dice() => {
                    let Action::Score(entry) =
                        advise(players[mover].1, &card, rolled, 0).unwrap().choices[0].action
                    else {
                        unreachable!()
                    };
                    record.score(entry.into).unwrap();
                    break;
                }
                Action::Keep(keep) => {
                    record.keep(keep).unwrap();
                    kept = keep;
                }
                Action::Score(entry) => {
                    record.score(entry.into).unwrap();
                }
            }
        }
    }
    record
}

fn reviews(engine: &Engine<'_>, game: &Game, records: &[Record]) -> Vec<Vec<Review>> {
    let one = |record: &Record| {
        let players: Vec<usize> = (0..record.players().len()).collect();
        engine.review(game, record, &players, &Goal::Score).unwrap()
    };
    records.iter().map(one).collect()
}

fn compared(records: &[Record], reviews: &[Vec<Review>]) -> ComparedPlayers {
    let games: Vec<ReviewedGame<'_>> = records
        .iter()
        .zip(reviews)
        .map(|(record, reviews)| ReviewedGame {
            players: record.players().iter().map(String::as_str).zip(reviews).collect(),
        })
        .collect();
    compare(&games)
}

/// Returns the advantage of the player `Best`, whatever the order of the pair.
fn of_best(found: &ComparedPlayers, of: impl Fn(&Pair) -> Difference) -> (f64, (f64, f64), Difference) {
    let pair = &found.pairs[0];
    let difference = of(pair);
    let (low, high) = difference.interval.unwrap();
    match found.players[pair.players[0]].name.as_str() {
        "Best" => (difference.mean, (low, high), difference),
        _ => (-difference.mean, (-high, -low), difference),
    }
}

#[test]
fn intervals_contain_the_true_difference_as_often_as_stated() {
    let (engine, game) = (Engine::in_memory(), toy());
    let empty = Card::empty(&game);
    let best = engine.value_function(&empty, &Objective::Expected).unwrap();
    // The other player plays for a target. The mean score of that strategy is known exactly.
    let target = Goal::Utility((0..=40).map(|score| f64::from(u8::from(score == 40))).collect());
    let other = engine.value_function(&empty, &target).unwrap();
    let truth = engine.value(&empty, &Objective::Expected).unwrap()
        - engine.distribution(&empty, &target).unwrap().0.mean();
    assert!(truth > 0.3, "{truth}");

    let (trials, games) = (300, 12);
    let mut random = RandomStream::new(11, 0);
    let (mut by_score, mut by_loss, mut widths) = (0, 0, [0.0, 0.0]);
    for trial in 0..trials {
        // Half of the trials have both players in each game, half have games of one player.
        let together = trial % 2 == 0;
        let boxes = game.rules().boxes().values().len();
        let players: [(&str, &dyn ValueFunction); 2] = [("Best", &*best), ("Other", &*other)];
        let mut records = Vec::new();
        for _ in 0..games {
            if together {
                records.push(play(&game, &players, 2 * boxes, &mut random));
            } else {
                records.extend(players.map(|player| play(&game, &[player], boxes, &mut random)));
            }
        }
        let reviews = reviews(&engine, &game, &records);
        let found = compared(&records, &reviews);
        let (score, score_interval, score_difference) = of_best(&found, |pair| pair.by_score);
        let (loss, loss_interval, loss_difference) = of_best(&found, |pair| pair.by_loss);
        assert_eq!((score_difference.paired, loss_difference.paired), (together, together));
        // Score = start + luck - loss: the two estimates differ by the luck alone.
        let luck = |name: &str| {
            let player = found.players.iter().find(|player| player.name == name).unwrap();
            player.dice.luck / games as f64
        };
        assert!((score - loss - (luck("Best") - luck("Other"))).abs() < 1e-9, "{score} {loss}");
        for (interval, held, width) in [(score_interval, &mut by_score, 0), (loss_interval, &mut by_loss, 1)]
        {
            *held += usize::from(interval.0 <= truth && truth <= interval.1);
            widths[width] += interval.1 - interval.0;
        }
        for difference in [score_difference, loss_difference] {
            assert_eq!(difference.games_needed == Some(0), difference.is_decided());
        }
        assert_eq!(found.pairs[0].head_to_head.games(), if together { games } else { 0 });
    }
    // Three standard errors of a share of 0.95 in 300 trials are 0.038. Losses are skewed, so their intervals hold less
    // often in small samples.
    let share = |held: usize| held as f64 / f64::from(trials);
    assert!((0.912..=0.988).contains(&share(by_score)), "{}", share(by_score));
    assert!((0.87..=0.988).contains(&share(by_loss)), "{}", share(by_loss));
    assert!(widths[1] < widths[0] / 2.0, "losses do not contain luck: {widths:?}");
}

#[test]
fn a_perfect_player_is_found_better_and_luck_is_not_counted() {
    let (engine, game) = (Engine::in_memory(), toy());
    let empty = Card::empty(&game);
    let best = engine.value_function(&empty, &Objective::Expected).unwrap();
    let target = Goal::Utility((0..=40).map(|score| f64::from(u8::from(score == 40))).collect());
    let other = engine.value_function(&empty, &target).unwrap();
    let mut random = RandomStream::new(12, 0);
    let players: [(&str, &dyn ValueFunction); 2] = [("Other", &*other), ("Best", &*best)];
    let mut records: Vec<Record> = (0..40).map(|_| play(&game, &players, 10, &mut random)).collect();
    // An unfinished game counts for decisions and dice, but not for scores.
    records.push(play(&game, &players, 5, &mut random));
    let reviews = reviews(&engine, &game, &records);
    let found = compared(&records, &reviews);
    let [first, second] = &found.players[..] else { panic!("two players") };
    assert_eq!((first.name.as_str(), first.error, first.loss.unwrap().0), ("Best", 0.0, 0.0));
    assert_eq!((first.games, first.finished, second.games, second.finished), (41, 40, 41, 40));
    let pair = &found.pairs[0];
    assert!(pair.by_loss.is_decided() && pair.by_loss.mean > 0.0);

    // Means, results and the number of games needed, worked out again.
    let scores = |player: usize| reviews[..40].iter().map(move |of| f64::from(of[player].card.total()));
    let mean = scores(1).sum::<f64>() / 40.0;
    assert!((first.score.unwrap().0 - mean).abs() < 1e-12);
    let differences: Vec<f64> = scores(1).zip(scores(0)).map(|(best, other)| best - other).collect();
    let mean = differences.iter().sum::<f64>() / 40.0;
    let variance = differences.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 39.0;
    assert!((pair.by_score.mean - mean).abs() < 1e-12);
    let error = (variance / 40.0).sqrt();
    assert!((pair.by_score.error.unwrap() - error).abs() < 1e-12);
    // 2.0227 is the quantile for 39 degrees of freedom in printed tables.
    let (low, high) = pair.by_score.interval.unwrap();
    assert!((high - low - 2.0 * 2.0227 * error).abs() < 1e-3 * error);
    let wins = differences.iter().filter(|value| **value > 0.0).count();
    let draws = differences.iter().filter(|value| **value == 0.0).count();
    let found_results = pair.head_to_head;
    assert_eq!((found_results.wins, found_results.draws), (wins, draws));
    assert_eq!(found_results.games(), 40);
    if let Some(more @ 1..) = pair.by_score.games_needed {
        // With many games the quantile is close to 1.96, and a little above it.
        let all = (more + 40) as f64;
        let least = (1.96 / mean).powi(2) * variance;
        assert!(all >= least && all <= 1.06 * least + 1.0, "{all} {least}");
    }

    // The trends of the kinds add up to that of all decisions.
    for (nth, player) in [(1, first), (0, second)] {
        let [all, kinds @ ..] = &player.trends[..] else { panic!("trends") };
        assert_eq!((all.kind, kinds.len()), (DecisionKind::All, 3));
        for (game, loss) in all.losses.iter().enumerate() {
            let sum: f64 = kinds.iter().map(|kind| kind.losses[game]).sum();
            assert!((sum - loss).abs() < 1e-9);
            assert!((reviews[game][nth].loss() - loss).abs() < 1e-9);
        }
    }
}

#[test]
fn games_needed_fall_to_zero_as_games_are_played() {
    let (engine, game) = (Engine::in_memory(), toy());
    let empty = Card::empty(&game);
    let best = engine.value_function(&empty, &Objective::Expected).unwrap();
    let target = Goal::Utility((0..=40).map(|score| f64::from(u8::from(score == 40))).collect());
    let other = engine.value_function(&empty, &target).unwrap();
    let players: [(&str, &dyn ValueFunction); 2] = [("Other", &*other), ("Best", &*best)];
    let mut random = RandomStream::new(13, 0);
    let records: Vec<Record> = (0..300).map(|_| play(&game, &players, 10, &mut random)).collect();
    let reviews = reviews(&engine, &game, &records);
    let after = |games: usize| compared(&records[..games], &reviews[..games]).pairs[0].clone();
    assert_eq!(after(1).by_score.interval, None, "one game has no spread");
    assert_eq!(after(1).by_score.games_needed, None);
    let all = after(300);
    assert_eq!(all.by_loss.games_needed, Some(0));
    // As many games as were said to be missing are about enough.
    let early = after(10).by_loss;
    if let Some(more @ 1..) = early.games_needed {
        assert!(more < 290);
    }
}

#[test]
fn dice_are_counted_and_their_luck_has_the_exact_variance() {
    let (engine, game) = (Engine::in_memory(), toy());
    let empty = Card::empty(&game);
    let best = engine.value_function(&empty, &Objective::Expected).unwrap();
    let mut random = RandomStream::new(14, 0);
    let players: [(&str, &dyn ValueFunction); 1] = [("Ann", &*best)];
    let records: Vec<Record> = (0..2000).map(|_| play(&game, &players, 5, &mut random)).collect();
    let all = reviews(&engine, &game, &records);

    // The variance of single rolls, from the values of all rolls that could have come.
    let mut dice = Dice::new(&game);
    for review in all.iter().take(20).flatten() {
        for turn in &review.turns {
            let mut truth = Truth::new(&turn.card, &mut dice, &*best, Compared::Points);
            let mut kept = Keep::NOTHING;
            for rolled in &turn.rolls {
                let outcomes: Vec<(f64, f64)> = truth
                    .dice
                    .becomes(kept)
                    .to_vec()
                    .into_iter()
                    .map(|(roll, probability)| (probability, truth.roll(roll, rolled.rolls_left)))
                    .collect();
                let mean: f64 = outcomes.iter().map(|(p, value)| p * value).sum();
                let variance: f64 = outcomes.iter().map(|(p, value)| p * (value - mean).powi(2)).sum();
                assert!((rolled.luck_variance - variance).abs() < 1e-9);
                if let Action::Keep(keep) = rolled.decisions[0].action {
                    kept = keep;
                }
            }
        }
    }

    // The luck of whole games varies as much as stated: three standard errors of a variance of 2000 games are 9.5 %.
    let (mut squares, mut variances) = (0.0, 0.0);
    for (record, reviews) in records.iter().zip(&all) {
        let one = compared(std::slice::from_ref(record), std::slice::from_ref(reviews));
        let dice = &one.players[0].dice;
        squares += dice.luck.powi(2);
        variances += dice.deviation.powi(2);
    }
    assert!((squares / variances - 1.0).abs() < 0.095, "{}", squares / variances);

    let found = compared(&records, &all);
    let dice = &found.players[0].dice;
    assert!(dice.score().unwrap().abs() < 4.0);
    // Thrown dice, counted in the text of the records.
    let mut counts = [0; 4];
    for record in &records {
        let mut kept = String::new();
        for line in
            record.to_string().lines().skip_while(|line| !line.is_empty()).filter(|line| !line.is_empty())
        {
            let (dice, action) = line.split_once(' ').unwrap();
            let mut left = kept.clone();
            for die in dice.chars() {
                match left.find(die) {
                    Some(at) => drop(left.remove(at)),
                    None => counts[die.to_digit(10).unwrap() as usize - 1] += 1,
                }
            }
            kept = if action.contains('=') { String::new() } else { action.replace('-', "") };
        }
    }
    let found: Vec<usize> = dice.faces.iter().map(|face| face.count).collect();
    assert_eq!(found, counts);
    let thrown: usize = counts.iter().sum();
    for face in &dice.faces {
        assert!((face.expected - thrown as f64 / 4.0).abs() < 1e-9);
        assert!((face.count as f64 - face.expected).abs() < 4.0 * face.deviation, "{face:?}");
    }
}
