//! Figures as LaTeX: `pgfplots`, to be `\input` in a paper, with its letters and sizes.

use std::fmt::Write as _;

use super::plot::{Panel, Plot};
use super::{Figure, Kind};

/// The figure: a `tikzpicture` for each panel. It needs `\usepackage{pgfplots}`, and box plots
/// `\usepgfplotslibrary{statistics}`.
pub(super) fn tex(figure: &Figure, plot: &Plot) -> String {
    let mut text = String::from(
        "% Needs \\usepackage{pgfplots} and \\pgfplotsset{compat=1.17}; box plots need\n\
         % \\usepgfplotslibrary{statistics}.\n",
    );
    for panel in &plot.panels {
        picture(&mut text, figure, plot, panel);
    }
    text
}

fn picture(text: &mut String, figure: &Figure, plot: &Plot, panel: &Panel) {
    let title = match (&figure.title[..], &panel.name[..]) {
        (title, "") => title.to_owned(),
        ("", panel) => panel.to_owned(),
        (title, panel) => format!("{title}: {panel}"),
    };
    let cdf = plot.kind == Kind::Cdf;
    let x = figure
        .x_label
        .clone()
        .unwrap_or_else(|| if cdf { plot.y.clone() } else { plot.x.clone() });
    let y = figure.y_label.clone().unwrap_or_else(|| {
        if cdf {
            "part of all".to_owned()
        } else {
            plot.y.clone()
        }
    });
    let mut options = vec![
        format!("xlabel={{{}}}", escaped(&x)),
        format!("ylabel={{{}}}", escaped(&y)),
        "legend pos=outer north east".to_owned(),
        "grid=major".to_owned(),
    ];
    if !title.is_empty() {
        options.push(format!("title={{{}}}", escaped(&title)));
    }
    for (log, axis) in [(figure.log_x, 'x'), (figure.log_y, 'y')] {
        if log {
            options.push(format!("{axis}mode=log"));
        }
    }
    for (names, axis) in [(&plot.x_names, 'x'), (&plot.y_names, 'y')] {
        if !names.is_empty() {
            let places: Vec<String> = (0..names.len()).map(|place| place.to_string()).collect();
            let names: Vec<String> = names
                .iter()
                .map(|name| format!("{{{}}}", escaped(name)))
                .collect();
            options.push(format!("{axis}tick={{{}}}", places.join(",")));
            options.push(format!("{axis}ticklabels={{{}}}", names.join(",")));
        }
    }
    match plot.kind {
        Kind::Bars => options.push("ybar".to_owned()),
        Kind::Box => options.push("boxplot/draw direction=y".to_owned()),
        Kind::HeatMap => options.push("colorbar, view={0}{90}".to_owned()),
        Kind::Lines | Kind::Cdf => {}
    }
    let _ = writeln!(
        text,
        "\\begin{{tikzpicture}}\n\\begin{{axis}}[\n  {},\n]",
        options.join(",\n  ")
    );
    for series in &panel.series {
        let points = series.points.iter();
        match plot.kind {
            Kind::Lines | Kind::Bars | Kind::Cdf => {
                let shape = match plot.kind {
                    Kind::Cdf => "const plot, no marks, thick",
                    Kind::Lines if series.points.len() > MOST_MARKED => "no marks, thick",
                    _ => "thick",
                };
                let _ = writeln!(
                    text,
                    "\\addplot+[{shape}, error bars/.cd, y dir=both, y explicit] table[x=x, y=y, \
                     y error plus=plus, y error minus=minus] {{\nx y plus minus"
                );
                for point in points {
                    let (low, high) = point.ends.unwrap_or((point.y, point.y));
                    let _ = writeln!(
                        text,
                        "{} {} {} {}",
                        point.x,
                        point.y,
                        high - point.y,
                        point.y - low
                    );
                }
                text.push_str("};\n");
            }
            Kind::Box => {
                for point in points {
                    let (least, greatest) = point.ends.unwrap_or((point.y, point.y));
                    let (lower, upper) = point.quartiles.unwrap_or((point.y, point.y));
                    let _ = writeln!(
                        text,
                        "\\addplot+[boxplot prepared={{draw position={}, lower whisker={least}, lower \
                         quartile={lower}, median={}, upper quartile={upper}, upper whisker={greatest}}}] \
                         coordinates {{}};",
                        point.x, point.y
                    );
                }
            }
            Kind::HeatMap => {
                text.push_str("\\addplot[scatter, only marks, mark=square*, mark size=8pt, scatter src=explicit] table[x=x, y=y, meta=value] {\nx y value\n");
                for point in points {
                    let _ = writeln!(
                        text,
                        "{} {} {}",
                        point.x,
                        point.y,
                        point.value.unwrap_or(f64::NAN)
                    );
                }
                text.push_str("};\n");
            }
        }
        if panel.series.len() > 1 {
            let _ = writeln!(text, "\\addlegendentry{{{}}}", escaped(&series.name));
        }
    }
    text.push_str("\\end{axis}\n\\end{tikzpicture}\n");
}

/// Letters that mean something to LaTeX, made harmless.
fn escaped(words: &str) -> String {
    let mut text = String::new();
    for letter in words.chars() {
        match letter {
            '_' | '%' | '&' | '#' | '$' | '{' | '}' => {
                text.push('\\');
                text.push(letter);
            }
            '\\' => text.push_str("\\textbackslash{}"),
            '~' => text.push_str("\\textasciitilde{}"),
            '^' => text.push_str("\\textasciicircum{}"),
            letter => text.push(letter),
        }
    }
    text
}

const MOST_MARKED: usize = 60;

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn words_cannot_be_commands() {
        assert_eq!(
            escaped("goodput_bps 5 % \\x"),
            "goodput\\_bps 5 \\% \\textbackslash{}x"
        );
    }
}
