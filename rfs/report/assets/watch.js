// The live view: asks for state.json every two seconds and shows it. Figures keep what the reader switched off.
"use strict";

const live = new Map(); // title of a figure to its Chart
let before = "";

function table(runs) {
  const columns = { name: "run", progress: "progress", left: "time left", loss: "loss", validation: "validation", speed: "speed", state: "state" };
  const rows = runs.map((run) => {
    const progress = make("progress", { max: run.steps || 1, value: run.step, "aria-label": run.name });
    const cells = { ...run, progress: [progress, ` ${run.step} of ${run.steps}`] };
    return make("tr", {}, ...Object.keys(columns).map((key) => make("td", {}, ...[cells[key] ?? ""].flat())));
  });
  return make("div", { class: "scroll" }, make("table", {}, make("tr", {}, ...Object.values(columns).map((title) => make("th", {}, title))), ...rows));
}

function show(state) {
  const runs = document.querySelector(".runs"), place = document.querySelector(".charts");
  runs.replaceChildren(state.runs.length > 0 ? table(state.runs) : make("p", {}, "No runs yet. This page shows them as soon as they start."));
  if (state.left_out > 0) runs.append(make("p", { class: "small" }, `The ${state.runs.length} latest runs; ${state.left_out} older ones are left out.`));
  for (const data of state.charts) {
    const chart = live.get(data.title);
    if (!chart) {
      const root = make("div", { class: "figure chart" });
      place.append(root);
      live.set(data.title, new Chart(root, data));
    } else if (JSON.stringify(chart.data) !== JSON.stringify(data)) {
      chart.set(data);
    }
  }
}

async function refresh() {
  const gone = document.querySelector(".gone");
  try {
    const answer = await fetch("state.json", { cache: "no-store" });
    const text = await answer.text();
    gone.hidden = answer.ok;
    gone.textContent = text;
    if (answer.ok && text !== before) show(JSON.parse((before = text)));
  } catch {
    gone.hidden = false;
    gone.textContent = "rfs watch does not answer. Start it again; this page then continues by itself.";
  }
  setTimeout(refresh, 2000);
}

refresh();
