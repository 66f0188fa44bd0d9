//! Which axis goes where, and which metric is drawn.

use super::names::{Finder, Named, Wish};
use super::{Kind, SweepReportError, Wishes};
use crate::sweep::Description;

/// An axis of the sweep, by one of the keys that move along it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AxisKey {
    pub(super) axis: usize,
    pub(super) key: usize,
}

/// What lies along x of a chart with lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Along {
    /// An axis; none where the sweep varies nothing but the seed.
    Axis(Option<AxisKey>),
    /// A metric, by its number.
    Metric(usize),
}

/// The kind with its places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Places {
    /// A metric over an axis or a metric.
    Lines {
        x: Along,
        /// Number of the metric.
        y: usize,
        colour: Option<AxisKey>,
    },
    /// A metric as colour over two axes.
    HeatMap {
        x: AxisKey,
        y: AxisKey,
        /// Number of the metric.
        colour: usize,
    },
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) places: Places,
    pub(super) facet: Option<AxisKey>,
    /// Axes with several values that have no place: each of their combinations has its charts.
    pub(super) rest: Vec<AxisKey>,
    /// Whether the metric was asked for by name; if not, others are worth a look too.
    pub(super) metric_named: bool,
}

/// What the user asks for by name.
#[derive(Clone, Copy, Debug)]
struct Asked {
    x: Option<Named>,
    y: Option<Named>,
    colour: Wish<Named>,
    facet: Wish<AxisKey>,
}

impl Asked {
    fn of(finder: &Finder<'_>, wishes: &Wishes) -> Result<Self, SweepReportError> {
        let facet = wishes.facet.as_deref();
        Ok(Self {
            x: finder.find("--x", wishes.x.as_deref())?,
            y: finder.find("--y", wishes.y.as_deref())?,
            colour: finder.find_or_none("--colour", wishes.colour.as_deref())?,
            facet: match finder.find_or_none("--facet", facet)? {
                Wish::Free => Wish::Free,
                Wish::Empty => Wish::Empty,
                Wish::This(Named::Axis(axis)) => Wish::This(axis),
                Wish::This(Named::Metric(_)) => {
                    return Err(finder.wrong_place("--facet", facet, "an axis"));
                }
            },
        })
    }

    /// A heat map where what is asked for fits nothing else, or fits one and the sweep is a surface.
    fn usual_kind(&self, finder: &Finder<'_>) -> Kind {
        let only_map = matches!(self.y, Some(Named::Axis(_)))
            || matches!(self.colour, Wish::This(Named::Metric(_)));
        let fits_map = self.facet == Wish::Free
            && self.colour != Wish::Empty
            && !matches!(self.x, Some(Named::Metric(_)));
        if only_map || (fits_map && finder.is_a_surface()) {
            Kind::HeatMap
        } else {
            Kind::Lines
        }
    }
}

impl Choice {
    /// Puts the wishes and the defaults together.
    pub(super) fn make(
        description: &Description,
        wishes: &Wishes,
    ) -> Result<Self, SweepReportError> {
        let finder = Finder { description };
        let asked = Asked::of(&finder, wishes)?;
        let kind = wishes.kind.unwrap_or_else(|| asked.usual_kind(&finder));
        let mut choice = match kind {
            Kind::Lines => Self::lines(&finder, wishes, asked)?,
            Kind::HeatMap => Self::heat_map(&finder, wishes, asked)?,
        };
        choice.check_and_rest(&finder, wishes)?;
        Ok(choice)
    }

