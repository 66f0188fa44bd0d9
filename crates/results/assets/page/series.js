// Series: lines, steps, points, bars, bands, error bars and reference lines.

function pairs(series, from = 0) {
  return Array.from(series.x, (x, i) => [x, series.y[i]]).slice(from);
}

/** A few markers along a line of many points, staggered from series to series. */
function sparseMarkers(spec, series, window, palette) {
  if (series.colour === GREY || spec.series.length < 2 || spec.series.length > 12 || series.x.length <= MARKED) return undefined;
  const inside = [];
  series.x.forEach((x, i) => {
    if (x >= window[0] && x <= window[1] && series.y[i] !== null) inside.push(i);
  });
  const offset = (spec.series.indexOf(series) + 0.5) / spec.series.length;
  const data = [];
  for (let k = 0; k < SPARSE_MARKERS && inside.length > SPARSE_MARKERS; k++) {
    const i = inside[Math.floor(((k + offset) / SPARSE_MARKERS) * inside.length)];
    data.push({ coord: [series.x[i], series.y[i]] });
  }
  const style = markerStyle(series, palette);
  return { silent: true, animation: false, symbol: symbol(series), symbolSize: MARKER_SIZES[series.marker], label: { show: false }, itemStyle: style, data };
}

const symbol = (series) => `path://${MARKERS[series.marker]}`;

function markerStyle(series, palette) {
  const colour = hue(series, palette);
  return series.hollow
    ? { color: palette.surface, borderColor: colour, borderWidth: 1.6 }
    : { color: colour, borderColor: palette.surface, borderWidth: 0.8 };
}

function seriesOption(spec, series, view, palette) {
  const colour = hue(series, palette);
  const many = series.x.length > MARKED;
  const option = { id: `s${spec.series.indexOf(series)}`, name: series.name, animation: false, data: pairs(series) };
  if (series.kind === "bars") {
    const decal = series.hollow ? { symbol: "rect", dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: 0.7, color: palette.surface } : undefined;
    return { ...option, type: "bar", barGap: "12%", barCategoryGap: "28%", barMaxWidth: 60, itemStyle: { color: colour, decal } };
  }
  option.symbol = symbol(series);
  option.itemStyle = markerStyle(series, palette);
  if (series.kind === "points") {
    return { ...option, type: "scatter", symbolSize: MARKER_SIZES[series.marker] * (series.x.length > LONG ? 0.6 : 0.9), z: 3 };
  }
  return {
    ...option,
    type: "line",
    step: series.kind === "step" ? "end" : false,
    symbolSize: MARKER_SIZES[series.marker],
    showSymbol: !many && series.colour !== GREY,
    showAllSymbol: true,
    sampling: series.x.length > LONG ? "lttb" : undefined,
    lineStyle: { color: colour, width: series.x.length > LONG ? 1.3 : many ? 1.6 : 2, type: DASHES[series.dash] },
    emphasis: { lineStyle: { width: many ? 2 : 2.6 } },
    markPoint: sparseMarkers(spec, series, view.window(), palette),
    z: 3,
  };
}

/** Error bars, or for a band the filled region between the interval's ends. */
function intervalOption(spec, series, view, palette) {
  const index = spec.series.indexOf(series);
  const colour = hue(series, palette);
  const bars = spec.series.filter((other) => other.kind === "bars" && !view.hidden.has(other.name));
  const draw = series.kind === "band" ? drawBand : drawErrorBar;
  return {
    id: `i${index}`, name: series.name, type: "custom", silent: true, animation: false,
    tooltip: { show: false }, itemStyle: { color: colour }, z: series.kind === "band" ? 1 : 4,
    data: series.x.map((x, i) => [x, series.low[i], series.high[i]]), encode: { x: 0, y: [1, 2] },
    clip: series.kind === "band",
    renderItem: (parameters, api) => draw({ series, colour, palette, bars, parameters, api }),
  };
}

function drawErrorBar({ series, colour, palette, bars, parameters, api }) {
  const i = parameters.dataIndex;
  const box = parameters.coordSys;
  if (series.high[i] === null) return undefined;
  const [centre, top] = api.coord([series.x[i], series.high[i]]);
  const open = series.low[i] === null; // below what a logarithmic axis can show
  const bottom = open ? box.y + box.height : api.coord([series.x[i], series.low[i]])[1];
  let x = centre;
  if (series.kind === "bars") {
    x += api.barLayout({ barGap: "12%", barCategoryGap: "28%", barMaxWidth: 60, count: bars.length })[bars.indexOf(series)].offsetCenter;
  }
  if (x < box.x - 1 || x > box.x + box.width + 1) return undefined;
  const clamp = (y) => Math.min(Math.max(y, box.y), box.y + box.height);
  const stroke = series.kind === "bars" ? palette.ink : colour;
  const style = { stroke, lineWidth: 1.4, fill: null };
  const line = (x1, y1, x2, y2) => ({ type: "line", shape: { x1, y1, x2, y2 }, style });
  const children = [line(x, clamp(top), x, clamp(bottom))];
  for (const y of open ? [top] : [top, bottom]) {
    if (y === clamp(y)) children.push(line(x - 4, y, x + 4, y));
  }
  return { type: "group", children };
}

function drawBand({ series, colour, parameters, api }) {
  if (parameters.dataIndexInside !== 0) return undefined;
  const box = parameters.coordSys;
  const pieces = [];
  let upper = [];
  let lower = [];
  const finish = () => {
    if (upper.length > 1) pieces.push([...upper, ...lower.reverse()]);
    upper = [];
    lower = [];
  };
  series.x.forEach((x, i) => {
    if (series.high[i] === null) return finish();
    const top = api.coord([x, series.high[i]]);
    upper.push(top);
    lower.push([top[0], series.low[i] === null ? box.y + box.height : api.coord([x, series.low[i]])[1]]);
  });
  finish();
  const style = { fill: colour, opacity: 0.2 };
  return { type: "group", children: pieces.map((points) => ({ type: "polygon", shape: { points }, style })) };
}

/** Reference lines, on a series of their own so that the axis makes room for them. */
function linesOption(spec, palette) {
  const x = spec.series[0].x[0];
  const y = spec.series[0].y.find((value) => value !== null);
  return {
    id: "lines", type: "line", silent: true, animation: false, symbol: "none", lineStyle: { opacity: 0 }, tooltip: { show: false },
    data: spec.lines.map((line) => (line.axis === "x" ? [line.value, y] : [x, line.value])),
    markArea: {
      silent: true, animation: false, itemStyle: { color: palette.muted, opacity: 0.22 },
      label: { position: "insideBottom", color: palette.ink, fontSize: 11.5 },
      data: spec.spans.map((span) => [{ xAxis: span.from, name: span.label }, { xAxis: span.to }]),
    },
    markLine: {
      silent: true, animation: false, symbol: "none", z: 5,
      lineStyle: { color: palette.ink, width: 1.1, type: [4, 3], opacity: 0.75 },
      data: spec.lines.map((line) => ({
        [`${line.axis}Axis`]: line.value,
        label: {
          show: line.label !== "",
          ...(line.axis === "x" ? { position: "insideEnd", rotate: 0, align: "left", offset: [5, 0] } : { position: "insideEndTop" }),
          color: palette.ink, fontSize: 11.5, formatter: () => line.label, backgroundColor: palette.surface, padding: [1, 4], opacity: 1,
        },
      })),
    },
  };
}
