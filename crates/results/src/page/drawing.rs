//! Drawings of boxes, lines and words: a network, say. Written as SVG in the page's colours.

use std::fmt::Write as _;

use super::escape::html;

/// A drawing; places are in units of its own width and height.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// Names it in links; no white space, unique in the page.
    pub id: String,
    /// Its title.
    pub title: String,
    /// How wide it is; on the page one unit is at most a CSS pixel.
    pub width: f64,
    /// How high it is.
    pub height: f64,
    /// What is drawn, what covers after what is covered.
    pub shapes: Vec<Shape>,
}

/// A part of a drawing.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A line from one place to another.
    Line {
        /// From here.
        from: (f64, f64),
        /// To here.
        to: (f64, f64),
        /// Drawn thick and in the accent colour.
        strong: bool,
    },
    /// A box with words in it.
    Box {
        /// Its middle.
        middle: (f64, f64),
        /// Width and height.
        size: (f64, f64),
        /// The words, in one line.
        words: String,
    },
    /// Words.
    Words {
        /// Where they end, begin or have their middle, at the foot of the line.
        at: (f64, f64),
        /// `start`, `middle` or `end`.
        anchor: Anchor,
        /// The words, in one line.
        words: String,
        /// In smaller, paler letters.
        quiet: bool,
    },
}

/// Which part of a line of words is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The beginning.
    Start,
    /// The middle.
    Middle,
    /// The end.
    End,
}

/// The SVG of a drawing.
pub(super) fn svg(drawing: &Drawing) -> String {
    let mut svg = format!(
        "<svg class=\"drawing\" viewBox=\"0 0 {:.0} {:.0}\" style=\"max-width:{:.0}px\" role=\"img\" \
         aria-label=\"{}\">\n",
        drawing.width,
        drawing.height,
        drawing.width,
        html(&drawing.title)
    );
    for shape in &drawing.shapes {
        let _ = match shape {
            Shape::Line { from, to, strong } => writeln!(
                svg,
                "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"{}/>",
                from.0,
                from.1,
                to.0,
                to.1,
                if *strong { " class=\"strong\"" } else { "" }
            ),
            Shape::Box {
                middle,
                size,
                words,
            } => writeln!(
                svg,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"6\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                middle.0 - size.0 / 2.0,
                middle.1 - size.1 / 2.0,
                size.0,
                size.1,
                middle.0,
                middle.1 + BASELINE,
                html(words)
            ),
            Shape::Words {
                at,
                anchor,
                words,
                quiet,
            } => writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{}\"{}>{}</text>",
                at.0,
                at.1,
                match anchor {
                    Anchor::Start => "start",
                    Anchor::Middle => "middle",
                    Anchor::End => "end",
                },
                if *quiet { " class=\"quiet\"" } else { "" },
                html(words)
            ),
        };
    }
    svg + "</svg>"
}

/// From the middle of a line of letters down to their foot.
const BASELINE: f64 = 4.5;
