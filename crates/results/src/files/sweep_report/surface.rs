//! Heat maps: a metric as colour over two axes.

use super::choice::{AxisKey, Places};
use super::draw::{Drawing, Fixed};
use super::scale::Scale;
use crate::page::{Axis, Block, ColourScale, HeatMap};

impl Drawing<'_> {
    /// A heat map; none where nothing is to be seen.
    pub(super) fn heat_map(&self, id: String, fixed: &Fixed) -> Option<Block> {
        let Places::HeatMap { x, y, colour } = self.choice.places else {
            return None;
        };
        let metric = &self.description.metrics[colour];
        let means = self
            .rows
            .points
            .values()
            .filter_map(|moments| moments[0].mean());
        // One scale and one range for all maps of the page.
        let scale = Scale::of_metric(metric, means.clone());
        let low = means.clone().fold(f64::INFINITY, f64::min) / scale.size;
        let high = means.fold(f64::NEG_INFINITY, f64::max) / scale.size;
        let (columns, rows) = (self.key(x).values.len(), self.key(y).values.len());
        let mut values = vec![vec![None; columns]; rows];
        for (at, moments) in self.combinations(fixed) {
            let cell = &mut values[at[y.axis]][at[x.axis]];
            *cell = moments[0].mean().map(|mean| mean / scale.size);
        }
        if values.iter().flatten().all(Option::is_none) {
            return None;
        }
        let axis = |at: AxisKey| {
            let key = self.key(at);
            Axis::category(&key.label, "", key.shown.iter().cloned())
        };
        Some(Block::HeatMap(HeatMap {
            id,
            title: self.title(fixed).unwrap_or_else(|| self.subject()),
            x: axis(x),
            y: axis(y),
            values,
            label: metric.label.clone(),
            unit: scale.unit,
            scale: if metric.name == THETA {
                ColourScale::Diverging { centre: 0.5 }
            } else {
                ColourScale::Between { low, high }
            },
            notes: self.notes(),
            height: None,
        }))
    }
}

const THETA: &str = "theta";
