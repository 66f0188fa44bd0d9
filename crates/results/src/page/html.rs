//! The page as HTML.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;

use super::drawing;
use super::escape::{html, is_harmless_target, script_json};
use super::heat_map::heat_spec;
use super::relief::relief;
use super::spec::chart_spec;
use super::{
    Block, Cell, Chart, Column, Link, Page, PageError, Palette, Script, Table, VerdictCard,
};
use super::{CHART_LIBRARY, significant};

/// Writes `page`.
pub(super) fn page(page: &Page, script: &Script) -> Result<String, PageError> {
    let mut writer = Writer {
        body: String::new(),
        charts: Vec::new(),
        palette: page.palette.clone(),
        ids: OWN_IDS.iter().map(|id| (*id).to_owned()).collect(),
        in_details: false,
    };
    writer.blocks(&page.blocks)?;
    let data = serde_json::json!({ "charts": writer.charts }).to_string();
    let library = match script {
        _ if writer.charts.is_empty() => String::new(),
        Script::Embedded => format!("<script>{CHART_LIBRARY}</script>\n"),
        Script::Shared(path) => format!("<script src=\"{}\"></script>\n", target(path)?),
    };
    let title = html(&page.title);
    let subtitle = match page.subtitle.as_str() {
        "" => String::new(),
        text => format!("<p class=\"subtitle\">{}</p>", html(text)),
    };
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\" data-theme=\"auto\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header><div><h1>{title}</h1>{subtitle}</div>\
         <button id=\"theme\" type=\"button\" title=\"Colours: automatic, light or dark\">◐ Auto</button></header>\n\
         <main>\n<noscript><p>The charts need JavaScript; it runs in this file and loads nothing.</p></noscript>\n\
         {body}{help}</main>\n\
         <script type=\"application/json\" id=\"page-data\">{data}</script>\n\
         {library}<script>\n(() => {{\n{program}}})();\n</script>\n</body>\n</html>\n",
        body = writer.body,
        help = if writer.charts.is_empty() { "" } else { HELP },
        data = script_json(&data),
        program = PROGRAM.concat(),
    ))
}

/// What the frame of a chart is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Frame {
    /// A chart with axes.
    Shown,
    /// The same, not shown to begin with.
    Hidden,
    /// A heat map.
    Heat,
}

/// The page so far.
struct Writer {
    body: String,
    charts: Vec<Value>,
    palette: Palette,
    ids: BTreeSet<String>,
    in_details: bool,
}

impl Writer {
    fn blocks(&mut self, blocks: &[Block]) -> Result<(), PageError> {
        blocks.iter().try_for_each(|block| self.block(block))
    }

    fn block(&mut self, block: &Block) -> Result<(), PageError> {
        match block {
            Block::Heading { level, text, anchor } => {
                let level = (*level).clamp(2, 3);
                let id = match anchor {
                    Some(anchor) => format!(" id=\"{}\"", self.id(anchor)?),
                    None => String::new(),
                };
                self.line(&format!("<h{level}{id}>{}</h{level}>", html(text)));
            }
            Block::Paragraph(text) => self.line(&format!("<p>{}</p>", html(text))),
            Block::KeyValues(pairs) => {
                self.line("<div class=\"card\"><dl class=\"values\">");
                for (name, value) in pairs {
                    self.line(&format!("<div><dt>{}</dt><dd>{}</dd></div>", html(name), html(value)));
                }
                self.line("</dl></div>");
            }
            Block::Chart(chart) => self.chart(chart, Frame::Shown)?,
            Block::Choice(charts) => self.choice(charts)?,
            Block::Drawing(drawing) => {
                let (id, title) = (self.id(&drawing.id)?, html(&drawing.title));
                let drawn = drawing::svg(drawing);
                self.line(&format!(
                    "<figure class=\"card\" id=\"{id}\"><figcaption class=\"bar\">\
                     <span class=\"title\">{title}</span></figcaption>\n{drawn}</figure>"
                ));
            }
            Block::HeatMap(map) => {
                let spec = heat_spec(map)?;
                self.figure(&map.id, &map.title, &map.notes, Frame::Heat)?;
                self.charts.push(to_value(&spec));
            }
            Block::Relief(map) => {
                let (id, drawing) = (self.id(&map.id)?, relief(map)?);
                let title = html(&map.title);
                self.line(&format!(
                    "<figure class=\"card\" id=\"{id}\"><figcaption class=\"bar\">\
                     <span class=\"title\">{title}</span></figcaption>\n{drawing}"
                ));
                self.notes(&map.notes);
                self.line("</figure>");
            }
            Block::Table(table) => self.table(table)?,
            Block::Verdicts(cards) => cards.iter().for_each(|card| self.verdict(card)),
            Block::Links(links) => {
                self.line("<ul class=\"links\">");
                for link in links {
                    self.line(&format!("<li>{}</li>", anchor(link)?));
                }
                self.line("</ul>");
            }
            Block::Code { caption, text } => self.line(&format!(
                "<div class=\"card\"><div class=\"bar\"><span class=\"title\">{}</span>\
                 <button type=\"button\" data-do=\"copy\">Copy</button></div>\n<pre><code>{}</code></pre></div>",
                html(caption),
                html(text),
            )),
            Block::Beside { main, side } => {
                self.line("<div class=\"beside\"><div>");
                self.blocks(main)?;
                self.line("</div><div>");
                self.blocks(side)?;
                self.line("</div></div>");
            }
            Block::Grid(blocks) => {
                self.line("<div class=\"grid\">");
                self.blocks(blocks)?;
                self.line("</div>");
            }
            Block::Details { summary, blocks } => {
                self.line(&format!("<details><summary>{}</summary>", html(summary)));
                let outside = std::mem::replace(&mut self.in_details, true);
                self.blocks(blocks)?;
                self.in_details = outside;
                self.line("</details>");
            }
        }
        Ok(())
    }

