// Whole charts as the chart library's options, and their tooltips.

function commonOption(spec, palette) {
  return {
    animation: false,
    backgroundColor: "transparent",
    textStyle: { fontFamily: FONT, color: palette.ink },
    aria: { enabled: true, label: { description: describe(spec) } },
    tooltip: {
      confine: true, backgroundColor: palette.surface, borderColor: palette.line, padding: [6, 10],
      textStyle: { color: palette.ink, fontSize: 12.5 }, transitionDuration: 0,
    },
  };
}

function describe(spec) {
  const what = spec.kind === "heat" ? `colour: ${axisTitle(spec.value)}` : `series: ${spec.series.map((s) => s.name).join(", ")}`;
  return `${spec.title}. Horizontal: ${axisTitle(spec.x)}; vertical: ${axisTitle(spec.y)}; ${what}.`;
}

function lineChartOption(spec, view, palette) {
  const visible = spec.series.filter((series) => !view.hidden.has(series.name));
  const series = visible.map((one) => seriesOption(spec, one, view, palette));
  series.push(...visible.filter((one) => one.low).map((one) => intervalOption(spec, one, view, palette)));
  if (spec.lines.length || spec.spans.length) series.push(linesOption(spec, palette));
  const option = { ...commonOption(spec, palette), series };
  option.xAxis = axisOption(spec, "x", palette, view);
  option.yAxis = axisOption(spec, "y", palette, view);
  const below = option.xAxis.nameGap + 16;
  option.grid = { left: 72, right: 20, top: 14, bottom: below + (view.slider ? 32 : 0), outerBoundsMode: "none" };
  const single = visible.every((one) => one.kind === "points");
  Object.assign(option.tooltip, {
    trigger: single ? "item" : "axis",
    axisPointer: { type: visible.some((one) => one.kind === "bars") ? "shadow" : "line", lineStyle: { color: palette.muted } },
    formatter: (hovered) => tooltip(spec, visible, palette, hovered),
  });
  if (spec.x.scale !== "category") {
    const zoom = { xAxisIndex: 0, filterMode: long(spec) ? "filter" : "none", start: view.zoom[0], end: view.zoom[1] };
    option.dataZoom = [
      { ...zoom, id: "wheel", type: "inside", zoomOnMouseWheel: "ctrl", preventDefaultMouseMove: false },
      {
        ...zoom, id: "slider", type: "slider", show: view.slider, height: 18, bottom: 6, showDetail: false, brushSelect: false,
        borderColor: palette.line, fillerColor: "rgba(90, 150, 220, 0.22)", backgroundColor: "transparent",
        dataBackground: { lineStyle: { color: palette.muted, opacity: 0.5 }, areaStyle: { color: palette.muted, opacity: 0.12 } },
        selectedDataBackground: { lineStyle: { color: palette.accent, opacity: 0.6 }, areaStyle: { color: palette.accent, opacity: 0.15 } },
        handleStyle: { color: palette.surface, borderColor: palette.muted }, moveHandleStyle: { color: palette.muted, opacity: 0.4 },
      },
    ];
  }
  return option;
}

function heatOption(spec, view, palette) {
  const option = commonOption(spec, palette);
  const cells = [];
  const stops = spec.diverging ? [palette.low, palette.middle, palette.high] : [palette.middle, palette.low];
  const labels = spec.x.names.length * spec.y.names.length <= 220 && spec.x.names.length <= 16;
  spec.values.forEach((row, y) => row.forEach((value, x) => {
    if (value === null) return;
    const place = Math.min(Math.max((value - spec.min) / (spec.max - spec.min || 1), 0), 1);
    cells.push({ value: [x, y, value], label: { color: readableOn(blend(stops, place)) } });
  }));
  option.xAxis = { ...axisOption(spec, "x", palette, view), splitLine: { show: false } };
  option.yAxis = { ...axisOption(spec, "y", palette, view), splitLine: { show: false } };
  option.grid = { left: option.yAxis.nameGap + 26, right: 104, top: 10, bottom: option.xAxis.nameGap + 20, outerBoundsMode: "none" };
  option.visualMap = {
    type: "continuous", min: spec.min, max: spec.max, calculable: false, precision: 6, right: 28, top: "middle",
    itemHeight: 150, itemWidth: 14, inRange: { color: stops }, textStyle: { color: palette.muted, fontSize: 11.5 },
    text: [short(spec.max, 4), short(spec.min, 4)], hoverLink: false,
  };
  option.graphic = [{
    type: "text", right: 6, top: "middle", rotation: Math.PI / 2, silent: true,
    style: { text: axisTitle(spec.value), fill: palette.muted, font: `12px ${FONT}` },
  }];
  option.series = [{
    type: "heatmap", animation: false, data: cells,
    label: { show: labels, fontSize: 11.5, formatter: (cell) => cellText(cell.value[2], spec) },
    itemStyle: { borderColor: palette.surface, borderWidth: 1 },
    emphasis: { itemStyle: { borderColor: palette.ink, borderWidth: 1.5 } },
  }];
  option.tooltip.formatter = ({ value: [x, y, value] }) => tooltipTable("", [
    [null, spec.x.label, withUnit(spec.x.names[x], spec.x.unit)],
    [null, spec.y.label, withUnit(spec.y.names[y], spec.y.unit)],
    [null, spec.value.label, withUnit(short(value), spec.value.unit)],
  ]);
  return option;
}