    fn lines(finder: &Finder<'_>, wishes: &Wishes, asked: Asked) -> Result<Self, SweepReportError> {
        let Asked {
            x,
            y,
            colour,
            facet,
        } = asked;
        let metric = match y {
            Some(Named::Metric(metric)) => metric,
            Some(Named::Axis(_)) => {
                let wish = wishes.y.as_deref();
                return Err(finder.wrong_place("--y", wish, "a metric, in a chart of lines"));
            }
            None => finder.usual_metric()?,
        };
        if let Wish::This(Named::Metric(_)) = colour {
            let wish = wishes.colour.as_deref();
            return Err(finder.wrong_place("--colour", wish, "an axis, in a chart of lines"));
        }
        // What is asked for by name is not free for the others.
        let mut taken: Vec<usize> = Vec::new();
        let named = [x, colour.this(), facet.this().map(Named::Axis)];
        taken.extend(named.into_iter().flatten().filter_map(|named| match named {
            Named::Axis(axis) => Some(axis.axis),
            Named::Metric(_) => None,
        }));
        let x = match x {
            Some(Named::Axis(axis)) => Along::Axis(Some(axis)),
            Some(Named::Metric(metric)) => Along::Metric(metric),
            None => {
                let free = finder.free(&taken);
                let number = free.iter().find(|axis| finder.key(**axis).is_number());
                Along::Axis(number.or(free.first()).copied())
            }
        };
        if let Along::Axis(Some(axis)) = x {
            taken.push(axis.axis);
        }
        let colour = match colour {
            Wish::This(Named::Axis(axis)) => Some(axis),
            Wish::This(Named::Metric(_)) | Wish::Empty => None,
            Wish::Free => finder.free(&taken).first().copied(),
        };
        taken.extend(colour.map(|axis| axis.axis));
        // Over a metric all combinations are points of one chart.
        let usual_facet = match x {
            Along::Metric(_) => None,
            Along::Axis(_) => finder.free(&taken).first().copied(),
        };
        Ok(Self {
            places: Places::Lines {
                x,
                y: metric,
                colour,
            },
            facet: facet.or(usual_facet),
            rest: Vec::new(),
            metric_named: y.is_some(),
        })
    }

    fn heat_map(
        finder: &Finder<'_>,
        wishes: &Wishes,
        asked: Asked,
    ) -> Result<Self, SweepReportError> {
        let Asked {
            x,
            y,
            colour,
            facet,
        } = asked;
        let (mut across, mut up, mut metric) = (None, None, None);
        // The metric is what the colours show, but who says --y means it as well.
        for (option, wish, named) in [
            ("--x", &wishes.x, x),
            ("--y", &wishes.y, y),
            ("--colour", &wishes.colour, colour.this()),
        ] {
            let place = match named {
                None => continue,
                Some(Named::Metric(number)) if metric.is_none() && option != "--x" => {
                    metric = Some(number);
                    continue;
                }
                Some(Named::Axis(axis)) if option == "--x" => across.replace(axis),
                Some(Named::Axis(axis)) if up.is_none() => up.replace(axis),
                Some(_) => {
                    let what = "of a heat map x and y are axes and its colour a metric";
                    return Err(finder.wrong_place(option, wish.as_deref(), what));
                }
            };
            debug_assert_eq!(place, None);
        }
        let mut taken: Vec<usize> = Vec::new();
        taken.extend(facet.this().map(|axis| axis.axis));
        taken.extend(across.map(|axis| axis.axis));
        taken.extend(up.map(|axis| axis.axis));
        let numbers_first = |taken: &[usize]| {
            let free = finder.free(taken);
            let number = free.iter().find(|axis| finder.key(**axis).is_number());
            number.or(free.first()).copied()
        };
        let too_few = || SweepReportError::Unsuitable {
            reason: "a heat map needs two axes with several values".to_owned(),
            hint: format!("`--kind lines` draws lines; {}", finder.axes_in_words()),
        };
        let x = across
            .or_else(|| numbers_first(&taken))
            .ok_or_else(too_few)?;
        taken.push(x.axis);
        let y = up.or_else(|| numbers_first(&taken)).ok_or_else(too_few)?;
        taken.push(y.axis);
        Ok(Self {
            places: Places::HeatMap {
                x,
                y,
                colour: match metric {
                    Some(metric) => metric,
                    None => finder.usual_metric()?,
                },
            },
            facet: facet.or(finder.free(&taken).first().copied()),
            rest: Vec::new(),
            metric_named: metric.is_some(),
        })
    }

