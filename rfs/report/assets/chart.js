// Interactive figures. A figure is <div class="figure chart"> with its data as JSON in a <script> inside:
//   {title, notes, runs: [{name, href, command}], measures: [{name, x, y, scale, panels: [
//     {title, trained: [first, last] or null, lines: [{label, colour, dash, runs: [index], points: [[x, y, low, high, samples]]}]}]}]}
"use strict";

const dark = matchMedia("(prefers-color-scheme: dark)");

/** Makes an element; text is always set as text, never as HTML. */
function make(name, attributes = {}, ...children) {
  const svg = ["svg", "g", "path", "circle", "line", "rect", "text", "title"].includes(name);
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** The colour of a line, lighter on a dark page if it would vanish there. */
function shown(colour) {
  if (!dark.matches) return colour;
  const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const light = (0.3 * parts[0] + 0.6 * parts[1] + 0.1 * parts[2]) / 255;
  const share = light < 0.2 ? 0.75 : light < 0.45 ? 0.4 : 0;
  return "#" + parts.map((part) => Math.round(part + share * (255 - part)).toString(16).padStart(2, "0")).join("");
}

function number(value) {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) < 1 && Math.abs(value) >= 0.001 ? value.toFixed(3) : value.toPrecision(4).replace(/\.?0+($|e)/, "$1");
}

/** About `count` round numbers from `low` to `high`. */
function ticks(low, high, count) {
  const rough = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9) * step; at <= high + step * 1e-6; at += step) found.push(+at.toPrecision(12));
  return found;
}

function logTicks(low, high) {
  const base = high < 500 * low ? 2 : 10, found = [];
  for (let power = Math.ceil(Math.log(low) / Math.log(base) - 1e-9); base ** power <= high * 1.000001; ++power) found.push(base ** power);
  const every = Math.ceil(found.length / 8);
  return found.filter((_, i) => i % every === 0);
}

/** A relative URL as a path to read; names that are not UTF-8 stay encoded. */
function readable(href) {
  try {
    href = decodeURIComponent(href);
  } catch {
    // keep it
  }
  return href.replace(/^\.\/|\/$/g, "");
}

const tip = {
  show(lines, x, y) {
    if (!this.box) document.body.append((this.box = make("div", { id: "tip", role: "presentation" })));
    this.box.replaceChildren(...lines.map((line, i) => make("div", {}, i === 0 ? make("b", {}, line) : line)));
    this.box.hidden = false;
    const width = this.box.offsetWidth, height = this.box.offsetHeight;
    this.box.style.left = Math.max(4, Math.min(x + 14, innerWidth - width - 4)) + "px";
    this.box.style.top = (y + 16 + height > innerHeight ? Math.max(4, y - height - 12) : y + 16) + "px";
  },
  hide() {
    if (this.box) this.box.hidden = true;
  },
};

class Chart {
  constructor(root, data = JSON.parse(root.querySelector("script").textContent)) {
    this.root = root;
    this.hidden = new Set(); // labels that the legend switched off
    this.closed = new Set(); // titles of panels that are not shown
    this.measure = 0;
    this.set(data);
    new ResizeObserver(() => this.root.clientWidth !== this.width && this.draw()).observe(root);
    dark.addEventListener("change", () => this.build());
  }

  /** Takes new data and keeps what the reader chose. */
  set(data) {
    this.data = data;
    this.measure = Math.min(this.measure, data.measures.length - 1);
    this.build();
  }

  get figure() {
    return this.data.measures[this.measure];
  }

  /** The lines without duplicate labels, in order of appearance. */
  get legend() {
    const lines = new Map();
    for (const panel of this.figure.panels) {
      for (const line of panel.lines) if (!lines.has(line.label)) lines.set(line.label, line);
    }
    return [...lines.values()];
  }

