//! Self-contained HTML pages of charts, tables and verdicts, from plain data.
//!
//! A [`Page`] is a list of [`Block`]s; [`Page::to_html`] writes it as one file that needs no network.
//! The charts are drawn in the browser by Apache `ECharts` (`assets/echarts`) and `assets/page`.
//! The same data give the same bytes.
//!
//! Not here: what the data mean. Units are texts beside the numbers; the caller chooses the scale
//! ("Mbps", "ms") and divides by it.

mod chart;
mod drawing;
mod error;
mod escape;
mod heat_map;
mod html;
mod number;
mod palette;
mod relief;
mod spec;
mod table;
#[cfg(test)]
mod tests;
mod verdict;

pub use chart::{Along, Axis, Chart, Dash, Kind, ReferenceLine, Scale, Series, Span};
pub use drawing::{Anchor, Drawing, Shape};
pub use error::PageError;
pub use heat_map::{ColourScale, HeatMap};
pub use number::significant;
pub use palette::Palette;
pub use table::{Align, Cell, Column, Table};
pub use verdict::{Verdict, VerdictCard};

/// The chart library, to be written once beside pages that use [`Script::Shared`].
pub const CHART_LIBRARY: &str = include_str!("../../assets/echarts/echarts.min.js");

/// A page: a title over a list of blocks.
///
/// ```
/// use results::page::{Axis, Block, Chart, Kind, Page, Script, Series};
///
/// let window = Series::new("flow 1", Kind::Step, vec![(0.0, 1.0), (0.1, 2.0), (0.2, 4.0)]);
/// let chart = Chart::new(
///     "window",
///     "Window over time",
///     Axis::linear("time", "s"),
///     Axis::linear("window", "packets"),
/// )
/// .with(window);
/// let page = Page::new("One run", "seed 1").with(Block::Chart(chart));
/// let html = page.to_html(&Script::Embedded)?;
/// assert!(html.starts_with("<!doctype html>"));
/// # Ok::<(), results::page::PageError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The heading, and the title of the browser's window.
    pub title: String,
    /// One line under the heading; may be empty.
    pub subtitle: String,
    /// What the page shows, from top to bottom.
    pub blocks: Vec<Block>,
    /// The colours given out so far; the same palette in several pages keeps a protocol's colour
    /// the same over all of them. Keys it does not know get the next free colours of this page.
    pub palette: Palette,
}

impl Page {
    /// An empty page.
    pub fn new(title: impl Into<String>, subtitle: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            subtitle: subtitle.into(),
            ..Self::default()
        }
    }

    /// The page with one more block at its end.
    #[must_use]
    pub fn with(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }

    /// The whole page as HTML, or the reason why one of its blocks cannot be shown.
    pub fn to_html(&self, script: &Script) -> Result<String, PageError> {
        html::page(self, script)
    }
}

/// Where a page finds the chart library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Script {
    /// Inside the page: one file of about 1.2 MB that can be moved and mailed.
    Embedded,
    /// In a file of its own, at this path relative to the page (`"echarts.min.js"`), which holds
    /// [`CHART_LIBRARY`].
    Shared(String),
}

/// A part of a page.
#[derive(Clone, Debug)]
pub enum Block {
    /// A heading.
    Heading {
        /// 2 for a section, 3 for a part of one; other values count as the nearer of the two.
        level: u8,
        /// Its text.
        text: String,
        /// The name by which a link `#name` finds it; no white space, unique in the page.
        anchor: Option<String>,
    },
    /// Running text.
    Paragraph(String),
    /// Names and their values, such as parameters, in a few columns.
    KeyValues(Vec<(String, String)>),
    /// A chart with axes.
    Chart(Chart),
    /// Charts of which one is shown at a time, with a button for each: the first to begin with.
    Choice(Vec<(String, Chart)>),
    /// A drawing.
    Drawing(Drawing),
    /// A matrix of coloured cells.
    HeatMap(HeatMap),
    /// The same values as heights, seen from above at an angle: for the shape, not for the numbers.
    /// At least two columns and rows.
    Relief(HeatMap),
    /// A table.
    Table(Table),
    /// Claims and how they fared.
    Verdicts(Vec<VerdictCard>),
    /// A row of links.
    Links(Vec<Link>),
    /// Text in fixed-width letters, such as a command or a file, with a button that copies it.
    Code {
        /// What it is.
        caption: String,
        /// The text, line breaks kept.
        text: String,
    },
    /// Two columns, one under the other on a narrow screen: a figure and its verdicts.
    Beside {
        /// The wide left column.
        main: Vec<Block>,
        /// The narrow right column.
        side: Vec<Block>,
    },
    /// Blocks of equal width side by side, as many in a row as the screen holds.
    Grid(Vec<Block>),
    /// Blocks that a click opens. A chart is not allowed in here: it could not know its width.
    Details {
        /// The line to click.
        summary: String,
        /// What it hides.
        blocks: Vec<Block>,
    },
}

impl Block {
    /// A section's heading without anchor.
    pub fn section(text: impl Into<String>) -> Self {
        Self::Heading {
            level: 2,
            text: text.into(),
            anchor: None,
        }
    }

    /// Running text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Paragraph(text.into())
    }
}

/// A link to a place in the page, a file beside it, or a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// What the reader sees.
    pub text: String,
    /// `#anchor`, a relative path, or an `https:`, `http:` or `mailto:` address.
    pub href: String,
    /// Save the target instead of opening it.
    pub download: bool,
}

impl Link {
    /// A link that opens its target.
    pub fn new(text: impl Into<String>, href: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            href: href.into(),
            download: false,
        }
    }

    /// A link that saves its target.
    pub fn download(text: impl Into<String>, href: impl Into<String>) -> Self {
        Self {
            download: true,
            ..Self::new(text, href)
        }
    }
}