    /// Each axis has one place at most; those without one are the rest.
    fn check_and_rest(
        &mut self,
        finder: &Finder<'_>,
        wishes: &Wishes,
    ) -> Result<(), SweepReportError> {
        let places = match &self.places {
            Places::Lines { x, colour, .. } => {
                let x = match x {
                    Along::Axis(axis) => *axis,
                    Along::Metric(_) => None,
                };
                [("--x", x), ("--colour", *colour), ("--facet", self.facet)]
            }
            Places::HeatMap { x, y, .. } => [
                ("--x", Some(*x)),
                ("--y", Some(*y)),
                ("--facet", self.facet),
            ],
        };
        let mut taken = Vec::new();
        for (option, axis) in places {
            let Some(axis) = axis else { continue };
            if taken.contains(&axis.axis) {
                let wish = match option {
                    "--y" => wishes.y.as_deref(),
                    "--colour" => wishes.colour.as_deref(),
                    _ => wishes.facet.as_deref(),
                };
                let what = "another axis than x, y and colour have";
                return Err(finder.wrong_place(option, wish, what));
            }
            taken.push(axis.axis);
        }
        let over_a_metric = matches!(
            self.places,
            Places::Lines {
                x: Along::Metric(_),
                ..
            }
        );
        if !over_a_metric {
            self.rest = finder.free(&taken);
        }
        Ok(())
    }

    /// How it is drawn.
    pub(super) fn kind(&self) -> Kind {
        match self.places {
            Places::Lines { .. } => Kind::Lines,
            Places::HeatMap { .. } => Kind::HeatMap,
        }
    }

    /// Number of the metric drawn.
    pub(super) fn metric(&self) -> usize {
        match self.places {
            Places::Lines { y, .. } => y,
            Places::HeatMap { colour, .. } => colour,
        }
    }

    /// Numbers of the metrics to read: the one drawn, the one along x, and the others worth a look.
    pub(super) fn metrics(&self, description: &Description) -> Vec<usize> {
        let mut metrics = vec![self.metric()];
        if let Places::Lines {
            x: Along::Metric(x),
            ..
        } = self.places
        {
            metrics.push(x);
        }
        metrics.extend(self.others(description));
        metrics
    }

    /// Metrics that are drawn smaller below the one nobody asked for by name.
    pub(super) fn others(&self, description: &Description) -> Vec<usize> {
        let over_an_axis = matches!(
            self.places,
            Places::Lines {
                x: Along::Axis(_),
                ..
            }
        );
        if self.metric_named || !over_an_axis || self.facet.is_some() || !self.rest.is_empty() {
            return Vec::new();
        }
        let first = |name: &&'static str| {
            let metrics = description.metrics.iter();
            metrics
                .enumerate()
                .position(|(_, metric)| metric.name == **name)
        };
        OTHERS.iter().filter_map(first).collect()
    }

    /// Names of what is along x and y, of the colour and of the facet.
    pub(super) fn names(
        &self,
        description: &Description,
    ) -> (String, String, Option<String>, Option<String>) {
        let axis = |at: AxisKey| description.axes[at.axis].keys[at.key].key.clone();
        let metric = |at: usize| description.metrics[at].column.clone();
        let facet = self.facet.map(axis);
        match self.places {
            Places::Lines { x, y, colour } => {
                let x = match x {
                    Along::Axis(Some(x)) => axis(x),
                    Along::Axis(None) => String::new(),
                    Along::Metric(x) => metric(x),
                };
                (x, metric(y), colour.map(axis), facet)
            }
            Places::HeatMap { x, y, colour } => (axis(x), axis(y), Some(metric(colour)), facet),
        }
    }
}

/// Names of metrics that are worth a look beside it: of each the first.
const OTHERS: [&str; 6] = [
    "jain",
    "theta",
    "rtt_mean_s",
    "utilization",
    "drop_rate",
    "queue_mean_packets",
];
