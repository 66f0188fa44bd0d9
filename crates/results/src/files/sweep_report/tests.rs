use serde_json::{Value, json};

use super::*;
use crate::files::{Column, Origin, Table};

/// A run: combination, goodput, utilization; a run without numbers failed.
type Row = (u64, Option<(f64, f64)>);

fn key(name: &str, unit: &str, scale: &str, values: &[Value]) -> Value {
    let shown = |value: &Value| match value {
        Value::String(text) => text.clone(),
        number => number.to_string(),
    };
    let label = name.rsplit('.').next().unwrap();
    json!({ "key": name, "column": name, "label": label, "type": "float64", "unit": unit, "scale": scale,
            "values": values, "shown": values.iter().map(shown).collect::<Vec<_>>() })
}

fn rates() -> Value {
    let values = [json!(1e6), json!(2e6), json!(4e6)];
    json!({ "keys": [key("topology.bottleneck.rate", "bps", "logarithmic", &values)] })
}

fn counts() -> Value {
    json!({ "keys": [key("flows.tcp.count", "", "linear", &[json!(1), json!(4)])] })
}

fn queues() -> Value {
    let values = [json!("drop-tail"), json!("red")];
    json!({ "keys": [key("topology.bottleneck.queue.kind", "", "", &values)] })
}

/// A sweep's folder with these axes and runs.
fn sweep(axes: &[Value], seeds: u64, state: &str, rows: &[Row]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let metric = |column: &str, name: &str, of: &str, label: &str, unit: &str| {
        json!({ "column": column, "name": name, "of": of, "label": label, "unit": unit,
                "type": "float64", "part": if of.is_empty() { "total" } else { "links" } })
    };
    let combinations: usize = axes
        .iter()
        .map(|axis| axis["keys"][0]["values"].as_array().unwrap().len())
        .product();
    let failed = rows.iter().filter(|row| row.1.is_none()).count();
    let description = json!({
        "format": 1, "version": "0.1.0", "results": "0.1.0-0", "scenario": "tried", "description": "",
        "state": state, "combinations": combinations, "points": combinations as u64 * seeds,
        "done": rows.len(), "failed": failed,
        "seeds": { "first": 1, "at_least": seeds, "at_most": seeds, "until": [], "within_percent": null },
        "axes": axes,
        "metrics": [
            metric("goodput_bps", "goodput_bps", "", "goodput", "bps"),
            metric("links.bottleneck.utilization", "utilization", "bottleneck",
                   "utilization of bottleneck", ""),
        ],
        "errors": [],
    });
    fs::write(folder.path().join(DESCRIPTION), description.to_string()).unwrap();
    let text = |row: usize| rows[row].1.is_none().then(|| "it failed".into());
    let table = Table {
        name: "runs",
        rows: rows.len(),
        columns: vec![
            Column::count("point", |row| rows[row].0),
            Column::count("seed", |row| row as u64 + 1),
            Column::optional_text("error", text),
            Column::optional_real("goodput_bps", |row| rows[row].1.map(|run| run.0)),
            Column::optional_real("links.bottleneck.utilization", |row| {
                rows[row].1.map(|run| run.1)
            }),
        ],
    };
    let origin = Origin {
        version: "0.1.0".to_owned(),
        entries: Vec::new(),
    };
    table.write(&folder.path().join(RUNS), &origin).unwrap();
    folder
}

/// One run for each combination; the goodput is a megabit more than the combination's number.
fn one_each(axes: &[Value], combinations: u64) -> tempfile::TempDir {
    let run = |point: u64| (point, Some(((point + 1) as f64 * 1e6, 0.5)));
    let rows: Vec<Row> = (0..combinations).map(run).collect();
    sweep(axes, 1, "complete", &rows)
}