/** Cells of one map have equally many decimals: as many as show a hundredth of its range. */
function cellText(value, spec) {
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(spec.max - spec.min || 1)));
  const plain = decimals <= 4 && Math.abs(value) < 1e4;
  return plain ? value.toFixed(decimals).replace("-", "−") : short(value, 3);
}

const numbersOf = (colour) => colour.match(/[\d.]+/g).map(Number);

function blend(stops, place) {
  const at = place * (stops.length - 1);
  const first = Math.min(Math.floor(at), stops.length - 2);
  const [from, to] = [numbersOf(stops[first]), numbersOf(stops[first + 1])];
  return [0, 1, 2].map((i) => from[i] + (to[i] - from[i]) * (at - first));
}

const readableOn = ([r, g, b]) => (0.299 * r + 0.587 * g + 0.114 * b > 140 ? "#111" : "#fff");

const buildOption = (spec, view, palette) => (spec.kind === "heat" ? heatOption : lineChartOption)(spec, view, palette);

function tooltipTable(heading, rows) {
  const body = element("tbody");
  for (const [colour, name, value, range, hollow] of rows) {
    const swatch = element("td");
    if (colour) {
      swatch.append(hollow ? "□" : "■");
      swatch.style.color = colour;
    }
    const number = element("td", { className: "right" }, value);
    if (range) number.append(element("span", { className: "range", textContent: ` ${range}` }));
    body.append(element("tr", {}, swatch, element("td", { textContent: name }), number));
  }
  return element("div", { className: "tip" }, element("strong", { textContent: heading }), element("table", {}, body));
}

/** The point of a series that belongs to position `x`, or -1. */
function pointAt(spec, series, x) {
  let best = -1;
  for (let i = 0; i < series.x.length; i++) {
    if (series.kind === "step" ? series.x[i] <= x : best < 0 || Math.abs(series.x[i] - x) < Math.abs(series.x[best] - x)) best = i;
  }
  if (best < 0 || series.y[best] === null) return -1;
  const [low, high] = extent(series.x);
  const reach = spec.x.scale === "category" ? 0.1 : (high - low) * 0.005;
  return series.kind === "step" || Math.abs(series.x[best] - x) <= reach ? best : -1;
}

function tooltip(spec, visible, palette, hovered) {
  const one = Array.isArray(hovered) ? hovered[0] : hovered;
  if (!one) return "";
  const x = one.value[0];
  const rows = [];
  for (const series of Array.isArray(hovered) ? visible : visible.filter((s) => s.name === one.seriesName)) {
    const i = Array.isArray(hovered) ? pointAt(spec, series, x) : one.dataIndex;
    if (i < 0) continue;
    const range = series.high && series.high[i] !== null
      ? `[${series.low[i] === null ? "≤ 0" : short(series.low[i], 4)}, ${short(series.high[i], 4)}]` : "";
    rows.push([hue(series, palette), series.name, withUnit(short(series.y[i]), spec.y.unit), range, series.hollow]);
  }
  const left = rows.length - TOOLTIP_ROWS;
  if (left > 0) rows.splice(TOOLTIP_ROWS, left, [null, `and ${left} more`, ""]);
  const place = spec.x.scale === "category" ? spec.x.names[x] : short(x);
  return tooltipTable(`${spec.x.label} ${withUnit(place, spec.x.unit)}`, rows);
}