    fn chart(&mut self, chart: &Chart, frame: Frame) -> Result<(), PageError> {
        let spec = chart_spec(chart, &mut self.palette)?;
        let notes: Vec<_> = chart.notes.iter().chain(&spec.notes).cloned().collect();
        self.figure(&chart.id, &chart.title, &notes, frame)?;
        self.charts.push(to_value(&spec));
        Ok(())
    }

    /// Charts with a button for each; the first one is shown.
    fn choice(&mut self, charts: &[(String, Chart)]) -> Result<(), PageError> {
        if let [(_, only)] = charts {
            return self.chart(only, Frame::Shown);
        }
        self.line("<div class=\"choice\"><div class=\"tabs\" role=\"group\">");
        for (index, (name, chart)) in charts.iter().enumerate() {
            self.line(&format!(
                "<button type=\"button\" data-show=\"{}\" aria-pressed=\"{}\">{}</button>",
                html(&chart.id),
                index == 0,
                html(name)
            ));
        }
        self.line("</div>");
        for (index, (_, chart)) in charts.iter().enumerate() {
            let frame = if index == 0 {
                Frame::Shown
            } else {
                Frame::Hidden
            };
            self.chart(chart, frame)?;
        }
        self.line("</div>");
        Ok(())
    }

    /// The frame that `assets/page` fills with a chart.
    fn figure(
        &mut self,
        id: &str,
        title: &str,
        notes: &[String],
        frame: Frame,
    ) -> Result<(), PageError> {
        let zooms = frame != Frame::Heat;
        let hidden = if frame == Frame::Hidden {
            " hidden"
        } else {
            ""
        };
        if self.in_details {
            return Err(PageError::Hidden {
                chart: id.to_owned(),
            });
        }
        let id = self.id(id)?;
        let reset = if zooms {
            "<button type=\"button\" data-do=\"range\" hidden></button>\
             <button type=\"button\" data-do=\"reset\" hidden>Reset zoom</button>"
        } else {
            ""
        };
        let legend = if zooms {
            "<ul class=\"legend\"></ul>\n"
        } else {
            ""
        };
        self.line(&format!(
            "<figure class=\"card\" id=\"{id}\"{hidden}><figcaption class=\"bar\">\
             <span class=\"title\">{}</span>{reset}\
             <button type=\"button\" data-do=\"svg\" title=\"Save the chart as SVG\">SVG</button>\
             <button type=\"button\" data-do=\"csv\" title=\"Save its points as CSV\">CSV</button></figcaption>\n\
             {legend}<div class=\"plot\"></div>",
            html(title),
        ));
        self.notes(notes);
        self.line("</figure>");
        Ok(())
    }

    fn notes(&mut self, notes: &[String]) {
        if !notes.is_empty() {
            self.line("<ul class=\"notes\">");
            for note in notes {
                self.line(&format!("<li>{}</li>", html(note)));
            }
            self.line("</ul>");
        }
    }

    fn table(&mut self, table: &Table) -> Result<(), PageError> {
        self.line("<div class=\"card table\">");
        let long = table.rows.len() > MOST_ROWS_WITHOUT_FILTER;
        if !table.caption.is_empty() || long {
            let filter = if long { FILTER } else { "" };
            self.line(&format!(
                "<div class=\"bar\"><span class=\"title\">{}</span>{filter}</div>",
                html(&table.caption)
            ));
        }
        self.line("<div class=\"scroll\"><table>\n<thead><tr>");
        for Column {
            name, unit, align, ..
        } in &table.columns
        {
            let unit = if unit.is_empty() {
                String::new()
            } else {
                format!("<span class=\"unit\">{}</span>", html(unit))
            };
            let (class, name) = (align.class(), html(name));
            self.line(&format!("<th scope=\"col\" class=\"{class}\"><button type=\"button\">{name}</button>{unit}</th>"));
        }
        self.line("</tr></thead>\n<tbody>");
        for (row, cells) in table.rows.iter().enumerate() {
            if cells.len() != table.columns.len() {
                let (caption, columns) = (table.caption.clone(), table.columns.len());
                return Err(PageError::Row {
                    table: caption,
                    row,
                    cells: cells.len(),
                    columns,
                });
            }
            self.body.push_str("<tr>");
            for (cell, column) in cells.iter().zip(&table.columns) {
                let cell = table_cell(cell, column)?;
                self.body.push_str(&cell);
            }
            self.line("</tr>");
        }
        self.line("</tbody></table></div></div>");
        Ok(())
    }

