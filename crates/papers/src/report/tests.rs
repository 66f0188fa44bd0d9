use results::page::{Axis, Chart, Column, Kind as ChartKind, Series, Table};

use super::*;
use crate::data::Measured;
use crate::paper::Figure;
use crate::testing::quick;

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_report_shows_every_figure_and_claim_and_has_every_file() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("out").join("report");
    let done = quick(&["toy"], 2);
    assert_eq!(
        write_report(&folder, &done).unwrap(),
        folder.join("index.html")
    );

    assert_eq!(
        files(&folder),
        [
            "data",
            "echarts.min.js",
            "index.html",
            "results.json",
            "scenarios",
            "toy.html"
        ]
    );
    assert_eq!(files(&folder.join("data")), ["toy-1.csv", "toy-2.csv"]);
    assert_eq!(
        files(&folder.join("scenarios")),
        [
            "toy-1-1.toml",
            "toy-1-2.toml",
            "toy-2-1.toml",
            "toy-2-2.toml",
            "toy-2-3.toml"
        ]
    );
    // Nothing is left of the temporary folder.
    assert_eq!(files(folder.parent().unwrap()), ["report"]);

    let index = fs::read_to_string(folder.join("index.html")).unwrap();
    let page = fs::read_to_string(folder.join("toy.html")).unwrap();
    for one in &done.papers[0].claims {
        assert!(index.contains(one.claim.statement) && page.contains(one.claim.statement));
        assert!(page.contains(one.claim.rule) && page.contains(&one.judged.reason));
        assert_eq!(one.own, one.claim.id == "2-same");
    }
    for (id, title) in [("1", "goodput"), ("2", "goodput again")] {
        assert!(page.contains(&format!(
            "<h2 id=\"figure-{id}\">Figure\u{a0}{id}: {title}</h2>"
        )));
        assert!(page.contains(&format!("ackclock reproduce toy/{id} --quick")));
        assert!(index.contains(&format!("toy.html#figure-{id}")));
    }
    assert!(page.contains("href=\"scenarios/toy-2-3.toml\" download"));
    let scenario = fs::read_to_string(folder.join("scenarios/toy-2-3.toml")).unwrap();
    assert_eq!(scenario, done.papers[0].figures[1].data.points[2].scenario);
    // The second claim stands with the second figure, and is pointed at from the first.
    assert!(page.contains("<a href=\"#figure-2\">Both figures show the same."));
    // One run of a figure can be repeated from the folder: the file is there and is a scenario.
    assert!(page.contains("ackclock run scenarios/toy-1-1.toml --out out/toy-1"));
    for name in files(&folder.join("scenarios")) {
        let text = fs::read_to_string(folder.join("scenarios").join(&name)).unwrap();
        let registry = experiments::Registry::standard();
        let read = experiments::scenario::Scenario::parse(&text, &name, &registry);
        read.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let csv = fs::read_to_string(folder.join("data/toy-1.csv")).unwrap();
    assert_eq!(csv.lines().count(), 3);
}

#[test]
fn the_results_in_the_folder_are_the_json_of_the_command() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("report");
    write_report(&folder, &quick(&["toy/1"], 1)).unwrap();
    let text = fs::read_to_string(folder.join("results.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["report"], "index.html");
    let figure = &json["papers"][0]["figures"][0];
    assert_eq!(
        figure.to_string(),
        r#"{"id":"1","points":2,"seeds":2,"title":"goodput"}"#
    );
    let claim = &json["papers"][0]["claims"][0];
    assert_eq!(claim["id"], "1-fills");
    assert_eq!(claim["figure"], "1");
    assert_eq!(claim["paper"], 0.96);
    assert_eq!(claim["verdict"], "reproduced");
    assert!(claim["ours"].as_f64().unwrap() > 0.8);
    assert_eq!(claim["interval"].as_array().unwrap().len(), 2);
    assert_eq!(claim["own"], false);
    assert_eq!(claim["with"], serde_json::Value::Null);
    assert_eq!(claim["variations"], serde_json::json!([]));
}

#[test]
fn a_report_is_replaced_whole_but_never_by_an_interrupted_one() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("report");
    fs::create_dir(&folder).unwrap(); // an empty folder is as good as none
    write_report(&folder, &quick(&["toy"], 2)).unwrap();

    let stopped = Reproduction {
        interrupted: true,
        ..quick(&["toy/1"], 1)
    };
    let error = write_report(&folder, &stopped).unwrap_err();
    assert!(matches!(error, ReportError::Incomplete { .. }), "{error}");
    assert!(folder.join("data/toy-2.csv").exists());

    write_report(&folder, &quick(&["toy/1"], 1)).unwrap();
    assert!(!folder.join("data/toy-2.csv").exists());
    assert_eq!(files(scratch.path()), ["report"]);

    let elsewhere = scratch.path().join("first");
    write_report(&elsewhere, &stopped).unwrap();
    assert!(elsewhere.join("index.html").exists());
}

