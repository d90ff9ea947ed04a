//! Scenes: lists of simple shapes, which [`svg`](crate::svg) and [`png`](crate::png) draw in order.

use crate::color::Color;
use crate::font::text_width;

/// All shapes of a picture, in pixels from the top left.
pub(crate) struct Scene {
    pub width: f64,
    pub height: f64,
    pub paper: Color,
    pub shapes: Vec<Shape>,
}

/// A shape.
pub(crate) enum Shape {
    Rect {
        area: Area,
        fill: Color,
        /// The tooltip in SVG.
        tip: Option<String>,
    },
    Path {
        steps: Vec<Step>,
        paint: Paint,
    },
    Circle {
        x: f64,
        y: f64,
        radius: f64,
        fill: Color,
        /// The outline, which separates the circle from shapes below it.
        rim: Color,
    },
    Text(Text),
}

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    Move(f64, f64),
    Line(f64, f64),
    Close,
}

/// The style of a path.
#[derive(Clone, Copy)]
pub(crate) enum Paint {
    /// A line; `dash` has the lengths of dashes and gaps.
    Stroke { color: Color, width: f64, dash: Option<[f64; 2]> },
    /// A translucent area.
    Fill { color: Color, opacity: f64 },
}

/// A text; `anchor` selects the point of its baseline that is at (`x`, `y`).
pub(crate) struct Text {
    pub x: f64,
    pub y: f64,
    pub anchor: Anchor,
    pub size: f64,
    pub bold: bool,
    pub fill: Color,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Text {
    /// Returns the x position where the text starts if it has this width.
    pub fn left(&self, width: f64) -> f64 {
        match self.anchor {
            Anchor::Start => self.x,
            Anchor::Middle => self.x - width / 2.0,
            Anchor::End => self.x - width,
        }
    }

    /// Returns the area that is reserved for the text.
    pub fn area(&self) -> Area {
        let width = text_width(&self.text, self.size, self.bold);
        Area { x: self.left(width), y: self.y - 0.8 * self.size, width, height: 1.05 * self.size }
    }
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Area {
    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }

    pub fn overlaps(&self, other: &Area) -> bool {
        self.x < other.right() && other.x < self.right() && self.y < other.bottom() && other.y < self.bottom()
    }

    pub fn contains(&self, other: &Area) -> bool {
        self.x <= other.x
            && self.y <= other.y
            && other.right() <= self.right()
            && other.bottom() <= self.bottom()
    }

    pub fn grown(&self, by: f64) -> Area {
        Area { x: self.x - by, y: self.y - by, width: self.width + 2.0 * by, height: self.height + 2.0 * by }
    }

    /// Returns the part of the line from `a` to `b` inside the area, or `None` (Liang and Barsky).
    pub fn clip(&self, a: (f64, f64), b: (f64, f64)) -> Option<((f64, f64), (f64, f64))> {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let (mut from, mut to) = (0.0, 1.0);
        let sides =
            [(-dx, a.0 - self.x), (dx, self.right() - a.0), (-dy, a.1 - self.y), (dy, self.bottom() - a.1)];
        for (towards, room) in sides {
            if towards == 0.0 {
                if room < 0.0 {
                    return None;
                }
            } else if towards < 0.0 {
                from = f64::max(from, room / towards);
            } else {
                to = f64::min(to, room / towards);
            }
        }
        let at = |t: f64| (a.0 + t * dx, a.1 + t * dy);
        (from <= to).then(|| (at(from), at(to)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_at_the_edge() {
        let area = Area { x: 0.0, y: 0.0, width: 10.0, height: 10.0 };
        assert_eq!(area.clip((-5.0, 5.0), (15.0, 5.0)), Some(((0.0, 5.0), (10.0, 5.0))));
        assert_eq!(area.clip((2.0, 2.0), (4.0, 4.0)), Some(((2.0, 2.0), (4.0, 4.0))));
        assert_eq!(area.clip((-5.0, 0.0), (0.0, 15.0)), None);
        assert_eq!(area.clip((11.0, 0.0), (11.0, 10.0)), None);
        assert_eq!(area.clip((5.0, 20.0), (5.0, -20.0)), Some(((5.0, 10.0), (5.0, 0.0))));
    }
}
