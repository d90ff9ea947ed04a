//! The built-in font: the widths and outlines of texts.
//!
//! Two weights of Inter (SIL Open Font License, see `font/`), reduced to Latin, digits and common signs, so that
//! pictures look the same on machines without fonts. SVG asks for Inter and names common fonts of about the same width
//! as alternatives. A viewer may use any other sans-serif font, so the layout reserves as much room for a text as the
//! widest common ones need (DejaVu Sans, Verdana).

use std::sync::LazyLock;

use ttf_parser::Face;

static REGULAR: LazyLock<Face<'static>> = LazyLock::new(|| face(include_bytes!("../font/Inter-Regular.ttf")));
static BOLD: LazyLock<Face<'static>> = LazyLock::new(|| face(include_bytes!("../font/Inter-SemiBold.ttf")));

/// The font families in SVG, in order of preference.
pub(crate) const FAMILY: &str = "Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif";

fn face(bytes: &'static [u8]) -> Face<'static> {
    Face::parse(bytes, 0).expect("the font that is built in is whole")
}

/// Returns the face of a weight.
pub(crate) fn of(bold: bool) -> &'static Face<'static> {
    if bold { &BOLD } else { &REGULAR }
}

/// Returns the glyphs of a text with their offsets from its start, and its width, all in font units.
pub(crate) fn glyphs(text: &str, face: &Face) -> (Vec<(ttf_parser::GlyphId, f32)>, f32) {
    let mut at = 0.0;
    let glyphs = text.chars().map(|c| {
        let glyph = face.glyph_index(c).unwrap_or_default();
        let place = (glyph, at);
        at += f32::from(face.glyph_hor_advance(glyph).unwrap_or(0));
        place
    });
    (glyphs.collect(), at)
}

/// Returns the room that a text needs in pixels, at a font size in pixels: its width in the widest common fonts.
///
/// ```
/// use keepers_plot::text_width;
/// assert!(text_width("Yahtzee", 12.0, false) > text_width("Yacht", 12.0, false));
/// assert_eq!(text_width("", 12.0, true), 0.0);
/// // The digits of DejaVu Sans are 0.636 of the font size wide.
/// assert!(text_width("11", 10.0, false) > 12.7);
/// ```
pub fn text_width(text: &str, size: f64, bold: bool) -> f64 {
    let face = of(bold);
    let em = f64::from(face.units_per_em());
    // Letters are up to an eighth wider than in Inter, bold ones up to a fifth, and all digits have the same width.
    let (wider, digit) = if bold { (1.22, 0.70) } else { (1.13, 0.64) };
    let room = |c: char| {
        let glyph = face.glyph_index(c).unwrap_or_default();
        let own = f64::from(face.glyph_hor_advance(glyph).unwrap_or(0)) / em;
        let least = if c.is_ascii_digit() { digit } else { 0.0 };
        (own * wider).max(least)
    };
    text.chars().map(room).sum::<f64>() * size
}

/// Returns the text, or its beginning with an ellipsis if it is wider than `most`.
pub(crate) fn cut(text: &str, size: f64, bold: bool, most: f64) -> String {
    if text_width(text, size, bold) <= most {
        return text.to_string();
    }
    let mut shorter: Vec<char> = text.chars().collect();
    while shorter.pop().is_some() {
        let candidate = format!("{}…", shorter.iter().collect::<String>().trim_end());
        if text_width(&candidate, size, bold) <= most {
            return candidate;
        }
    }
    String::new()
}

/// Breaks the text between words into lines of at most this width. A wider word is cut.
pub(crate) fn wrap(text: &str, size: f64, bold: bool, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        match longer.filter(|line| text_width(line, size, bold) <= most) {
            Some(longer) => *lines.last_mut().expect("there is a line") = longer,
            None => lines.push(cut(word, size, bold, most)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_what_labels_need() {
        let needed = (' '..='~').chain("äöüßéñøåçœ–—…·×±−≤≥½⁰¹²³⁴⁵⁶⁷⁸⁹⁻".chars());
        for c in needed {
            assert!(of(false).glyph_index(c).is_some() && of(true).glyph_index(c).is_some(), "{c:?}");
        }
    }

    #[test]
    fn long_text_is_cut_or_broken_into_lines() {
        let text = "a title that is much too long for its place";
        let short = cut(text, 12.0, false, 100.0);
        assert!(short.ends_with('…') && text_width(&short, 12.0, false) <= 100.0, "{short}");
        let lines = wrap(text, 12.0, false, 100.0);
        assert!(lines.len() > 2 && lines.iter().all(|line| text_width(line, 12.0, false) <= 100.0));
        assert_eq!(lines.join(" "), text);
        assert_eq!(wrap("", 12.0, false, 100.0), [] as [String; 0]);
    }
}
