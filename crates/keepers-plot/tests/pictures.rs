//! Pictures are well-formed, complete and readable.

use keepers_plot::{Axis, Chart, Grid, Ink, Names, Picture, Point, Series, Theme, text_width};
use roxmltree::{Document, Node};

/// A bell of some width around a middle.
fn bell(middle: f64, width: f64) -> impl Iterator<Item = (f64, f64)> {
    (0..600).map(f64::from).map(move |x| (x, (-((x - middle) / width).powi(2)).exp() / width))
}

fn distributions() -> Chart {
    let mut chart = Chart::new(Axis::linear("final score"), Axis::linear("chance").percent().from(0.0))
        .title("Distributions that move")
        .names(Names::AtPeak);
    for (n, middle) in [150.0, 160.0, 250.0, 400.0].into_iter().enumerate() {
        chart = chart.series(Series::line(format!("best of {n}"), bell(middle, 30.0)).ink(Ink::Series(n)));
    }
    chart
}

fn rounds() -> Chart {
    let axis = Axis::linear("final score").from(100.0).to(420.0);
    let mut chart = Chart::new(axis, Axis::linear("chance").percent()).title("Round by round");
    for round in 0..12 {
        let t = f64::from(round) / 11.0;
        let series = Series::line(format!("round {round}"), bell(200.0 + 100.0 * t, 40.0));
        chart = chart.series(series.ink(Ink::Ramp(t)).thin());
    }
    chart
}

fn errors() -> Chart {
    let points = |factor: f64| {
        (1..=8).map(move |depth| {
            let y = factor * 0.5f64.powi(depth);
            Point::with_error(f64::from(depth), y, 0.3 * y)
        })
    };
    Chart::new(Axis::linear("depth"), Axis::log("error"))
        .title("Error against depth")
        .names(Names::AtEnd)
        .series(Series::line("one method", points(1.0)).ink(Ink::Series(0)).dotted())
        .series(Series::line("another method", points(1.1)).ink(Ink::Series(1)).dotted().dashed())
        .series(Series::points("seen", [(3.0, 0.1), (5.0, 0.0)]).ink(Ink::Series(2)))
}

fn histogram() -> Chart {
    let bars = (0..30).map(|n| (100.0 + 10.0 * f64::from(n), f64::from((n * 7) % 13)));
    Chart::new(Axis::linear("final score"), Axis::linear("games"))
        .title("A simulation")
        .series(Series::bars("simulated", 10.0, bars).ink(Ink::Series(0)))
        .series(Series::steps("computed", [(100.0, 6.0), (200.0, 9.0), (380.0, 2.0)]))
        .mark(240.0, "mean 240.00", Ink::Neutral)
        .mark(236.0, "median 236", Ink::Series(1))
        .note(380.0, 2.0, "380: the last", Ink::Series(1))
}

fn grid() -> Grid {
    let boxes = ["Ones", "Three of a Kind", "a box whose name is far too long for its place on the picture"];
    let mut grid = Grid::new((1..=13).map(|turn| turn.to_string()))
        .title("a strategy")
        .titles("turn", "whole game")
        .names("scored well", "scored badly");
    for (n, name) in boxes.into_iter().enumerate() {
        let cells = (0..13).map(|turn| [f64::from(turn) / 100.0, n as f64 / 50.0]);
        grid = grid.row(name, cells);
    }
    grid.with_tips()
}

fn pictures() -> Vec<(&'static str, Picture)> {
    let about = |picture: Picture| {
        picture.description("What it shows.").provenance("keepers 0.0.0, rules \"<toy> & co\", exact")
    };
    vec![
        (
            "charts",
            about(Picture::new("Charts").columns(2))
                .panel(distributions().size(420.0, 300.0))
                .panel(rounds().size(420.0, 340.0))
                .panel(errors().size(420.0, 300.0))
                .panel(histogram().size(420.0, 300.0)),
        ),
        ("one", about(Picture::new("One chart").subtitle("A line below it.")).panel(histogram())),
        (
            "grids",
            about(Picture::new("Grids").columns(2))
                .panel(grid())
                .panel(grid().without_row_names())
                .panel(grid().cell_size(10.0, 14.0)),
        ),
        (
            "mixed",
            about(Picture::new(
                "A <title> & \"more\"\u{1}, so long that it must be broken into several lines to \
             have a place above a picture that is this narrow",
            ))
            .panel(distributions().size(300.0, 260.0))
            .panel(grid()),
        ),
        ("empty", Picture::new("")),
        (
            "no data",
            Picture::new("Nothing")
                .panel(Chart::new(Axis::log("x"), Axis::log("y").percent()))
                .panel(Grid::new([""; 0]))
                .panel(Chart::new(Axis::linear("x"), Axis::linear("y")).series(
                    Series::line("odd", [(f64::NAN, 1.0), (1.0, f64::INFINITY), (2.0, -3.0)]).filled(),
                )),
        ),
    ]
}

