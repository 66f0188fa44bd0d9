//! Which colour belongs to which name.
//!
//! Eight colours after Okabe and Ito, told apart by readers with any colour vision; each also has
//! a marker of its own. The ninth name shares the first colour and differs by dash and marker.

use super::chart::NEUTRAL;

/// Colour keys in the order in which they were given a colour.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Palette {
    keys: Vec<String>,
}

impl Palette {
    /// The first colours to these names, in this order.
    pub fn new<T: Into<String>>(keys: impl IntoIterator<Item = T>) -> Self {
        let mut palette = Self::default();
        for key in keys {
            palette.slot(&key.into());
        }
        palette
    }

    /// The place of `key`: its own if it has one, else the next free one.
    pub(super) fn slot(&mut self, key: &str) -> usize {
        debug_assert_ne!(key, NEUTRAL, "grey has no place among the colours");
        self.keys
            .iter()
            .position(|known| known == key)
            .unwrap_or_else(|| {
                self.keys.push(key.to_owned());
                self.keys.len() - 1
            })
    }
}

/// Colours there are (`--c0` … `--c7` in `page.css`).
pub(super) const COLOURS: usize = 8;
/// Markers there are (`MARKERS` in `data.js`).
pub(super) const MARKERS: usize = 8;

#[cfg(test)]
mod tests {
    use super::Palette;

    #[test]
    fn a_name_keeps_its_place_whatever_comes_later() {
        let mut palette = Palette::new(["tcp", "tfrc", "tcp"]);
        assert_eq!(palette.slot("tfwc"), 2);
        assert_eq!(palette.slot("tfrc"), 1);
        assert_eq!(palette.slot("tcp"), 0);
    }
}