fn draw(folder: &tempfile::TempDir, wishes: &[(&str, &str)]) -> Result<Drawn, SweepReportError> {
    let wish = |name: &str| {
        let found = wishes.iter().find(|(option, _)| *option == name);
        found.map(|(_, value)| (*value).to_owned())
    };
    let wishes = Wishes {
        x: wish("x"),
        y: wish("y"),
        colour: wish("colour"),
        facet: wish("facet"),
        kind: wish("kind").map(|kind| match kind.as_str() {
            "lines" => Kind::Lines,
            _ => Kind::HeatMap,
        }),
    };
    write_sweep_report(folder.path(), &wishes)
}

fn page(folder: &tempfile::TempDir) -> String {
    fs::read_to_string(folder.path().join(PAGE)).unwrap()
}

/// The charts on the page, as its script reads them.
fn charts(folder: &tempfile::TempDir) -> Vec<Value> {
    let page = page(folder);
    let data = page.split("id=\"page-data\">").nth(1).unwrap();
    let data: Value = serde_json::from_str(data.split("</script>").next().unwrap()).unwrap();
    data["charts"].as_array().unwrap().clone()
}

fn hint(error: SweepReportError) -> String {
    match error {
        SweepReportError::NotASweep { hint, .. }
        | SweepReportError::Name { hint, .. }
        | SweepReportError::Unsuitable { hint, .. } => hint,
        error => panic!("{error}"),
    }
}

/// Axes: rate (3 values), then count (2), which varies fastest. Combination 3 is the second rate
/// with the second count. Its two seeds gave 8 and 10 Mb/s: mean 9, half width of the interval
/// 12.706 (t with one degree of freedom) × √2 / √2 = 12.706.
#[test]
fn seeds_become_a_mean_with_its_interval_at_the_right_place() {
    let mut rows: Vec<Row> = Vec::new();
    for point in 0..6 {
        let goodput = if point == 3 { 8e6 } else { 1e6 };
        rows.push((point, Some((goodput, 0.5))));
        let goodput = if point == 3 { 10e6 } else { 1e6 };
        rows.push((point, Some((goodput, 0.5))));
    }
    let folder = sweep(&[rates(), counts()], 2, "complete", &rows);
    let drawn = draw(&folder, &[]).unwrap();
    assert_eq!(
        (
            drawn.x.as_str(),
            drawn.y.as_str(),
            drawn.colour.as_deref(),
            drawn.facet
        ),
        (
            "topology.bottleneck.rate",
            "goodput_bps",
            Some("flows.tcp.count"),
            None
        )
    );
    assert_eq!((drawn.points, drawn.runs, drawn.complete), (6, 12, true));
    let charts = charts(&folder);
    let chart = &charts[0];
    assert_eq!(chart["x"]["scale"], "log");
    assert_eq!(chart["x"]["unit"], "Mbps");
    let series = &chart["series"][1];
    assert_eq!(series["name"], "count 4");
    assert_eq!(series["x"], json!([1.0, 2.0, 4.0]));
    assert_eq!(series["y"], json!([1.0, 9.0, 1.0]));
    assert!(
        (series["high"][1].as_f64().unwrap() - 21.706).abs() < 1e-6,
        "{series}"
    );
    assert_eq!(series["high"][0], 1.0);
    // Nobody asked for the goodput, so the link's use is drawn as well.
    assert_eq!(charts[1]["y"]["label"], "utilization of bottleneck");
    assert!(page(&folder).contains("Mean over 2 seeds"));
}

#[test]
fn a_sweep_that_is_not_complete_says_so_and_failed_runs_are_left_out() {
    let rows = [(0, Some((1e6, 0.5))), (0, Some((3e6, 0.5))), (2, None)];
    let folder = sweep(&[rates()], 2, "partial", &rows);
    let drawn = draw(&folder, &[]).unwrap();
    assert_eq!((drawn.points, drawn.runs, drawn.failed), (1, 3, 1));
    assert!(!drawn.complete);
    let html = page(&folder);
    assert!(html.contains("The sweep is not complete: 3 of 6 runs are there."));
    assert!(html.contains("1 of 3 runs failed and are left out"));
    assert_eq!(charts(&folder)[0]["series"][0]["y"], json!([2.0]));
}