  build() {
    const focus = this.root.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.root.querySelectorAll(":scope > :not(script)").forEach((child) => child.remove());
    this.panels = make("div", { class: "panels" });
    this.chosen ??= make("div", { class: "chosen", "aria-live": "polite" }, make("p", { class: "small" }, "Point at a line for its values. Click a point, or press the arrow keys in a panel, for its record and command."));
    this.root.append(this.data.title ? make("h3", {}, this.data.title) : "", this.measureControls(), this.panelControls(), this.panels, this.legendControls(), this.chosen);
    for (const note of this.data.notes) this.root.append(make("p", { class: "notes small" }, note));
    this.draw();
    if (focus) this.root.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus();
  }

  measureControls() {
    if (this.data.measures.length < 2) return "";
    const select = make("select", { "aria-label": "what is shown", "data-key": "measure" });
    this.data.measures.forEach((measure, i) => select.append(make("option", { value: i }, measure.name)));
    select.value = this.measure;
    select.addEventListener("change", () => {
      this.measure = +select.value;
      this.build();
    });
    return make("div", { class: "controls" }, make("span", {}, "Show"), select);
  }

  toggle(key, on, flip, ...content) {
    const button = make("button", { type: "button", "aria-pressed": on, "data-key": key }, ...content);
    button.addEventListener("click", () => {
      flip(button);
      this.draw();
    });
    return button;
  }

  panelControls() {
    const titles = this.figure.panels.map((panel) => panel.title);
    if (titles.length < 2 || !titles[0]) return "";
    const row = make("div", { class: "controls choose", role: "group", "aria-label": "panels" }, make("span", {}, "Panels"));
    for (const title of titles) {
      row.append(this.toggle("panel " + title, !this.closed.has(title), (button) => this.flip(this.closed, title, button), title));
    }
    return row;
  }

  legendControls() {
    const row = make("div", { class: "controls legend", role: "group", "aria-label": "lines" });
    for (const line of this.legend) {
      const sample = make("svg", { viewBox: "0 0 34 12", "aria-hidden": "true" });
      sample.append(make("line", { x1: 0, x2: 34, y1: 6, y2: 6, stroke: shown(line.colour), "stroke-width": 2.5, "stroke-dasharray": line.dash }));
      const button = this.toggle("line " + line.label, !this.hidden.has(line.label), (pressed) => this.flip(this.hidden, line.label, pressed), sample, line.label);
      const fade = (label) => () => this.root.querySelectorAll(".line").forEach((drawn) => drawn.classList.toggle("faded", label !== null && drawn.dataset.label !== label));
      button.addEventListener("pointerenter", fade(line.label));
      button.addEventListener("pointerleave", fade(null));
      row.append(button);
    }
    return row;
  }

  flip(set, name, button) {
    if (!set.delete(name)) set.add(name);
    button.setAttribute("aria-pressed", !set.has(name));
  }

  draw() {
    this.width = this.root.clientWidth;
    const open = this.figure.panels.filter((panel) => !this.closed.has(panel.title));
    const columns = Math.max(1, Math.min(open.length, Math.floor(this.width / 300), open.length === 4 ? 2 : 3));
    this.panels.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
    const width = (this.width - 24 - 8 * (columns - 1)) / columns;
    this.panels.replaceChildren(...open.map((panel) => this.drawPanel(panel, Math.max(220, width), columns === 1 ? Math.min(380, Math.max(240, width * 0.5)) : 250)));
    if (open.length === 0) this.panels.append(make("p", { class: "small" }, "All panels are switched off."));
  }

