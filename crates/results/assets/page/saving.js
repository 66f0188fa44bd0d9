// Saving a chart as SVG, and its points as CSV.

function save(name, type, text) {
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name.replace(/[^\w.-]+/g, "-") });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const csvLine = (cells) => cells.map((cell) => {
  const text = cell === null || cell === undefined ? "" : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}).join(",");

/** Tidy table: one line for each point, all digits. */
function csv(spec) {
  const lines = [];
  if (spec.kind === "heat") {
    lines.push([axisTitle(spec.x), axisTitle(spec.y), axisTitle(spec.value)]);
    spec.values.forEach((row, y) => row.forEach((value, x) => lines.push([spec.x.names[x], spec.y.names[y], value])));
  } else {
    const ranged = spec.series.some((series) => series.low);
    lines.push(["series", axisTitle(spec.x), axisTitle(spec.y), ...(ranged ? ["low", "high"] : [])]);
    for (const series of spec.series) {
      series.x.forEach((x, i) => {
        const place = spec.x.scale === "category" ? spec.x.names[x] : x;
        lines.push([series.name, place, series.y[i], ...(ranged ? [series.low?.[i], series.high?.[i]] : [])]);
      });
    }
  }
  return lines.map(csvLine).join("\n") + "\n";
}

/** The chart as shown (zoom, hidden series), in light colours, legend inside. */
function svg(spec, view) {
  const palette = { ...colours("light"), surface: "#ffffff" };
  const width = 720;
  const option = buildOption(spec, { ...view, slider: false, width }, palette);
  let height = view.plotHeight - (view.slider ? 32 : 0);
  option.backgroundColor = "#ffffff";
  option.textStyle.fontFamily = "Helvetica, Arial, sans-serif";
  if (spec.kind !== "heat" && spec.series.length > 1) {
    const names = spec.series.filter((series) => !view.hidden.has(series.name)).map((series) => series.name);
    const room = width - option.grid.left - option.grid.right;
    let rows = 1;
    let used = 0;
    for (const name of names) {
      const item = 25 + 5 + textWidth(name, 12) * 1.1 + 14;
      if (used > 0 && used + item > room) [rows, used] = [rows + 1, 0];
      used += item;
    }
    option.legend = { data: names, left: option.grid.left, width: room, top: 8, itemGap: 10, itemWidth: 25, textStyle: { color: palette.ink } };
    option.grid.top += rows * 24;
    height += rows * 24;
  }
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width, height });
  chart.setOption(option);
  const text = chart.renderToSVGString();
  chart.dispose();
  return text;
}
