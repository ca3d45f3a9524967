// Attention maps: <div class="figure attention"> with JSON in a <script>: [{name, colour, href, record}], where record is
// an attention.json. Weights are two hexadecimal digits each: query after query, the keys up to it.
"use strict";

/** One sample of a model with its weights unpacked when they are needed. */
class Sample {
  constructor(sample) {
    Object.assign(this, sample);
    this.size = sample.tokens.length;
    this.first = this.size - sample.expected.length; // the first token that predicts one of the answer
  }

  weight(layer, head, query, key) {
    const at = query * (query + 1) + 2 * key;
    return parseInt(this.weights[layer][head].slice(at, at + 2), 16) / 255;
  }

  /** How much of its attention a head gives, on average, to the word that must come next. */
  onNext(layer, head) {
    let sum = 0, count = 0;
    for (let query = this.first; query < this.size; ++query) {
      const next = this.expected[query - this.first];
      if (!this.tokens.slice(0, query + 1).includes(next)) continue;
      ++count;
      for (let key = 0; key <= query; ++key) if (this.tokens[key] === next) sum += this.weight(layer, head, query, key);
    }
    return count > 0 ? sum / count : 0;
  }
}

class Model {
  constructor(data, maps) {
    Object.assign(this, data);
    this.maps = maps;
    this.samples = data.record.samples.map((sample) => new Sample(sample));
    this.choose();
    this.root = make("section", { "aria-label": data.name });
  }

  /** The head that looks most at the next word on the first (trained) sample. */
  choose() {
    const { layers, heads } = this.record;
    let best = -1;
    for (let layer = 0; layer < layers; ++layer) {
      for (let head = 0; head < heads; ++head) {
        const share = this.samples[0].onNext(layer, head);
        if (share > best) [best, this.layer, this.head] = [share, layer, head];
      }
    }
  }

  get sample() {
    return this.samples.find((sample) => sample.length === this.maps.length);
  }

  show() {
    const swatch = make("span", { class: "swatch" });
    swatch.style.background = shown(this.colour);
    const title = make("h3", {}, swatch, this.href ? make("a", { href: this.href }, this.name) : this.name);
    if (!this.sample) return this.root.replaceChildren(title, make("p", {}, "This run has no map of this length."));
    const middle = Math.floor((this.sample.first + this.sample.size) / 2); // of the answer
    this.query = Math.min(this.maps.query ?? middle, this.sample.size - 1);
    this.key = null;
    this.canvas = make("canvas", { class: "map", tabindex: 0, role: "img", "aria-label": `Attention of ${this.name}. Arrow keys move between queries and keys.` });
    this.reading = make("p", { class: "reading", "aria-live": "polite" });
    this.tokens = make("div", { class: "tokens" });
    this.root.replaceChildren(title, this.summary(), this.heads(), this.canvas, this.reading, this.tokens, this.answer());
    this.listen();
    this.drawMap(this.canvas, this.layer, this.head);
    this.look();
  }

  summary() {
    const share = (sample) => `${Math.round(100 * sample.onNext(this.layer, this.head))} %`;
    const track = this.record.tracks[this.layer], positions = this.sample.positions[track];
    const low = Math.min(...positions), high = Math.max(...positions), [lowest, highest] = this.record.trained_positions[track];
    const outside = low < lowest || high > highest;
    const text = make("p", { class: "summary" });
    text.append(`Layer ${this.layer + 1}, head ${this.head + 1} gives `, make("b", {}, share(this.sample)), " of its attention to the word that must come next");
    const other = this.samples[0];
    text.append(other === this.sample ? ". " : ` (${share(other)} at length ${other.length}). `);
    const range = `Positions ${number(+low.toPrecision(4))} to ${number(+high.toPrecision(4))}; in training ${number(+lowest.toPrecision(4))} to ${number(+highest.toPrecision(4))}.`;
    text.append(outside ? make("mark", {}, range) : range);
    return text;
  }

  heads() {
    const { layers, heads } = this.record;
    const row = make("div", { class: "heads", role: "group", "aria-label": `heads of ${this.name}` });
    row.style.gridTemplateColumns = `repeat(${heads}, minmax(0, 64px))`;
    for (let layer = 0; layer < layers; ++layer) {
      for (let head = 0; head < heads; ++head) {
        const name = `layer ${layer + 1}, head ${head + 1}`, picture = make("canvas");
        const button = make("button", { type: "button", title: name, "aria-label": name, "aria-pressed": layer === this.layer && head === this.head, "data-head": `${layer} ${head}` }, picture);
        button.addEventListener("click", () => {
          [this.layer, this.head] = [layer, head];
          this.show();
          this.root.querySelector(`[data-head="${layer} ${head}"]`).focus();
        });
        this.drawMap(picture, layer, head);
        row.append(button);
      }
    }
    return row;
  }

