// The charts on the page: legend, zoom, buttons.

function legendIcon(series) {
  const colour = hueVariable(series);
  const icon = svgElement("svg", { width: 30, height: 12, "aria-hidden": "true" });
  if (series.kind === "bars") {
    const fill = series.hollow ? { fill: "none", stroke: colour, "stroke-width": 2 } : { fill: colour };
    icon.append(svgElement("rect", { x: 10, y: 1, width: 10, height: 10, ...fill }));
    return icon;
  }
  if (series.kind === "band") icon.append(svgElement("rect", { x: 1, y: 1, width: 28, height: 10, fill: colour, opacity: 0.22 }));
  if (series.kind !== "points") {
    const dash = DASHES[series.dash] === "solid" ? "" : DASHES[series.dash].map((n) => n * 0.7).join(" ");
    icon.append(svgElement("line", { x1: 1, y1: 6, x2: 29, y2: 6, stroke: colour, "stroke-width": 2, "stroke-dasharray": dash }));
  }
  if (series.colour === GREY) return icon;
  const fill = series.hollow ? "var(--surface)" : colour;
  icon.append(svgElement("path", { d: MARKERS[series.marker], transform: "translate(10.5 1.5) scale(0.9)", fill, stroke: colour }));
  return icon;
}

function buildLegend(view) {
  for (const series of view.spec.series) {
    const button = element("button", { type: "button", title: "Show or hide" }, legendIcon(series), series.name);
    button.setAttribute("aria-pressed", "true");
    button.addEventListener("click", () => {
      const hide = !view.hidden.has(series.name);
      for (const other of views) {
        if (!other.members.includes(view.spec)) continue;
        other.hidden[hide ? "add" : "delete"](series.name);
        other.draw();
      }
    });
    view.legend.append(element("li", {}, button));
  }
}

function createView(spec) {
  const figure = document.getElementById(spec.id);
  const members = inGroup(spec);
  const plot = figure.querySelector(".plot");
  const heat = spec.kind === "heat";
  const slider = !heat && spec.x.scale !== "category" && long(spec) && members.findLast((one) => !document.getElementById(one.id).hidden) === spec;
  const rows = heat ? spec.y.names.length * 28 + 70 : 0;
  const usual = heat ? Math.min(Math.max(rows, 220), 900) : spec.group === null ? 330 : 215;
  const plotHeight = (spec.height ?? usual) + (slider ? 32 : 0);
  plot.style.height = `${plotHeight}px`;
  const points = heat ? 0 : spec.series.reduce((sum, s) => sum + (s.kind === "points" ? s.x.length : 0), 0);
  const view = {
    spec, members, plot, slider, plotHeight, hidden: new Set(), zoom: [0, 100], width: plot.clientWidth,
    legend: figure.querySelector(".legend"), reset: figure.querySelector("[data-do=reset]"),
    // What is not shown has no width yet.
    chart: echarts.init(plot, null, { renderer: points > CANVAS ? "canvas" : "svg", width: plot.clientWidth || 600, height: plotHeight }),
    settled: heat ? null : settledTop(spec),
  };
  /** The part of the x axis in view. */
  view.window = () => {
    const [low, high] = groupExtent(spec);
    return view.zoom.map((percent) => low + ((high - low) * percent) / 100);
  };
  view.draw = (printed = false) => {
    const option = buildOption(spec, printed ? { ...view, slider: false } : view, colours(printed ? "light" : undefined));
    view.chart.setOption(option, { notMerge: true });
    if (!view.legend) return;
    view.legend.querySelectorAll("button").forEach((button, i) => {
      button.setAttribute("aria-pressed", String(!view.hidden.has(spec.series[i].name)));
    });
  };
  if (view.legend) buildLegend(view);
  if (!heat) followZoom(view);
  if (view.settled !== null) chooseRange(view, figure.querySelector("[data-do=range]"));
  if (slider) plot.after(element("p", { className: "hint", textContent: "The slider, or the wheel with Ctrl, zooms; dragging moves." }));
  figure.querySelector("[data-do=svg]").addEventListener("click", () => save(`${spec.id}.svg`, "image/svg+xml", svg(spec, view)));
  figure.querySelector("[data-do=csv]").addEventListener("click", () => save(`${spec.id}.csv`, "text/csv", csv(spec)));
  new ResizeObserver(() => {
    if (plot.clientWidth === view.width || plot.clientWidth === 0) return;
    view.width = plot.clientWidth;
    view.chart.resize({ width: "auto" });
    view.draw();
  }).observe(plot);
  if (spec.group !== null) view.chart.group = `group ${spec.group}`;
  return view;
}

/** A button that shows the y range of all points or of those that count. */
function chooseRange(view, button) {
  const whole = view.settled;
  const label = () => { button.textContent = view.settled === null ? "Range after the warm-up" : "Whole range"; };
  button.hidden = false;
  label();
  button.addEventListener("click", () => {
    view.settled = view.settled === null ? whole : null;
    label();
    view.draw();
  });
}

/** Buttons of which each shows one of several charts. */
function makeChoice(choice) {
  const buttons = [...choice.querySelectorAll("[data-show]")];
  for (const button of buttons) {
    button.addEventListener("click", () => {
      for (const other of buttons) {
        other.setAttribute("aria-pressed", String(other === button));
        document.getElementById(other.dataset.show).hidden = other !== button;
      }
    });
  }
}

function followZoom(view) {
  let waiting;
  view.chart.on("datazoom", () => {
    const { start, end } = view.chart.getOption().dataZoom[0];
    view.zoom = [start, end];
    view.reset.hidden = start <= 0 && end >= 100;
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const palette = colours();
      const series = view.spec.series
        .map((one, i) => ({ id: `s${i}`, name: one.name, markPoint: sparseMarkers(view.spec, one, view.window(), palette) }))
        .filter((one) => one.markPoint && !view.hidden.has(one.name));
      view.chart.setOption({ series });
    }, 150);
  });
  view.reset.addEventListener("click", () => view.chart.dispatchAction({ type: "dataZoom", start: 0, end: 100 }));
}
