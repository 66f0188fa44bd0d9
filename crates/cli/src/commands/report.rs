//! `ackclock report`: a sweep as a page of charts.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use results::files::{Drawn, SweepKind, SweepReportError, Wishes, write_sweep_report};

use crate::output::{self, Failure};
use crate::table::count;

/// Arguments of `report`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The folder that `ackclock sweep … --out DIR` has filled
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Along x: an axis of the sweep, or a metric [default: the first axis of numbers]
    #[arg(long, value_name = "NAME")]
    x: Option<String>,
    /// Along y: a metric; in a heat map an axis [default: the goodput of all flows]
    #[arg(long, value_name = "NAME")]
    y: Option<String>,
    /// A colour for each value of this axis, or `none`; in a heat map the metric [default: the next
    /// axis]
    #[arg(long, value_name = "NAME", alias = "color")]
    colour: Option<String>,
    /// A chart for each value of this axis, or `none` [default: the next axis]
    #[arg(long, value_name = "NAME")]
    facet: Option<String>,
    /// How it is drawn [default: a heat map of two axes of numbers with four values or more each and
    /// without seeds, else lines]
    #[arg(long, value_name = "KIND")]
    kind: Option<Kind>,
    /// Prints as JSON what was drawn
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// A metric over an axis or another metric, with intervals
    Lines,
    /// A metric as colour over two axes
    HeatMap,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let wishes = Wishes {
        x: arguments.x.clone(),
        y: arguments.y.clone(),
        colour: arguments.colour.clone(),
        facet: arguments.facet.clone(),
        kind: arguments.kind.map(|kind| match kind {
            Kind::Lines => SweepKind::Lines,
            Kind::HeatMap => SweepKind::HeatMap,
        }),
    };
    let drawn = write_sweep_report(&arguments.folder, &wishes).map_err(|error| explain(&error))?;
    if arguments.json {
        output::print_json(&drawn)
    } else {
        output::print(&text(&drawn))
    }
}

/// What was drawn, for people.
fn text(drawn: &Drawn) -> String {
    let mut text = match drawn.kind {
        SweepKind::Lines if drawn.x.is_empty() => drawn.y.clone(),
        SweepKind::Lines => format!("{} over {}", drawn.y, drawn.x),
        SweepKind::HeatMap => {
            let metric = drawn.colour.as_deref().unwrap_or_default();
            format!("{metric} over {} and {}", drawn.x, drawn.y)
        }
    };
    if let (SweepKind::Lines, Some(colour)) = (drawn.kind, &drawn.colour) {
        text += &format!(", a colour for each {colour}");
    }
    if let Some(facet) = &drawn.facet {
        text += &format!(", a chart for each {facet}");
    }
    text += &format!(
        ": {} points from {} runs\n",
        count(drawn.points as u64),
        count(drawn.runs)
    );
    if drawn.failed > 0 {
        text += &format!("{} runs failed and are left out\n", count(drawn.failed));
    }
    if !drawn.complete {
        text += "The sweep is not complete: the same `ackclock sweep` command goes on with it.\n";
    }
    text + &format!("The report: {}\n", drawn.out.display())
}

pub(crate) fn explain(error: &SweepReportError) -> Failure {
    let message = error.to_string();
    match error {
        SweepReportError::NotASweep { hint, .. }
        | SweepReportError::Name { hint, .. }
        | SweepReportError::Unsuitable { hint, .. } => Failure::refused(message, hint),
        SweepReportError::Io { .. } => {
            Failure::refused(message, "see whether you may read and write there")
        }
        SweepReportError::Table { .. } => Failure::refused(
            message,
            "repeat the sweep's command: what is done is not run again",
        ),
        SweepReportError::Page(_) => Failure::fault(message),
    }
}