  /** How values map to pixels in a panel. */
  scales(panel, width, height) {
    const all = this.figure.panels.filter((other) => this.figure.own_x ? other === panel : true);
    const points = all.flatMap((other) => other.lines.flatMap((line) => line.points));
    const left = 56, right = width - 12, top = panel.title ? 26 : 10, bottom = height - 40;
    const xs = panel.lines.flatMap((line) => line.points.map((point) => point[0])).concat(panel.lines.length > 0 ? [] : [0, 1]);
    const low = this.figure.scale === "share" ? Math.min(...xs) : 0, high = Math.max(low + 1, ...(this.figure.scale === "share" ? xs : points.map((point) => point[0])));
    const values = this.figure.panels.flatMap((other) => other.lines.flatMap((line) => line.points.map((point) => point[1])));
    const least = Math.min(...values), most = Math.max(...values, 1e-9);
    const x = (value) => left + ((value - low) / (high - low)) * (right - left);
    const scale = this.figure.scale, bottomValue = scale === "log" ? least : 0, topValue = scale === "share" ? 1 : most;
    const share = scale === "log" ? (value) => Math.log(value / bottomValue) / Math.log(topValue / bottomValue || 2) : (value) => value / topValue;
    const y = (value) => bottom - Math.max(0, Math.min(1, share(value) / (scale === "share" ? 1.02 : 1.05))) * (bottom - top);
    return { left, right, top, bottom, x, y, xTicks: ticks(low, high, (right - left) / 55), yTicks: scale === "log" ? logTicks(least, most) : ticks(0, topValue, 5) };
  }

