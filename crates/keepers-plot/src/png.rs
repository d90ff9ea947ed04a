//! Draws a scene as PNG: tiny-skia draws the shapes, and text is drawn as outlines of the built-in font.

use tiny_skia::{FillRule, LineJoin, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform};
use ttf_parser::OutlineBuilder;

use crate::color::Color;
use crate::font;
use crate::scene::{Paint, Scene, Shape, Step, Text};

/// The most pixels of a picture: a hundred million need 400 MB.
const MOST_PIXELS: f64 = 1e8;

/// The reason why a picture cannot be drawn as PNG.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PngError {
    /// The picture would have too many pixels, or none.
    #[error("a picture of {width} by {height} pixels cannot be drawn: it must have 1 to 100 million of them")]
    Size {
        /// The width in pixels.
        width: f64,
        /// The height in pixels.
        height: f64,
    },
    /// The encoder failed.
    #[error("the picture cannot be written as PNG: {0}")]
    Encode(String),
}

pub(crate) fn draw(scene: &Scene, scale: f64) -> Result<Vec<u8>, PngError> {
    let (width, height) = ((scene.width * scale).ceil(), (scene.height * scale).ceil());
    let refused = PngError::Size { width, height };
    if !(width >= 1.0 && height >= 1.0 && width * height <= MOST_PIXELS) {
        return Err(refused);
    }
    let mut canvas =
        Canvas { pixels: Pixmap::new(width as u32, height as u32).ok_or(refused)?, scale: scale as f32 };
    canvas.pixels.fill(color(scene.paper, 1.0));
    for shape in &scene.shapes {
        canvas.shape(shape);
    }
    canvas.pixels.encode_png().map_err(|error| PngError::Encode(error.to_string()))
}

struct Canvas {
    pixels: Pixmap,
    scale: f32,
}

impl Canvas {
    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Rect { area, fill, .. } => {
                let (x, y) = (area.x as f32, area.y as f32);
                let rect = tiny_skia::Rect::from_xywh(x, y, area.width as f32, area.height as f32);
                self.fill(rect.map(PathBuilder::from_rect), *fill, 1.0);
            }
            Shape::Path { steps, paint } => {
                let path = path(steps);
                match paint {
                    Paint::Fill { color, opacity } => self.fill(path, *color, *opacity),
                    Paint::Stroke { color, width, dash } => self.stroke(path, *color, *width, *dash),
                }
            }
            Shape::Circle { x, y, radius, fill, rim } => {
                let circle = PathBuilder::from_circle(*x as f32, *y as f32, *radius as f32);
                self.fill(circle.clone(), *fill, 1.0);
                self.stroke(circle, *rim, 1.0, None);
            }
            Shape::Text(text) => self.fill(outlines(text), text.fill, 1.0),
        }
    }

    fn fill(&mut self, path: Option<Path>, fill: Color, opacity: f64) {
        if let Some(path) = path {
            let scale = Transform::from_scale(self.scale, self.scale);
            self.pixels.fill_path(&path, &paint(fill, opacity), FillRule::Winding, scale, None);
        }
    }

    fn stroke(&mut self, path: Option<Path>, color: Color, width: f64, dash: Option<[f64; 2]>) {
        if let Some(path) = path {
            let scale = Transform::from_scale(self.scale, self.scale);
            let dash = dash.and_then(|lengths| StrokeDash::new(lengths.map(|l| l as f32).to_vec(), 0.0));
            let stroke =
                Stroke { width: width as f32, line_join: LineJoin::Round, dash, ..Stroke::default() };
            self.pixels.stroke_path(&path, &paint(color, 1.0), &stroke, scale, None);
        }
    }
}

fn color(color: Color, opacity: f64) -> tiny_skia::Color {
    tiny_skia::Color::from_rgba8(color.red, color.green, color.blue, (255.0 * opacity).round() as u8)
}

fn paint(fill: Color, opacity: f64) -> tiny_skia::Paint<'static> {
    let mut paint = tiny_skia::Paint { anti_alias: true, ..tiny_skia::Paint::default() };
    paint.set_color(color(fill, opacity));
    paint
}

fn path(steps: &[Step]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for step in steps {
        match *step {
            Step::Move(x, y) => path.move_to(x as f32, y as f32),
            Step::Line(x, y) => path.line_to(x as f32, y as f32),
            Step::Close => path.close(),
        }
    }
    path.finish()
}

/// Returns the outlines of a text at its position.
fn outlines(text: &Text) -> Option<Path> {
    let face = font::of(text.bold);
    let scale = text.size as f32 / f32::from(face.units_per_em());
    let (glyphs, width) = font::glyphs(&text.text, face);
    let (left, baseline) = (text.left(f64::from(width * scale)) as f32, text.y as f32);
    let mut pen = Pen { path: PathBuilder::new(), x: left, y: baseline, scale };
    for (glyph, at) in glyphs {
        pen.x = left + scale * at;
        face.outline_glyph(glyph, &mut pen);
    }
    pen.path.finish()
}

/// Converts outlines from font units, in which y grows upwards, to pixels.
struct Pen {
    path: PathBuilder,
    x: f32,
    y: f32,
    scale: f32,
}

impl Pen {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + self.scale * x, self.y - self.scale * y)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
