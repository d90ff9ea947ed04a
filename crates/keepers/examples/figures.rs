//! tmp
use keepers::*;
fn main() {
    let n: usize = std::env::args().nth(1).map_or(2, |s| s.parse().unwrap());
    let only = std::env::args().nth(2);
    rayon::ThreadPoolBuilder::new().num_threads(n).build_global().unwrap();
    for p in rules::PRESETS {
        if only.is_none() && p.name == "maxi-yatzy" {
            continue;
        }
        if only.as_ref().is_some_and(|o| o != p.name) {
            continue;
        }
        let mut best = 1e9f64;
        let mut v = 0.0;
        let mut tg = 0.0;
        let mut s = 0;
        for _ in 0..if p.name == "maxi-yatzy" { 1 } else { 5 } {
            let t = std::time::Instant::now();
            let game = Game::new(Rules::preset(p.name).unwrap());
            tg = t.elapsed().as_secs_f64();
            let r = solve::expected_scores(&game, &|_, _| ());
            best = best.min(t.elapsed().as_secs_f64());
            v = *r.last().unwrap();
            s = game.space().states();
        }
        println!("{:20} {v:.9} {s} game {tg:.4} total {best:.4}", p.name);
    }
}