fn number(node: Node, name: &str) -> f64 {
    node.attribute(name).map_or(0.0, |value| value.parse().expect("a number"))
}

/// What a text says, and left, top, right and bottom of it.
fn texts(document: &Document) -> Vec<(String, [f64; 4])> {
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts
        .map(|node| {
            let text = node.text().unwrap_or_default().to_string();
            let (x, y, size) = (number(node, "x"), number(node, "y"), number(node, "font-size"));
            assert!(size >= 11.0, "{text} is tiny");
            let width = text_width(&text, size, node.attribute("font-weight").is_some());
            let left = match node.attribute("text-anchor") {
                None => x,
                Some("middle") => x - width / 2.0,
                Some("end") => x - width,
                Some(other) => panic!("{other}"),
            };
            (text, [left, y - 0.75 * size, left + width, y + 0.22 * size])
        })
        .collect()
}

#[test]
fn pictures_are_well_formed_and_say_what_they_are() {
    for (name, picture) in pictures() {
        let svg = picture.svg();
        let document = Document::parse(&svg).unwrap_or_else(|error| panic!("{name}: {error}"));
        let root = document.root_element();
        assert_eq!(root.attribute("role"), Some("img"));
        let first = root.first_element_child().expect("a child");
        assert!(first.has_tag_name("title"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
        assert_eq!(svg, picture.svg(), "the same picture gives the same bytes");
    }
    let all = pictures();
    let mixed = &all.iter().find(|(name, _)| *name == "mixed").expect("it is there").1;
    let svg = mixed.svg();
    let document = Document::parse(&svg).expect("XML");
    let of =
        |tag: &str| document.descendants().find(|node| node.has_tag_name(tag)).and_then(|node| node.text());
    assert!(of("title").is_some_and(|title| title.starts_with("A <title> & \"more\"\u{fffd}")));
    assert_eq!(of("desc"), Some("What it shows."));
    assert_eq!(of("metadata"), Some("keepers 0.0.0, rules \"<toy> & co\", exact"));
}

#[test]
fn texts_are_inside_and_do_not_cover_each_other() {
    for (name, picture) in pictures() {
        let svg = picture.svg();
        let document = Document::parse(&svg).expect("XML");
        let root = document.root_element();
        let (width, height) = (number(root, "width"), number(root, "height"));
        let texts = texts(&document);
        for (n, (text, [left, top, right, bottom])) in texts.iter().enumerate() {
            let inside = *left >= 0.0 && *top >= 0.0 && *right <= width && *bottom <= height;
            assert!(inside, "{name}: {text} at {left} {top} {right} {bottom} of {width} {height}");
            for (other, [other_left, other_top, other_right, other_bottom]) in &texts[n + 1..] {
                let apart =
                    right <= other_left || other_right <= left || bottom <= other_top || other_bottom <= top;
                assert!(apart, "{name}: {text} covers {other}");
            }
        }
    }
}

#[test]
fn lines_stay_between_the_axes() {
    let line = Series::line("", [(-1000.0, -5.0), (50.0, 5.0), (2000.0, 0.5), (3000.0, 90.0)]);
    let chart = Chart::new(Axis::linear("x").from(0.0).to(100.0), Axis::linear("y").from(0.0).to(1.0))
        .series(line.clone().filled())
        .series(Series::bars("", 40.0, [(-10.0, 5.0), (90.0, -5.0), (500.0, 1.0)]));
    let svg = Picture::new("").panel(chart).svg();
    let document = Document::parse(&svg).expect("XML");
    let (width, height) =
        (number(document.root_element(), "width"), number(document.root_element(), "height"));
    for path in document.descendants().filter(|node| node.has_tag_name("path")) {
        let path = path.attribute("d").expect("a path");
        for (x, y) in places(path) {
            assert!((0.0..=width).contains(&x) && (0.0..=height).contains(&y), "{path}: {x} {y}");
        }
    }
}

/// Follows a path, and returns every place where it turns.
fn places(path: &str) -> Vec<(f64, f64)> {
    let (mut places, mut at) = (Vec::new(), (0.0, 0.0));
    let ends = path.char_indices().skip(1).filter(|(_, c)| c.is_ascii_alphabetic()).map(|(n, _)| n);
    let mut start = 0;
    for end in ends.chain([path.len()]).filter(|end| *end > 0) {
        let (letter, numbers) = path[start..end].split_at(1);
        let numbers: Vec<f64> =
            numbers.split_whitespace().map(|text| text.parse().expect("a number")).collect();
        at = match (letter, &numbers[..]) {
            ("M", &[x, y]) => (x, y),
            ("H", &[x]) => (x, at.1),
            ("V", &[y]) => (at.0, y),
            ("l", &[right, down]) => (at.0 + right, at.1 + down),
            ("Z", []) => at,
            other => panic!("{other:?}"),
        };
        places.push(at);
        start = end;
    }
    places
}

#[test]
fn a_grid_is_scaled_row_by_row() {
    let cells = [[0.1, 0.0], [0.05, 0.0], [0.0, 0.1]];
    let grid = Grid::new(["1", "2", "3"]).row("a", cells).row("b", cells.map(|cell| cell.map(|p| p / 10.0)));
    let svg = Picture::new("").panel(grid).svg();
    let document = Document::parse(&svg).expect("XML");
    let fills: Vec<&str> = document
        .descendants()
        .filter(|node| node.has_tag_name("rect") && node.has_attribute("x"))
        .filter_map(|node| node.attribute("fill"))
        .collect();
    assert_eq!(fills[..3], fills[4..7], "scaled alike");
    assert_eq!((fills[0], fills[2]), ("#009e73", "#d5430a"), "full green and full red");
    assert_ne!(fills[3], fills[7], "the strip is not scaled");
}

#[test]
fn dark_pictures_are_dark() {
    let picture = Picture::new("Dark").panel(distributions());
    let (light, dark) = (picture.svg(), picture.theme(Theme::Dark).svg());
    assert!(light.contains("fill=\"#ffffff\"/>") && !dark.contains("fill=\"#ffffff\"/>"));
}

#[cfg(feature = "png")]
#[test]
fn png_has_its_size_and_is_not_blank() {
    for (name, picture) in pictures() {
        let svg = picture.svg();
        let document = Document::parse(&svg).expect("XML");
        let root = document.root_element();
        let png = picture.png(2.0).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
        let size = |at: usize| f64::from(u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes")));
        assert_eq!(
            (size(16), size(20)),
            (2.0 * number(root, "width"), 2.0 * number(root, "height")),
            "{name}"
        );
        let pixels = tiny_skia::Pixmap::decode_png(&png).expect("it is whole");
        let paper = pixels.pixels()[0];
        let drawn = pixels.pixels().iter().filter(|pixel| **pixel != paper).count();
        assert_eq!(drawn > 500, name != "empty", "{name}: {drawn} pixels");
    }
}

#[cfg(feature = "png")]
#[test]
fn text_is_drawn_without_any_font_on_the_machine() {
    let with = |title: &str| Picture::new(title).png(1.0).expect("it can be drawn");
    assert_ne!(with("Yahtzee"), with("Yacht"));
    assert_eq!(with("Yahtzee"), with("Yahtzee"));
}

#[cfg(feature = "png")]
#[test]
fn a_png_beyond_all_bounds_is_refused() {
    let error = Picture::new("").png(1e6).expect_err("too large");
    assert!(error.to_string().contains("1 to 100 million"), "{error}");
    assert!(Picture::new("").png(0.0).is_err() && Picture::new("").png(f64::NAN).is_err());
}
