//! Places labels where they cover neither each other nor a line.

use crate::scene::{Area, Shape, Text};

/// The texts and lines that labels must not cover.
#[derive(Default)]
pub(crate) struct Labels {
    taken: Vec<Area>,
    lines: Vec<((f64, f64), (f64, f64))>,
}

impl Labels {
    /// Adds a line that labels must not cover.
    pub fn avoid_line(&mut self, from: (f64, f64), to: (f64, f64)) {
        self.lines.push((from, to));
    }

    /// Returns the first of several positions of a text that covers nothing; if there is none, the first that covers no
    /// other text; otherwise the first position, moved into the area.
    pub fn best(&self, texts: impl Iterator<Item = Text>, within: Area) -> Text {
        let texts: Vec<Text> = texts.collect();
        let covers_no_text = |text: &Text| {
            let area = text.area().grown(2.0);
            within.grown(3.0).contains(&text.area()) && !self.taken.iter().any(|other| other.overlaps(&area))
        };
        let covers_no_line = |text: &Text| {
            let area = text.area().grown(1.0);
            !self.lines.iter().any(|(from, to)| area.clip(*from, *to).is_some())
        };
        let free = texts.iter().position(|text| covers_no_text(text) && covers_no_line(text));
        if let Some(chosen) = free.or_else(|| texts.iter().position(covers_no_text)) {
            return texts.into_iter().nth(chosen).expect("it was found there");
        }
        let mut text = texts.into_iter().next().expect("there is a place");
        let area = text.area();
        text.x += (within.x - area.x).max(0.0) - (area.right() - within.right()).max(0.0);
        text.y += (within.y - area.y).max(0.0) - (area.bottom() - within.bottom()).max(0.0);
        text
    }

    /// Draws a text, which later texts must not cover.
    pub fn place(&mut self, text: Text, shapes: &mut Vec<Shape>) {
        self.taken.push(text.area());
        shapes.push(Shape::Text(text));
    }
}
