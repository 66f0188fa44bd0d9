// Tables, copying, theme and print; starts everything.

function makeSortable(table) {
  const headers = [...table.querySelectorAll("thead th")];
  headers.forEach((header, column) => {
    header.querySelector("button").addEventListener("click", () => {
      const up = header.getAttribute("aria-sort") !== "ascending";
      headers.forEach((other) => other.removeAttribute("aria-sort"));
      header.setAttribute("aria-sort", up ? "ascending" : "descending");
      const body = table.tBodies[0];
      const key = (row) => row.cells[column].dataset.value;
      const rows = [...body.rows].sort((a, b) => {
        const [p, q] = [key(a), key(b)];
        if (p !== undefined && q !== undefined) return up ? p - q : q - p;
        if (p !== undefined || q !== undefined) return p === undefined ? 1 : -1; // what is no number goes last
        const order = a.cells[column].textContent.localeCompare(b.cells[column].textContent, "en", { numeric: true });
        return up ? order : -order;
      });
      body.append(...rows);
    });
  });
}

/** Shows the rows of the table beside it that hold all words of what is typed. */
function makeFilter(input) {
  const rows = [...input.closest(".card").querySelectorAll("tbody tr")];
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
  });
}

function makeCopyable(button) {
  button.addEventListener("click", () => {
    const code = button.closest(".card").querySelector("pre");
    getSelection().selectAllChildren(code);
    navigator.clipboard?.writeText(code.textContent).then(() => {
      button.textContent = "Copied";
    }, () => {});
  });
}

const THEMES = ["auto", "light", "dark"];

function remembered(theme) {
  try {
    if (theme) localStorage.setItem("theme", theme);
    return localStorage.getItem("theme");
  } catch {
    return null; // storage switched off
  }
}

function setTheme(theme) {
  root.dataset.theme = theme;
  const button = document.getElementById("theme");
  button.textContent = { auto: "◐ Auto", light: "☀ Light", dark: "☾ Dark" }[theme];
  views.forEach((view) => view.draw());
}

function start() {
  for (const spec of charts) views.push(createView(spec));
  const asked = [new URLSearchParams(location.search).get("theme"), remembered()].find((theme) => THEMES.includes(theme));
  setTheme(asked ?? "auto");
  for (const group of new Set(views.map((view) => view.chart.group).filter(Boolean))) echarts.connect(group);
  document.getElementById("theme").addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(root.dataset.theme) + 1) % THEMES.length];
    remembered(next);
    setTheme(next);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => views.forEach((view) => view.draw()));
  document.querySelectorAll("table").forEach(makeSortable);
  document.querySelectorAll(".choice").forEach(makeChoice);
  document.querySelectorAll("input[data-do=filter]").forEach(makeFilter);
  document.querySelectorAll("[data-do=copy]").forEach(makeCopyable);
  addEventListener("beforeprint", () => views.forEach((view) => {
    view.chart.resize({ width: Math.min(view.plot.clientWidth, 640) });
    view.draw(true);
  }));
  addEventListener("afterprint", () => views.forEach((view) => {
    view.chart.resize({ width: "auto" });
    view.draw();
  }));
}

start();