    fn verdict(&mut self, card: &VerdictCard) {
        let class = card.verdict.class();
        let mut label = card.verdict.label().to_owned();
        if let Some(with) = &card.with {
            label = format!("{label} {}", html(with));
        }
        self.line(&format!(
            "<section class=\"card verdict {class}\"><span class=\"label\">{label}</span><p>{}</p><dl>",
            html(&card.statement),
        ));
        let interval = card.interval.as_deref().map(|text| ("Interval", text));
        for (name, text) in [("Paper", card.paper.as_str()), ("Ours", &card.ours)]
            .into_iter()
            .chain(interval)
        {
            self.line(&format!("<dt>{name}</dt><dd>{}</dd>", html(text)));
        }
        self.line("</dl>");
        if let Some(reason) = &card.reason {
            self.line(&format!("<p class=\"reason\">{}</p>", html(reason)));
        }
        if !card.details.is_empty() {
            let names: Vec<_> = card.details.iter().map(|(name, _)| html(name)).collect();
            self.line(&format!("<details><summary>{}</summary>", names.join(", ")));
            for (name, text) in &card.details {
                self.line(&format!(
                    "<p class=\"reason\"><b>{}.</b> {}</p>",
                    html(name),
                    html(text)
                ));
            }
            self.line("</details>");
        }
        self.line("</section>");
    }

    /// Notes the use of an id and gives it back for an attribute.
    fn id(&mut self, id: &str) -> Result<String, PageError> {
        if id.is_empty() || id.contains(char::is_whitespace) || !self.ids.insert(id.to_owned()) {
            return Err(PageError::Id { id: id.to_owned() });
        }
        Ok(html(id))
    }

    fn line(&mut self, markup: &str) {
        self.body.push_str(markup);
        self.body.push('\n');
    }
}

/// A cell; `data-value` is what the column is sorted by.
fn table_cell(cell: &Cell, column: &Column) -> Result<String, PageError> {
    let align = column.align.class();
    let number = |value: f64| significant(value, column.digits);
    let of_number = |value: f64, text: &str| {
        let key = if value.is_finite() {
            format!(" data-value=\"{value:e}\"")
        } else {
            String::new()
        };
        format!("<td class=\"{align} number\"{key}>{text}</td>")
    };
    Ok(match cell {
        Cell::Text(text) => format!("<td class=\"{align}\">{}</td>", html(text)),
        Cell::Number(value) => of_number(*value, &number(*value)),
        Cell::Interval { value, low, high } => {
            let mut text = number(*value);
            let _ = write!(
                text,
                " <span class=\"range\">[{}, {}]</span>",
                number(*low),
                number(*high)
            );
            of_number(*value, &text)
        }
        Cell::Link(link) => format!("<td class=\"{align}\">{}</td>", anchor(link)?),
        Cell::Verdict(verdict) => format!(
            "<td class=\"{align}\"><span class=\"label {}\">{}</span></td>",
            verdict.class(),
            verdict.label(),
        ),
        Cell::Empty => format!("<td class=\"{align}\"></td>"),
    })
}

fn anchor(link: &Link) -> Result<String, PageError> {
    let download = if link.download { " download" } else { "" };
    Ok(format!(
        "<a href=\"{}\"{download}>{}</a>",
        target(&link.href)?,
        html(&link.text)
    ))
}

fn target(href: &str) -> Result<String, PageError> {
    if is_harmless_target(href) {
        Ok(html(href))
    } else {
        Err(PageError::Link {
            href: href.to_owned(),
        })
    }
}

fn to_value(spec: &impl serde::Serialize) -> Value {
    serde_json::to_value(spec).expect("numbers, texts and lists are always JSON")
}

/// Longer tables have a field that filters their rows.
const MOST_ROWS_WITHOUT_FILTER: usize = 25;
const FILTER: &str = "<input class=\"filter\" type=\"search\" data-do=\"filter\" \
                      placeholder=\"Filter rows\" aria-label=\"Filter rows\">";
/// What a reader can do with a chart.
const HELP: &str = "<p class=\"hint help\">Charts: point at one for its values; the wheel with Ctrl zooms, \
                    dragging moves; a click on a name hides it; SVG and CSV save the chart and its points.</p>\n";
/// Forbids the page every request but that for the chart library beside it.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' 'self' file:; \
                      style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
pub(super) const STYLE: &str = include_str!("../../assets/page/page.css");
/// The parts of the page's script, in the order in which they build on each other.
pub(super) const PROGRAM: [&str; 7] = [
    include_str!("../../assets/page/data.js"),
    include_str!("../../assets/page/axes.js"),
    include_str!("../../assets/page/series.js"),
    include_str!("../../assets/page/charts.js"),
    include_str!("../../assets/page/saving.js"),
    include_str!("../../assets/page/views.js"),
    include_str!("../../assets/page/page.js"),
];
/// Ids that the page itself uses.
const OWN_IDS: [&str; 2] = ["page-data", "theme"];
