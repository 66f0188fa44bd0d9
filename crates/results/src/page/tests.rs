use super::*;

fn axis(label: &str) -> Axis {
    Axis::linear(label, "s")
}

fn chart(series: Series) -> Chart {
    Chart::new("one", "One", axis("time"), axis("delay")).with(series)
}

fn line(points: &[(f64, f64)]) -> Series {
    Series::new("a", Kind::Line, points.to_vec())
}

fn write(block: Block) -> Result<String, PageError> {
    Page::new("title", "")
        .with(block)
        .to_html(&Script::Shared("echarts.min.js".to_owned()))
}

fn error(block: Block) -> String {
    write(block).unwrap_err().to_string()
}

/// What the script will read.
fn data(html: &str) -> serde_json::Value {
    let (_, rest) = html.split_once("id=\"page-data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_chart_without_data_is_an_error_that_names_it() {
    let named = "chart \"one\" has no data";
    assert_eq!(error(Block::Chart(chart(line(&[])))), named);
    assert_eq!(error(Block::Chart(chart(line(&[(0.0, f64::NAN)])))), named);
    let mut log = chart(line(&[(1.0, 0.0), (2.0, -1.0)]));
    log.y = Axis::log("delay", "s");
    assert_eq!(error(Block::Chart(log)), named);
    let nested = Block::Beside {
        main: vec![Block::Grid(vec![Block::Chart(chart(line(&[])))])],
        side: vec![],
    };
    assert_eq!(error(nested), named);
}

#[test]
fn a_series_without_data_is_left_out_and_said() {
    let html = write(Block::Chart(chart(line(&[(0.0, 1.0)])).with(Series::new(
        "b",
        Kind::Line,
        vec![],
    ))))
    .unwrap();
    assert!(html.contains("<li>b: no data.</li>"));
    assert_eq!(
        data(&html)["charts"][0]["series"].as_array().unwrap().len(),
        1
    );
}

#[test]
fn what_a_logarithmic_axis_cannot_show_is_counted() {
    let mut log = chart(
        line(&[(1.0, 0.0), (2.0, 1.0), (0.0, 1.0), (3.0, 4.0)]).interval(vec![
            (0.0, 1.0),
            (-1.0, 2.0),
            (1.0, 1.0),
            (3.0, 5.0),
        ]),
    );
    log.x = Axis::log("flows", "");
    log.y = Axis::log("loss", "%");
    let html = write(Block::Chart(log)).unwrap();
    assert!(html.contains("a: 2 points at or below zero are not on the logarithmic axis."));
    let series = &data(&html)["charts"][0]["series"][0];
    // The point at x = 0 is gone, the one at y = 0 is a gap, the low end at -1 is open.
    assert_eq!(series["x"], serde_json::json!([1.0, 2.0, 3.0]));
    assert_eq!(series["y"], serde_json::json!([null, 1.0, 4.0]));
    assert_eq!(series["low"], serde_json::json!([null, null, 3.0]));
    assert_eq!(series["high"], serde_json::json!([1.0, 2.0, 5.0]));
}

#[test]
fn data_that_do_not_fit_are_errors() {
    let infinite = chart(line(&[(0.0, 1.0), (1.0, f64::INFINITY)]));
    assert_eq!(
        error(Block::Chart(infinite)),
        "chart \"one\": series \"a\" has the value inf at point 1"
    );
    let short = chart(line(&[(0.0, 1.0), (1.0, 1.0)]).interval(vec![(0.0, 1.0)]));
    assert_eq!(
        error(Block::Chart(short)),
        "chart \"one\": series \"a\" has 2 points but 1 intervals"
    );
    let band = chart(Series::new("a", Kind::Band, vec![(0.0, 1.0)]));
    assert_eq!(
        error(Block::Chart(band)),
        "chart \"one\": series \"a\" has 1 points but 0 intervals"
    );
    let twice = chart(line(&[(0.0, 1.0)])).with(line(&[(0.0, 2.0)]));
    assert_eq!(
        error(Block::Chart(twice)),
        "chart \"one\" has two series named \"a\""
    );
    let bars = chart(Series::new("a", Kind::Bars, vec![(0.0, 1.0)]));
    assert_eq!(
        error(Block::Chart(bars)),
        "chart \"one\": bars need an x axis with categories"
    );
    let mut beside = chart(line(&[(2.0, 1.0)]));
    beside.x = Axis::category("rate", "Mbps", ["1", "10"]);
    assert_eq!(
        error(Block::Chart(beside)),
        "chart \"one\": series \"a\" has x = 2, no index of one of 2 categories"
    );
    let inside = Block::Details {
        summary: "more".into(),
        blocks: vec![Block::Chart(chart(line(&[(0.0, 1.0)])))],
    };
    assert_eq!(
        error(inside),
        "chart \"one\" is inside details, where it has no width"
    );
}

#[test]
fn ids_are_unique_over_charts_anchors_and_the_page_itself() {
    let one = || Block::Chart(chart(line(&[(0.0, 1.0)])));
    assert_eq!(
        error(Block::Grid(vec![one(), one()])),
        "id \"one\" is empty, has white space, or is used twice in the page"
    );
    for bad in ["", "a b", "page-data"] {
        let heading = Block::Heading {
            level: 2,
            text: String::new(),
            anchor: Some(bad.into()),
        };
        assert_eq!(write(heading), Err(PageError::Id { id: bad.into() }));
    }
}

#[test]
fn a_colour_key_keeps_its_colour_from_page_to_page() {
    let mut page = Page::new("title", "");
    page.palette = Palette::new(["tcp", "tfrc"]);
    let ours = line(&[(0.0, 1.0)]).colour("tfrc");
    let paper = Series::new("paper", Kind::Line, vec![(0.0, 1.0)]).colour("tfrc");
    let new = Series::new("new", Kind::Line, vec![(0.0, 1.0)]);
    page.blocks
        .push(Block::Chart(chart(ours).with(paper).with(new)));
    let html = page.to_html(&Script::Embedded).unwrap();
    let drawn: Vec<_> = data(&html)["charts"][0]["series"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| {
            (
                s["colour"].as_u64().unwrap(),
                s["dash"].as_str().unwrap().to_owned(),
                s["hollow"].as_bool().unwrap(),
            )
        })
        .collect();
    let expected = [
        (1, "solid", false),
        (1, "dashed", true),
        (2, "solid", false),
    ];
    assert_eq!(
        drawn,
        expected.map(|(colour, dash, hollow)| (colour, dash.to_owned(), hollow))
    );
}

#[test]
fn the_ninth_key_shares_a_colour_but_neither_dash_nor_marker() {
    let mut many = Chart::new("one", "One", axis("time"), axis("delay"));
    for number in 0..9 {
        many = many.with(Series::new(
            number.to_string(),
            Kind::Line,
            vec![(0.0, 1.0)],
        ));
    }
    let html = write(Block::Chart(many)).unwrap();
    let series = data(&html)["charts"][0]["series"].clone();
    assert_eq!(series[8]["colour"], series[0]["colour"]);
    assert_ne!(series[8]["dash"], series[0]["dash"]);
    assert_ne!(series[8]["marker"], series[0]["marker"]);
}

#[test]
fn hostile_text_stays_text_everywhere() {
    let evil = "</script><script>alert(1)</script>\"'&{b}\u{2028}";
    let mut hostile = chart(Series::new(evil, Kind::Line, vec![(0.0, 1.0)]))
        .note(evil)
        .line(Along::Y, 1.0, evil);
    hostile.id = "\"onload=\"alert(1)".into();
    hostile.title = evil.into();
    hostile.x.label = evil.into();
    let columns = vec![Column::text(evil)];
    let table = Table {
        rows: vec![vec![evil.into()]],
        ..Table::new(evil, columns)
    };
    let card = VerdictCard {
        statement: evil.into(),
        paper: evil.into(),
        ours: evil.into(),
        interval: Some(evil.into()),
        verdict: Verdict::Partly,
        with: Some(evil.into()),
        reason: Some(evil.into()),
        details: vec![(evil.into(), evil.into())],
    };
    let mut page = Page::new(evil, evil);
    page.blocks = vec![
        Block::section(evil),
        Block::text(evil),
        Block::KeyValues(vec![(evil.into(), evil.into())]),
        Block::Chart(hostile),
        Block::Table(table),
        Block::Verdicts(vec![card]),
        Block::Links(vec![Link::new(evil, "#a")]),
        Block::Code {
            caption: evil.into(),
            text: evil.into(),
        },
        Block::Details {
            summary: evil.into(),
            blocks: vec![],
        },
    ];
    let html = page
        .to_html(&Script::Shared("\"><script>.js".into()))
        .unwrap();
    // The page's own: data, library, program.
    assert_eq!(html.matches("<script").count(), 3);
    assert_eq!(html.matches("</script").count(), 3);
    assert!(!html.contains("<script>alert"));
    assert!(html.contains("id=\"&quot;onload=&quot;alert(1)\""));
    assert_eq!(data(&html)["charts"][0]["series"][0]["name"], evil);
}

#[test]
fn links_that_would_run_something_are_errors() {
    let href = "javascript:alert(1)";
    assert_eq!(
        write(Block::Links(vec![Link::new("x", href)])),
        Err(PageError::Link { href: href.into() })
    );
    let table = Table {
        rows: vec![vec![Cell::Link(Link::new("x", href))]],
        ..Table::new("t", vec![Column::text("c")])
    };
    assert_eq!(
        write(Block::Table(table)),
        Err(PageError::Link { href: href.into() })
    );
}

#[test]
fn table_rows_have_a_cell_for_each_column_and_numbers_a_sort_key() {
    let columns = || {
        vec![
            Column::text("flow"),
            Column::number("goodput", "Mbps").digits(3),
        ]
    };
    let table = Table {
        rows: vec![vec!["a".into(), 12_345.6.into()]],
        ..Table::new("t", columns())
    };
    let html = write(Block::Table(table)).unwrap();
    assert!(
        html.contains("<td class=\"right number\" data-value=\"1.23456e4\">12\u{202f}346</td>")
    );
    let short = Table {
        rows: vec![vec!["a".into()]],
        ..Table::new("t", columns())
    };
    assert_eq!(
        error(Block::Table(short)),
        "table \"t\": row 0 has 1 cells for 2 columns"
    );
}

#[test]
fn a_diverging_scale_reaches_equally_far_on_both_sides() {
    let map = |values| HeatMap {
        id: "map".into(),
        title: "Map".into(),
        x: Axis::category("x", "", ["a", "b"]),
        y: Axis::category("y", "", ["c"]),
        values,
        label: "ratio".into(),
        unit: String::new(),
        scale: ColourScale::Diverging { centre: 1.0 },
        notes: vec![],
        height: None,
    };
    let html = write(Block::HeatMap(map(vec![vec![Some(0.75), Some(1.5)]]))).unwrap();
    // Farthest from 1 is 1.5, by 0.5.
    let spec = &data(&html)["charts"][0];
    assert_eq!(
        (spec["min"].as_f64(), spec["max"].as_f64()),
        (Some(0.5), Some(1.5))
    );
    assert_eq!(
        error(Block::HeatMap(map(vec![vec![None, Some(f64::NAN)]]))),
        "chart \"map\" has no data"
    );
    assert_eq!(
        error(Block::HeatMap(map(vec![vec![None]]))),
        "heat map \"map\" needs 1 rows of 2 values"
    );
}

#[test]
fn a_page_without_charts_carries_no_chart_library() {
    let html = Page::new("title", "")
        .with(Block::text("words"))
        .to_html(&Script::Embedded)
        .unwrap();
    assert!(!html.contains(CHART_LIBRARY));
}

#[test]
fn the_assets_may_stand_inside_their_elements() {
    for script in html::PROGRAM.iter().chain([&CHART_LIBRARY]) {
        let script = script.to_ascii_lowercase();
        assert!(!script.contains("</script") && !script.contains("<!--"));
    }
    assert!(!html::STYLE.contains("</"));
}

/// Ten points thinned to four: two stretches of five, of each the lowest and the highest with
/// their intervals.
#[test]
fn a_thinned_series_keeps_its_peaks() {
    let heights = [3.0, 9.0, 4.0, 1.0, 5.0, 2.0, 2.0, 7.0, 0.0, 6.0];
    let points = (0..10).map(|i| (f64::from(i), heights[i as usize]));
    let ends = heights.map(|height| (height - 1.0, height + 1.0));
    let mut series = line(&points.collect::<Vec<_>>()).interval(ends.to_vec());
    series.thin(10);
    assert_eq!(series.points.len(), 10);
    series.thin(4);
    assert_eq!(
        series.points,
        [(1.0, 9.0), (3.0, 1.0), (7.0, 7.0), (8.0, 0.0)]
    );
    let kept = [(8.0, 10.0), (0.0, 2.0), (6.0, 8.0), (-1.0, 1.0)];
    assert_eq!(series.interval.unwrap(), kept);
}

#[test]
fn maps_that_share_a_scale_have_the_same_ends() {
    let map = |values: [f64; 2], scale| HeatMap {
        id: format!("map-{}", values[0]),
        title: "Map".into(),
        x: Axis::category("x", "", ["a", "b"]),
        y: Axis::category("y", "", ["c"]),
        values: vec![values.map(Some).to_vec()],
        label: "goodput".into(),
        unit: "Mbps".into(),
        scale,
        notes: vec![],
        height: None,
    };
    let between = ColourScale::Between {
        low: 1.0,
        high: 8.0,
    };
    let around = ColourScale::Around {
        centre: 5.0,
        reach: 3.0,
    };
    let both = vec![
        Block::HeatMap(map([2.0, 3.0], between)),
        Block::HeatMap(map([4.0, 9.0], between)),
        Block::HeatMap(map([3.0, 6.0], around)),
        Block::HeatMap(map([5.0, 9.0], around)),
    ];
    let html = write(Block::Grid(both)).unwrap();
    let ends = |at: usize| {
        let map = &data(&html)["charts"][at];
        [map["min"].clone(), map["max"].clone()]
    };
    assert_eq!(ends(0), [1.0, 8.0]);
    // What lies outside moves the end rather than being drawn as if it did not.
    assert_eq!(ends(1), [1.0, 9.0]);
    assert_eq!(ends(2), [2.0, 8.0]);
    assert_eq!(ends(3), [1.0, 9.0]);
}

#[test]
fn a_page_with_charts_says_what_can_be_done_with_them() {
    assert!(
        write(Block::Chart(chart(line(&[(0.0, 1.0)]))))
            .unwrap()
            .contains("class=\"hint help\"")
    );
    assert!(
        !write(Block::text("no chart"))
            .unwrap()
            .contains("class=\"hint help\"")
    );
}