  /** One pixel per weight; the browser scales the picture. */
  drawMap(canvas, layer, head) {
    const { size } = this.sample;
    canvas.width = canvas.height = size;
    const context = canvas.getContext("2d"), picture = context.createImageData(size, size);
    const [red, green, blue] = getComputedStyle(document.documentElement).getPropertyValue("--heat").split(",").map(Number);
    for (let query = 0; query < size; ++query) {
      for (let key = 0; key <= query; ++key) {
        // The square root makes small weights visible.
        picture.data.set([red, green, blue, 255 * Math.sqrt(this.sample.weight(layer, head, query, key))], 4 * (query * size + key));
      }
    }
    context.putImageData(picture, 0, 0);
  }

  /** Marks the query's row in the map and shows what it looks at. */
  look() {
    const { size, tokens, expected, predicted, first } = this.sample;
    this.drawMap(this.canvas, this.layer, this.head);
    const context = this.canvas.getContext("2d");
    context.fillStyle = dark.matches ? "#ffffff30" : "#d55e0030";
    context.fillRect(0, this.query, this.query + 1, 1);
    if (this.key !== null) context.fillRect(this.key, this.key, 1, size - this.key);
    const weights = tokens.slice(0, this.query + 1).map((_, key) => this.sample.weight(this.layer, this.head, this.query, key));
    const most = weights.indexOf(Math.max(...weights)), key = this.key ?? most;
    const next = this.query >= first ? `, which should be followed by “${expected[this.query - first]}”${predicted[this.query - first] === expected[this.query - first] ? "" : ` but the model writes “${predicted[this.query - first]}”`}` : "";
    this.reading.textContent = `Query “${tokens[this.query]}” (token ${this.query + 1})${next}. Key “${tokens[key]}” (token ${key + 1}): weight ${weights[key].toFixed(2)}.`;
    this.tokens.replaceChildren(...tokens.map((token, at) => {
      const word = make("span", { title: at <= this.query ? `weight ${weights[at].toFixed(2)}` : "after the query" }, token || "␣");
      if (at <= this.query) word.style.background = `rgb(var(--heat), ${(0.85 * weights[at]).toFixed(3)})`;
      if (at === this.query) word.className = "query";
      word.addEventListener("click", () => this.maps.move(at));
      return word;
    }));
  }

  answer() {
    const { expected, predicted } = this.sample;
    const text = make("p", { class: "tokens small" }, "The model writes: ");
    predicted.forEach((word, at) => text.append(word === expected[at] ? word : make("mark", { title: `expected: ${expected[at]}` }, word), " "));
    return text;
  }

  listen() {
    const place = (event) => {
      const box = this.canvas.getBoundingClientRect(), { size } = this.sample;
      const at = (offset, length) => Math.max(0, Math.min(size - 1, Math.floor((offset / length) * size)));
      const query = at(event.clientY - box.top, box.height);
      return [query, Math.min(query, at(event.clientX - box.left, box.width))];
    };
    this.canvas.addEventListener("pointermove", (event) => {
      [this.query, this.key] = place(event);
      this.look();
      const { tokens } = this.sample;
      const weight = this.sample.weight(this.layer, this.head, this.query, this.key);
      tip.show([`weight ${weight.toFixed(2)}`, `query: ${tokens[this.query]} (token ${this.query + 1})`, `key: ${tokens[this.key]} (token ${this.key + 1})`], event.clientX, event.clientY);
    });
    this.canvas.addEventListener("pointerleave", () => tip.hide());
    this.canvas.addEventListener("click", (event) => this.maps.move(place(event)[0]));
    this.canvas.addEventListener("keydown", (event) => {
      const change = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (!change) return;
      event.preventDefault();
      this.query = Math.max(0, Math.min(this.sample.size - 1, this.query + change[0]));
      this.key = Math.max(0, Math.min(this.query, (this.key ?? this.query) + change[1]));
      this.look();
    });
  }
}

class AttentionMaps {
  constructor(root) {
    const data = JSON.parse(root.querySelector("script").textContent);
    this.root = root;
    this.models = data.map((one) => new Model(one, this));
    const all = this.models.flatMap((model) => model.samples);
    const lengths = [...new Set(all.map((sample) => sample.length))].sort((a, b) => a - b);
    this.length = lengths[0];
    this.controls = make("div", { class: "controls", role: "group", "aria-label": "length of the sample" });
    for (const length of lengths) {
      const trained = all.find((sample) => sample.length === length).trained;
      const button = make("button", { type: "button", "data-length": length }, `length ${length} (${trained ? "trained" : "not trained"})`);
      button.addEventListener("click", () => {
        this.length = length;
        this.query = undefined;
        this.show();
      });
      this.controls.append(button, " ");
    }
    root.append(this.controls, make("div", { class: "models" }, ...this.models.map((model) => model.root)));
    dark.addEventListener("change", () => this.show());
    this.show();
  }

  show() {
    for (const button of this.controls.querySelectorAll("button")) button.setAttribute("aria-pressed", +button.dataset.length === this.length);
    for (const model of this.models) model.show();
  }

  /** Shows the same query in all models. */
  move(query) {
    this.query = query;
    for (const model of this.models) {
      if (!model.sample) continue;
      model.query = Math.min(query, model.sample.size - 1);
      model.key = null;
      model.look();
    }
  }
}

document.querySelectorAll(".attention").forEach((root) => new AttentionMaps(root));