#[test]
fn what_is_not_a_report_is_left_alone() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("thesis");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("index.html"), "mine").unwrap();
    let done = quick(&["toy/1"], 1);
    let error = write_report(&folder, &done).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("{} is there already and is not a report", folder.display())
    );
    let file = folder.join("index.html");
    assert!(matches!(
        write_report(&file, &done),
        Err(ReportError::NotAReport { .. })
    ));
    assert_eq!(fs::read_to_string(file).unwrap(), "mine");
    assert_eq!(files(scratch.path()), ["thesis"]);
}

/// A figure of four panels over one time axis, and a table: what the papers' traces look like.
const PANELS: Figure = Figure {
    id: "table-9",
    title: "panels",
    shows: "Four panels and a table.",
    parameters: &[],
    plan: |_| Vec::new(),
    measure: |_| Measured::default(),
    draw: |_| {
        let trace: Vec<_> = (0..6000)
            .map(|i| (f64::from(i) / 10.0, f64::from(i % 40)))
            .collect();
        let panel = |id: &str| {
            let time = Axis::linear("time", "s");
            let chart = Chart::new(format!("toy-9-{id}"), id, time, Axis::linear(id, "packets"));
            let chart = chart.with(Series::new("reno", ChartKind::Line, trace.clone()));
            Block::Chart(chart.group("toy-9"))
        };
        let mut table = Table::new("Numbers", vec![Column::text("what")]);
        table.rows.push(vec!["a cell".into()]);
        let panels = ["window", "rto", "rtt", "number"].map(panel);
        vec![Block::Table(table), Block::Grid(panels.to_vec())]
    },
};

const NOTHING: Figure = Figure {
    id: "9",
    draw: |_| vec![Block::text("to be done")],
    ..PANELS
};

fn with_figure(figure: &'static Figure) -> Reproduction {
    let mut done = quick(&["toy/1"], 1);
    let data = crate::Data::default();
    done.papers[0].figures.push(FigureOutcome { figure, data });
    done
}

#[test]
fn a_figure_may_have_panels_and_tables_and_the_index_shows_the_first_panel_small() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("report");
    write_report(&folder, &with_figure(&PANELS)).unwrap();
    let page = fs::read_to_string(folder.join("toy.html")).unwrap();
    let index = fs::read_to_string(folder.join("index.html")).unwrap();
    assert!(page.contains("Table\u{a0}9: panels") && page.contains("a cell"));
    for id in ["window", "rto", "rtt", "number"] {
        assert!(page.contains(&format!("id=\"toy-9-{id}\"")), "{id}");
        assert_eq!(
            index.contains(&format!("id=\"toy-9-{id}\"")),
            id == "window"
        );
    }
    // All of the 6000 points on the paper's page; on the index 300 stretches of 20, two of each.
    let number = |html: &str| {
        let data = html.split("id=\"page-data\">").nth(1).unwrap();
        let data = data.split("</script>").next().unwrap();
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        let charts = data["charts"].as_array().unwrap();
        let panel = charts
            .iter()
            .find(|chart| chart["id"] == "toy-9-window")
            .unwrap();
        (
            panel["series"][0]["x"].as_array().unwrap().len(),
            panel["group"].clone(),
        )
    };
    assert_eq!(number(&page), (6000, "toy-9".into()));
    assert_eq!(number(&index), (600, serde_json::Value::Null));
}

#[test]
fn a_figure_that_draws_nothing_is_an_error() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("report");
    let error = write_report(&folder, &with_figure(&NOTHING)).unwrap_err();
    assert_eq!(error.to_string(), "figure toy/9 draws nothing");
    assert!(!folder.exists());
}