#[test]
fn nothing_is_averaged_over_an_axis() {
    // Three axes: x, colour, and a chart for each value of the third.
    let folder = one_each(&[rates(), counts(), queues()], 12);
    let drawn = draw(&folder, &[]).unwrap();
    assert_eq!(
        drawn.facet.as_deref(),
        Some("topology.bottleneck.queue.kind")
    );
    let both = charts(&folder);
    assert_eq!(both.len(), 2);
    assert_eq!(
        (both[0]["title"].as_str(), both[1]["title"].as_str()),
        (Some("drop-tail"), Some("red"))
    );
    // Combinations of `red` with count 1: 1, 5, 9, hence 2, 6 and 10 Mb/s; up to 12 Mb/s in both.
    assert_eq!(both[1]["series"][0]["y"], json!([2.0, 6.0, 10.0]));
    assert_eq!(
        (&both[0]["y"]["max"], &both[1]["y"]["max"]),
        (&json!(12.0), &json!(12.0))
    );
    // What has no place gets charts of its own: 2 counts × 2 queues.
    draw(&folder, &[("colour", "none"), ("facet", "none")]).unwrap();
    let all = charts(&folder);
    assert_eq!(all.len(), 4);
    assert_eq!(all[3]["title"], "count 4, red");
    assert!(
        all.iter()
            .all(|chart| chart["series"].as_array().unwrap().len() == 1)
    );
}

#[test]
fn axes_are_chosen_by_the_end_of_their_name_and_words_are_bars() {
    let folder = one_each(&[rates(), counts(), queues()], 12);
    let wishes = [
        ("x", "kind"),
        ("y", "utilization"),
        ("colour", "rate"),
        ("facet", "count"),
    ];
    let drawn = draw(&folder, &wishes).unwrap();
    assert_eq!(drawn.y, "links.bottleneck.utilization");
    let charts = charts(&folder);
    assert_eq!(charts.len(), 2);
    assert_eq!(charts[0]["x"]["names"], json!(["drop-tail", "red"]));
    assert_eq!(charts[0]["series"][0]["kind"], "bars");
    assert_eq!(charts[0]["series"].as_array().unwrap().len(), 3);
}

#[test]
fn a_metric_over_a_metric_is_a_cloud_of_points() {
    let folder = one_each(&[rates(), counts()], 6);
    let drawn = draw(&folder, &[("x", "utilization"), ("y", "goodput")]).unwrap();
    assert_eq!(
        (drawn.points, drawn.colour.as_deref()),
        (6, Some("topology.bottleneck.rate"))
    );
    let charts = charts(&folder);
    assert_eq!(charts[0]["series"][2]["kind"], "points");
    assert_eq!(charts[0]["series"][2]["x"], json!([0.5, 0.5]));
    assert_eq!(charts[0]["series"][2]["y"], json!([5.0, 6.0]));
}

fn surface() -> tempfile::TempDir {
    let four = [json!(1), json!(2), json!(3), json!(4)];
    let axis = |name| json!({ "keys": [key(name, "", "linear", &four)] });
    one_each(&[axis("a.across"), axis("a.up")], 16)
}

#[test]
fn two_long_axes_without_seeds_are_a_heat_map() {
    let folder = surface();
    let drawn = draw(&folder, &[]).unwrap();
    assert_eq!(drawn.kind, Kind::HeatMap);
    assert_eq!((drawn.x.as_str(), drawn.y.as_str()), ("a.across", "a.up"));
    assert_eq!(drawn.colour.as_deref(), Some("goodput_bps"));
    let map = &charts(&folder)[0];
    assert_eq!(map["kind"], "heat");
    // Column 2 (from 0) and row 1: combination 2 × 4 + 1 = 9, hence 10 Mb/s.
    assert_eq!(map["values"][1][2], 10.0);
    // The metric may be named by --y too, axes may change places, and lines are there for the asking.
    let drawn = draw(&folder, &[("y", "utilization"), ("x", "up")]).unwrap();
    assert_eq!((drawn.x.as_str(), drawn.y.as_str()), ("a.up", "a.across"));
    assert_eq!(
        drawn.colour.as_deref(),
        Some("links.bottleneck.utilization")
    );
    assert_eq!(
        draw(&folder, &[("kind", "lines")]).unwrap().kind,
        Kind::Lines
    );
}