  drawPanel(panel, width, height) {
    const s = this.scales(panel, width, height);
    const svg = make("svg", {
      viewBox: `0 0 ${width} ${height}`, width, height, tabindex: 0, role: "group", "data-key": "svg " + panel.title,
      "aria-label": `${panel.title || this.data.title}: ${this.figure.y} by ${this.figure.x}. Arrow keys move from point to point.`,
    });
    if (panel.trained) {
      const from = Math.max(s.left, s.x(panel.trained[0] - 0.5)), to = Math.min(s.right, s.x(panel.trained[1] + 0.5));
      svg.append(make("rect", { class: "trained", x: from, y: s.top, width: Math.max(0, to - from), height: s.bottom - s.top }));
    }
    for (const tick of s.yTicks) {
      svg.append(make("line", { class: "grid", x1: s.left, x2: s.right, y1: s.y(tick), y2: s.y(tick) }));
      svg.append(make("text", { x: s.left - 6, y: s.y(tick) + 4, "text-anchor": "end" }, String(+tick.toPrecision(6))));
    }
    for (const tick of s.xTicks) svg.append(make("text", { x: s.x(tick), y: s.bottom + 16, "text-anchor": "middle" }, String(+tick.toPrecision(6))));
    svg.append(make("line", { class: "axis", x1: s.left, x2: s.right, y1: s.bottom, y2: s.bottom }));
    svg.append(make("text", { x: (s.left + s.right) / 2, y: height - 6, "text-anchor": "middle" }, this.figure.x));
    svg.append(make("text", { transform: `translate(12 ${(s.top + s.bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, this.figure.y));
    if (panel.title) svg.append(make("text", { class: "title", x: (s.left + s.right) / 2, y: 16, "text-anchor": "middle" }, panel.title));
    const lines = panel.lines.filter((line) => !this.hidden.has(line.label) && line.points.length > 0);
    for (const line of lines) {
      if (!line.points.some((point) => point[3] > point[2])) continue;
      const upper = line.points.map((point) => `${s.x(point[0])},${s.y(point[3])}`), lower = line.points.map((point) => `${s.x(point[0])},${s.y(point[2])}`);
      svg.append(make("path", { class: "band", d: `M${upper.join("L")}L${lower.reverse().join("L")}Z`, fill: shown(line.colour) }));
    }
    const marks = [];
    for (const line of lines) {
      const group = make("g", { class: "line", "data-label": line.label });
      const path = line.points.map((point) => `${s.x(point[0]).toFixed(1)},${s.y(point[1]).toFixed(1)}`).join("L");
      group.append(make("path", { d: "M" + path, fill: "none", stroke: shown(line.colour), "stroke-width": 2, "stroke-dasharray": line.dash }));
      for (const point of line.points) {
        const mark = make("circle", { class: "point", cx: s.x(point[0]), cy: s.y(point[1]), r: line.points.length > 60 ? 1.5 : 2.8, fill: shown(line.colour), "data-x": point[0] });
        group.append(mark);
        marks.push({ line, point, mark, x: s.x(point[0]), y: s.y(point[1]) });
      }
      svg.append(group);
    }
    this.listen(svg, panel, marks);
    return svg;
  }

  listen(svg, panel, marks) {
    let current = null;
    const choose = (next, pin) => {
      current?.mark.classList.remove("selected");
      current?.mark.setAttribute("r", current.radius);
      current = next;
      if (!current) return tip.hide();
      current.radius ??= current.mark.getAttribute("r");
      current.mark.classList.add("selected");
      current.mark.setAttribute("r", 5);
      const box = current.mark.getBoundingClientRect();
      tip.show(this.describe(panel, current), box.left + box.width / 2, box.top + box.height / 2);
      if (pin) this.pin(panel, current);
    };
    const nearest = (event) => {
      const box = svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width, y = ((event.clientY - box.top) / box.height) * svg.viewBox.baseVal.height;
      let best = null, least = 60 ** 2;
      for (const mark of marks) {
        const distance = (mark.x - x) ** 2 + (mark.y - y) ** 2;
        if (distance < least) [best, least] = [mark, distance];
      }
      return best;
    };
    svg.addEventListener("pointermove", (event) => choose(nearest(event), false));
    svg.addEventListener("pointerleave", () => choose(null, false));
    svg.addEventListener("click", (event) => choose(nearest(event), true));
    svg.addEventListener("blur", () => choose(null, false));
    svg.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key], change = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if ((!step && !change) || marks.length === 0) return;
      event.preventDefault();
      if (!current) return choose(marks[0], true);
      if (step) {
        const line = marks.filter((mark) => mark.line === current.line);
        return choose(line[Math.max(0, Math.min(line.length - 1, line.indexOf(current) + step))], true);
      }
      const lines = [...new Set(marks.map((mark) => mark.line))];
      const line = lines[(lines.indexOf(current.line) + change + lines.length) % lines.length];
      const distance = (mark) => Math.abs(mark.x - current.x);
      choose(marks.filter((mark) => mark.line === line).reduce((a, b) => (distance(b) < distance(a) ? b : a)), true);
    });
  }

  /** The lines of a point's tooltip. */
  describe(panel, { line, point }) {
    const [x, y, low, high, samples] = point;
    const trained = panel.trained && (x >= panel.trained[0] && x <= panel.trained[1] ? " (trained)" : " (not trained)");
    const text = [line.label, `${this.figure.x} ${number(x)}${trained || ""}`, `${this.figure.y}: ${number(y)}`];
    if (high > low) text.push(line.runs.length > 1 ? `lowest to highest of ${line.runs.length} seeds: ${number(low)} to ${number(high)}` : `95 % interval: ${number(low)} to ${number(high)}`);
    if (samples > 1 && this.figure.scale === "share") text.push(`${samples} samples`);
    return text;
  }

  /** Shows a point's record and command below the figure. */
  pin(panel, mark) {
    const [name, ...values] = this.describe(panel, mark);
    const swatch = make("span", { class: "swatch" });
    swatch.style.background = shown(mark.line.colour);
    this.chosen.replaceChildren(make("p", {}, swatch, make("b", {}, name), (panel.title ? ` in ${panel.title}` : "") + ": " + values.join("; ")));
    for (const index of mark.line.runs) {
      const run = this.data.runs[index];
      const record = run.href ? make("a", { href: run.href }, readable(run.href)) : run.name;
      this.chosen.append(make("p", {}, "Record ", record, run.command ? ", made by " : "", run.command ? make("code", {}, run.command) : ""));
    }
  }
}

document.querySelectorAll(".chart").forEach((root) => new Chart(root));
