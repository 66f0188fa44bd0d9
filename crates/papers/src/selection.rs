//! Which papers and figures to reproduce, by name.

use crate::paper::{Figure, Paper};

/// Papers and their figures, in the order of the list of papers.
#[derive(Clone, Debug)]
pub struct Selection(Vec<Chosen>);

/// A paper and the figures chosen of it, in its order.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The paper.
    pub paper: &'static Paper,
    /// Its figures.
    pub figures: Vec<&'static Figure>,
}

/// A name that stands for no paper or figure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownName {
    /// No such paper.
    #[error("no paper is named \"{name}\"; there is: {}", known.join(", "))]
    Paper {
        /// The name given.
        name: String,
        /// The papers there are.
        known: Vec<&'static str>,
    },
    /// The paper has no such figure.
    #[error("{paper} has no figure \"{name}\"; it has: {}", known.join(", "))]
    Figure {
        /// The paper.
        paper: &'static str,
        /// The figure given.
        name: String,
        /// The figures it has.
        known: Vec<&'static str>,
    },
}

impl Selection {
    /// Everything.
    pub fn all(papers: &'static [Paper]) -> Self {
        let whole = |paper| Chosen {
            paper,
            figures: paper.figures.iter().collect(),
        };
        Self(papers.iter().map(whole).collect())
    }

    /// What `names` stand for, each `PAPER` or `PAPER/FIGURE`; everything where there are none.
    pub fn parse<T: AsRef<str>>(
        papers: &'static [Paper],
        names: &[T],
    ) -> Result<Self, UnknownName> {
        if names.is_empty() {
            return Ok(Self::all(papers));
        }
        let mut wanted: Vec<(&str, &str)> = Vec::new();
        for name in names {
            let (paper_name, figure_id) =
                name.as_ref().split_once('/').unwrap_or((name.as_ref(), ""));
            let paper = papers
                .iter()
                .find(|paper| paper.name == paper_name)
                .ok_or_else(|| UnknownName::Paper {
                    name: paper_name.to_owned(),
                    known: papers.iter().map(|paper| paper.name).collect(),
                })?;
            let whole = !name.as_ref().contains('/');
            if !whole && paper.figure(figure_id).is_none() {
                return Err(UnknownName::Figure {
                    paper: paper.name,
                    name: figure_id.to_owned(),
                    known: paper.figures.iter().map(|figure| figure.id).collect(),
                });
            }
            wanted.push((paper_name, figure_id));
        }
        let is_wanted = |paper: &Paper, figure: &Figure| {
            wanted
                .iter()
                .any(|(name, id)| *name == paper.name && (id.is_empty() || *id == figure.id))
        };
        let chosen = papers.iter().map(|paper| Chosen {
            paper,
            figures: paper
                .figures
                .iter()
                .filter(|figure| is_wanted(paper, figure))
                .collect(),
        });
        Ok(Self(
            chosen.filter(|chosen| !chosen.figures.is_empty()).collect(),
        ))
    }

    /// The papers chosen.
    pub fn papers(&self) -> &[Chosen] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::PAPERS;

    fn names(selection: &Selection) -> Vec<String> {
        let of = |chosen: &Chosen| {
            let paper = chosen.paper.name;
            chosen
                .figures
                .iter()
                .map(|figure| format!("{paper}/{}", figure.id))
                .collect::<Vec<_>>()
        };
        selection.papers().iter().flat_map(of).collect()
    }

    #[test]
    fn no_name_is_everything_and_a_paper_all_its_figures() {
        let none: [&str; 0] = [];
        let everything = names(&Selection::parse(PAPERS, &none).unwrap());
        assert_eq!(everything, ["toy/1", "toy/2"]);
        assert_eq!(
            names(&Selection::parse(PAPERS, &["toy"]).unwrap()),
            everything
        );
    }

    #[test]
    fn figures_come_in_the_papers_order_and_once() {
        let selection = Selection::parse(PAPERS, &["toy/2", "toy/1", "toy/2"]).unwrap();
        assert_eq!(names(&selection), ["toy/1", "toy/2"]);
        assert_eq!(
            names(&Selection::parse(PAPERS, &["toy/2"]).unwrap()),
            ["toy/2"]
        );
    }

    #[test]
    fn an_unknown_name_is_told_with_those_there_are() {
        let told = |name: &str| Selection::parse(PAPERS, &[name]).unwrap_err().to_string();
        assert_eq!(told("tuy"), "no paper is named \"tuy\"; there is: toy");
        assert_eq!(told("toy/9"), "toy has no figure \"9\"; it has: 1, 2");
    }
}