#[test]
fn a_wrong_name_says_what_is_allowed() {
    let folder = one_each(&[rates(), counts()], 6);
    let error = draw(&folder, &[("x", "rats")]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "--x rats: the sweep has no such axis or metric"
    );
    let hint_x = hint(error);
    assert!(
        hint_x.contains("axes: topology.bottleneck.rate, flows.tcp.count"),
        "{hint_x}"
    );
    assert!(
        hint_x.contains("metrics: goodput_bps, links.bottleneck.utilization"),
        "{hint_x}"
    );
    let near = hint(draw(&folder, &[("y", "godput")]).unwrap_err());
    assert!(near.starts_with("did you mean goodput?"), "{near}");
    for wrong in [
        &[("facet", "goodput")][..],
        &[("x", "rate"), ("colour", "rate")],
        &[("kind", "lines"), ("y", "count")],
        &[("kind", "heat-map"), ("x", "goodput")],
    ] {
        let error = draw(&folder, wrong).unwrap_err();
        assert!(
            matches!(error, SweepReportError::Name { .. }),
            "{wrong:?}: {error}"
        );
    }
    let error = draw(&one_each(&[rates()], 3), &[("kind", "heat-map")]).unwrap_err();
    assert!(
        matches!(error, SweepReportError::Unsuitable { .. }),
        "{error}"
    );
    assert!(!folder.path().join(PAGE).exists());
}

#[test]
fn a_sweep_of_seeds_alone_is_one_bar() {
    let rows = [(0, Some((1e6, 0.5))), (0, Some((3e6, 0.5)))];
    let folder = sweep(&[], 2, "complete", &rows);
    let drawn = draw(&folder, &[]).unwrap();
    assert_eq!((drawn.x.as_str(), drawn.points), ("", 1));
    assert_eq!(charts(&folder)[0]["series"][0]["y"], json!([2.0]));
}

#[test]
fn a_sweep_whose_runs_all_failed_is_refused() {
    let folder = sweep(
        &[rates()],
        1,
        "complete",
        &[(0, None), (1, None), (2, None)],
    );
    let error = draw(&folder, &[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no run of the sweep has a value for goodput_bps"
    );
}

#[test]
fn what_is_not_a_sweep_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let error = draw(&folder, &[]).unwrap_err();
    assert!(
        error.to_string().ends_with("is not the folder of a sweep"),
        "{error}"
    );
    fs::write(folder.path().join("index.html"), "").unwrap();
    assert!(hint(draw(&folder, &[]).unwrap_err()).contains("index.html"));
    let error = write_sweep_report(&folder.path().join("none"), &Wishes::default()).unwrap_err();
    assert!(error.to_string().ends_with("no such folder"), "{error}");
    // Killed before the data set was written.
    let folder = one_each(&[rates()], 3);
    fs::remove_file(folder.path().join(RUNS)).unwrap();
    let error = draw(&folder, &[]).unwrap_err();
    assert!(error.to_string().ends_with("has no results yet"), "{error}");
}

#[test]
fn the_same_sweep_gives_the_same_page_and_nothing_else_is_left() {
    let folder = one_each(&[rates(), counts()], 6);
    draw(&folder, &[]).unwrap();
    let first = page(&folder);
    draw(&folder, &[]).unwrap();
    assert!(first == page(&folder));
    let names = fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, [PAGE, RUNS, DESCRIPTION]);
}
