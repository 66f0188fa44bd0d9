// Axes: their extents, ticks and titles.

/** Ticks 1, 2, 5, 10, … for short logarithmic axes, whole decades for long ones. */
function logTicks(low, high) {
  const ticks = [];
  const steps = high / low > 2000 ? [1] : [1, 2, 5];
  for (let decade = Math.floor(Math.log10(low)); decade <= Math.ceil(Math.log10(high)); decade++) {
    for (const step of steps) ticks.push(Number(`${step}e${decade}`));
  }
  return ticks;
}

function extent(values, keep = Number.isFinite) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value === null || !keep(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

/** 99.9 becomes 100 and 0.1 becomes 0, so that a run's time axis ends on round numbers. */
function roundedEnds([low, high]) {
  const range = high - low || 1;
  const step = 10 ** (Math.floor(Math.log10(range)) - 1);
  const down = Math.floor(low / step + 1e-9) * step;
  const up = Math.ceil(high / step - 1e-9) * step;
  return [low - down <= range * 0.02 ? down : low, up - high <= range * 0.02 ? up : high];
}

/** All numbers that an axis must show. */
function* shown(spec, which) {
  for (const series of spec.series) {
    yield* series[which];
    if (which === "y" && series.low) yield* series.low;
    if (which === "y" && series.high) yield* series.high;
  }
  for (const line of spec.lines) if (line.axis === which) yield line.value;
}

function axisOption(spec, which, palette, view) {
  const axis = spec[which];
  const horizontal = which === "x";
  const room = horizontal ? view.width - 92 : view.plotHeight - 60;
  const option = {
    name: axisTitle(axis),
    nameLocation: "middle",
    nameGap: horizontal ? 30 : 50,
    nameTruncate: { maxWidth: room, ellipsis: "…" },
    splitNumber: horizontal ? Math.min(Math.max(Math.round(room / 95), 3), 10) : 5,
    nameTextStyle: { color: palette.muted, fontSize: 12 },
    axisLine: { show: true, onZero: false, lineStyle: { color: palette.muted } },
    axisTick: { show: true, lineStyle: { color: palette.muted } },
    axisLabel: { color: palette.muted, fontSize: 11.5, hideOverlap: true },
    splitLine: { show: axis.scale !== "category", lineStyle: { color: palette.grid } },
  };
  if (axis.scale === "category") {
    const widest = Math.max(...axis.names.map((name) => textWidth(name, 11.5)));
    const crowded = horizontal && widest > 30 && (widest + 8) * axis.names.length > room;
    Object.assign(option, { type: "category", data: axis.names });
    Object.assign(option.axisTick, { alignWithLabel: true });
    Object.assign(option.axisLabel, { interval: widest > 30 ? 0 : "auto", hideOverlap: widest <= 30 });
    Object.assign(option.axisLabel, { rotate: crowded ? 32 : 0, width: 170, overflow: "truncate" });
    if (crowded) option.nameGap = 22 + Math.min(widest, 170) * 0.55;
    if (!horizontal) option.nameGap = Math.min(widest, 170) + 18;
    return option;
  }
  option.axisLabel.formatter = (value) => short(value, 4);
  if (axis.scale === "log") {
    let [low, high] = extent(shown(spec, which), (value) => value > 0);
    const ticks = logTicks(low, high);
    if (!horizontal || low === high) {
      low = Math.max(...ticks.filter((tick) => tick <= low * (1 - 1e-9)), ticks[0] / 2);
      high = Math.min(...ticks.filter((tick) => tick >= high * (1 + 1e-9)), ticks[ticks.length - 1] * 2);
    }
    option.type = "log";
    option.min = axis.min ?? low;
    option.max = axis.max ?? high;
    option.axisTick.customValues = option.axisLabel.customValues = logTicks(option.min, option.max);
    return option;
  }
  option.type = "value";
  option.scale = !axis.zero;
  if (!horizontal && !axis.zero) option.boundaryGap = ["4%", "4%"];
  const ends = horizontal && long(spec) ? roundedEnds(groupExtent(spec)) : [undefined, undefined];
  option.min = axis.min ?? ends[0];
  option.max = axis.max ?? ends[1];
  if (!horizontal && view.settled !== null) option.max = view.settled;
  return option;
}

/** The top of a y axis that shows what counts, or null where all points fit on it well. */
function settledTop(spec) {
  if (spec.settled === null || spec.y.scale !== "linear" || spec.y.max !== null) return null;
  const all = extent(shown(spec, "y"))[1];
  let top = -Infinity;
  for (const series of spec.series) {
    series.x.forEach((x, i) => {
      if (x >= spec.settled) top = Math.max(top, series.y[i] ?? -Infinity, series.high?.[i] ?? -Infinity);
    });
  }
  if (!Number.isFinite(top) || top <= 0) return null;
  const decade = 10 ** Math.floor(Math.log10(top * 1.03));
  top = decade * [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((step) => decade * step >= top * 1.03);
  return all > 1.25 * top ? top : null;
}

const long = (spec) => spec.series.some((series) => series.x.length > LONG);
const inGroup = (spec) => (spec.group === null ? [spec] : charts.filter((other) => other.group === spec.group));

const extents = new Map();

/** Lowest and highest x of all charts that share the axis. */
function groupExtent(spec) {
  if (!extents.has(spec)) extents.set(spec, extent(inGroup(spec).flatMap((other) => extent(shown(other, "x")))));
  return extents.get(spec);
}
