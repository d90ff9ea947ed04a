//! Draws a scene as SVG. Only presentation attributes are used, without identifiers and style sheets, so that several
//! pictures can be on one page. Equal pictures give equal bytes.

use std::fmt::Write;

use crate::font;
use crate::scene::{Anchor, Paint, Scene, Shape, Step, Text};

/// The metadata of a picture.
pub(crate) struct About<'a> {
    pub title: &'a str,
    pub description: &'a str,
    pub provenance: &'a str,
}

pub(crate) fn write(scene: &Scene, about: &About) -> String {
    let (width, height) = (number(scene.width), number(scene.height));
    let mut out = String::new();
    line(
        &mut out,
        format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{}\">",
            font::FAMILY
        ),
    );
    line(&mut out, format_args!("<title>{}</title>", escape(about.title)));
    if !about.description.is_empty() {
        line(&mut out, format_args!("<desc>{}</desc>", escape(about.description)));
    }
    if !about.provenance.is_empty() {
        line(&mut out, format_args!("<metadata>{}</metadata>", escape(about.provenance)));
    }
    line(
        &mut out,
        format_args!("<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>", scene.paper.hex()),
    );
    for shape in &scene.shapes {
        draw(&mut out, shape);
    }
    out.push_str("</svg>\n");
    out
}

fn draw(out: &mut String, shape: &Shape) {
    match shape {
        Shape::Rect { area, fill, tip } => {
            let [x, y, width, height] = [area.x, area.y, area.width, area.height].map(number);
            let fill = fill.hex();
            let rect =
                format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"");
            match tip {
                Some(tip) => line(out, format_args!("{rect}><title>{}</title></rect>", escape(tip))),
                None => line(out, format_args!("{rect}/>")),
            }
        }
        Shape::Path { steps, paint } => {
            let path = path(steps);
            match paint {
                Paint::Stroke { color, width, dash } => {
                    let dash = dash.map_or(String::new(), |[dash, gap]| {
                        format!(" stroke-dasharray=\"{} {}\"", number(dash), number(gap))
                    });
                    let (color, width) = (color.hex(), number(*width));
                    line(
                        out,
                        format_args!(
                            "<path d=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\" \
                             stroke-linejoin=\"round\"{dash}/>"
                        ),
                    );
                }
                Paint::Fill { color, opacity } => {
                    let (color, opacity) = (color.hex(), number(*opacity));
                    line(
                        out,
                        format_args!("<path d=\"{path}\" fill=\"{color}\" fill-opacity=\"{opacity}\"/>"),
                    );
                }
            }
        }
        Shape::Circle { x, y, radius, fill, rim } => {
            let [x, y, radius] = [*x, *y, *radius].map(number);
            let (fill, rim) = (fill.hex(), rim.hex());
            line(
                out,
                format_args!(
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{rim}\"/>"
                ),
            );
        }
        Shape::Text(text) => words(out, text),
    }
}

fn words(out: &mut String, text: &Text) {
    let [x, y, size] = [text.x, text.y, text.size].map(number);
    let anchor = match text.anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let weight = if text.bold { " font-weight=\"600\"" } else { "" };
    let fill = text.fill.hex();
    line(
        out,
        format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{anchor}{weight} fill=\"{fill}\">{}</text>",
            escape(&text.text)
        ),
    );
}

/// Writes a path in SVG commands. Steps along an axis use the short commands, and successive steps in the same
/// direction are merged. Other steps are relative, which compresses better: a curve has steps of equal width.
fn path(steps: &[Step]) -> String {
    // In hundredths, so that rounding errors of relative steps do not add up.
    let rounded = |x: f64, y: f64| ((100.0 * x).round() as i64, (100.0 * y).round() as i64);
    let shown = |hundredths: i64| number(hundredths as f64 / 100.0);
    let mut out = String::new();
    let mut at = (0, 0);
    // The position of the last command in `out`, and its direction if that is along an axis.
    let mut last = (0, None);
    for step in steps {
        let (command, way) = match *step {
            Step::Close => ("Z".to_string(), None),
            Step::Move(x, y) => {
                at = rounded(x, y);
                (format!("M{} {}", shown(at.0), shown(at.1)), None)
            }
            Step::Line(x, y) => {
                let to = rounded(x, y);
                let (command, way) = match (to.0 == at.0, to.1 == at.1) {
                    (true, true) => continue,
                    (false, true) => (format!("H{}", shown(to.0)), Some(('H', at.0 < to.0))),
                    (true, false) => (format!("V{}", shown(to.1)), Some(('V', at.1 < to.1))),
                    (false, false) => (format!("l{} {}", shown(to.0 - at.0), shown(to.1 - at.1)), None),
                };
                at = to;
                (command, way)
            }
        };
        if way.is_some() && way == last.1 {
            out.truncate(last.0);
        }
        last = (out.len(), way);
        out.push_str(&command);
    }
    out
}

fn line(out: &mut String, text: std::fmt::Arguments) {
    writeln!(out, "{text}").expect("writing to a string does not fail");
}

/// Formats a number with at most two decimals.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_string() } else { text.to_string() }
}

/// Escapes text for XML.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            // XML cannot represent these characters.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_text_is_escaped() {
        assert_eq!([1.0, 0.5, -0.001, 12.345, 100.0].map(number), ["1", "0.5", "0", "12.35", "100"]);
        assert_eq!(escape("a<b>&\"c\u{1}"), "a&lt;b&gt;&amp;&quot;c\u{fffd}");
    }

    #[test]
    fn paths_leave_out_what_does_not_move() {
        use Step::{Close, Line, Move};
        let steps = [Move(0.0, 0.0), Line(5.0, 0.0), Line(5.0, 0.001), Line(5.0, 2.0), Line(6.0, 3.0), Close];
        assert_eq!(path(&steps), "M0 0H5V2l1 1Z");
        let steps =
            [Move(0.0, 0.0), Line(1.0, 0.0), Line(2.0, 0.0), Line(1.5, 0.0), Line(1.5, 1.0), Line(1.5, 4.0)];
        assert_eq!(path(&steps), "M0 0H2H1.5V4");
    }
}
