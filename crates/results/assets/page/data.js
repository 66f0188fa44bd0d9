// The page's data, constants, and what all the other parts use.
//
// The parts are joined in the order data, axes, series, charts, saving, views, page into one
// function, so they share names with each other and with nobody else. All text comes from users:
// it enters the document as text nodes, never as markup.
"use strict";

const LONG = 200; // points; a chart with a longer series has a slider and samples what it draws
const MARKED = 40; // points; a longer series is a thin line with a few markers
const CANVAS = 5000; // single points; more of them are drawn as pixels, not as elements
const GREY = 8; // the colour of what others are held against
const SPARSE_MARKERS = 5;
const TOOLTIP_ROWS = 14;
const FONT = "system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif"; // no quotes: it goes into SVG attributes
const MARKERS = [
  "M5 0A5 5 0 1 1 5 10A5 5 0 1 1 5 0Z", "M1 1H9V9H1Z", "M5 0L10 9H0Z", "M5 -1L11 5L5 11L-1 5Z",
  "M5 10L10 1H0Z", "M3.4 0H6.6V3.4H10V6.6H6.6V10H3.4V6.6H0V3.4H3.4Z",
  "M2 0L5 3L8 0L10 2L7 5L10 8L8 10L5 7L2 10L0 8L3 5L0 2Z", "M5 0L10 4L8 10H2L0 4Z",
];
const MARKER_SIZES = [8, 7.5, 9.5, 10.5, 9.5, 9.5, 9, 9.5]; // equal to the eye
const DASHES = { solid: "solid", dashed: [7, 4], dotted: [2, 3], "dash-dot": [9, 3, 2, 3] };
const root = document.documentElement;
// The library keeps texts as keys of plain objects; one named like a property of all objects
// ("__proto__") would be mistaken for it, so such texts end in an invisible character.
const tame = (key, value) => (typeof value === "string" && key !== "id" && value in Object.prototype ? `${value}\u200b` : value);
const charts = JSON.parse(document.getElementById("page-data").textContent, tame).charts;
const views = [];

function element(tag, properties, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

function svgElement(tag, attributes) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

const superscript = (text) => text.replace(/[-0-9]/g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]));

/** A number in at most `digits` significant digits: 12 500, 0.05, 3.2×10⁻⁵. */
function short(value, digits = 5) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e7 || size < 1e-4) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    const power = "10" + superscript(String(Number(exponent)));
    const factor = Number(mantissa);
    if (factor === 1) return power;
    return `${factor}×${power}`.replace("-", "−");
  }
  const rounded = String(Number.isInteger(value) ? value : Number(value.toPrecision(digits)));
  const [whole, fraction] = rounded.split(".");
  const grouped = size >= 1e4 ? whole.replace(/\B(?=(\d{3})+$)/g, "\u202f") : whole;
  return (fraction ? `${grouped}.${fraction}` : grouped).replace("-", "−");
}

const withUnit = (text, unit) => (unit ? `${text} ${unit}` : text);
const axisTitle = (axis) => (axis.unit ? `${axis.label} (${axis.unit})` : axis.label);

function textWidth(text, size = 12) {
  textWidth.context ??= document.createElement("canvas").getContext("2d");
  textWidth.context.font = `${size}px ${FONT}`;
  return textWidth.context.measureText(text).width;
}

/** How far the shade `n` of a colour lies from it: even ones towards white, odd ones towards black. */
const shadePart = (n) => Math.min(0.2 * Math.ceil(n / 2), 0.6);

/** The colour of a series. */
function hue(series, palette) {
  const colour = palette.series[series.colour];
  if (!series.shade) return colour;
  const end = series.shade % 2 ? 255 : 0;
  const part = shadePart(series.shade);
  return `rgb(${colour.match(/[\d.]+/g).slice(0, 3).map((c) => Math.round(c * (1 - part) + end * part)).join(", ")})`;
}

/** The same for styles that the browser resolves. */
function hueVariable(series) {
  const colour = `var(--c${series.colour})`;
  if (!series.shade) return colour;
  return `color-mix(in srgb, ${colour} ${100 * (1 - shadePart(series.shade))}%, ${series.shade % 2 ? "white" : "black"})`;
}

/** The page's colours, resolved for the scheme in force or the one asked for. */
function colours(scheme) {
  const probe = element("span");
  if (scheme) probe.style.colorScheme = scheme;
  document.body.append(probe);
  const of = (name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const result = { series: [0, 1, 2, 3, 4, 5, 6, 7, 8].map((i) => of(`c${i}`)) };
  for (const name of ["ink", "muted", "line", "grid", "surface", "accent", "low", "middle", "high"]) {
    result[name] = of(name);
  }
  probe.remove();
  return result;
}
