// Earlier positions of a game without loading the page anew: step by step, by a slider, by itself.
//
// The page holds
//   <div class="game" data-replay="/games/7/replay/" data-game-url="/games/7/"
//        data-say-turn="Turn {number} of {all}" data-say-start="…" data-say-board="…"
//        data-say-news="There is a new turn."> (and data-at="4" if it shows the position after turn 4)
//     <section data-replay-shown hidden> <div data-replay-status aria-live> <p data-replay-at>
//       <p data-replay-words> </div> <p data-replay-news> <div data-board-svg> </section>
//     <nav data-replay-steps> <a data-step="first|previous|next|last"> <button data-step="play">
//       <input type="range"> <span class="turn-count"> </nav>
//     <a data-analysis-link> <input data-again-turn> (if any)
//     <ol class="turn-list"> one <li> with a link for each turn </ol> <pre class="text-board"></div>
// GET /games/7/replay/ answers what games/queries/replay.py describes. Every position has the address
// of its link; the newest has the game's. What live.mjs puts into the page meanwhile is not seen
// until the reader goes back to the game: the reader is only told that there is a new turn.

import { parse } from "./drawing.mjs";
import { markSteps, stepOfKey } from "./steps.mjs";

const SVG = "http://www.w3.org/2000/svg";
const PAUSE = 1200; // milliseconds between two turns of a game that plays by itself
const OWN_KEYS = "input, textarea, select, summary, [contenteditable], .cell, .zoomed, .text-board";

const isPlain = ({ button, altKey, ctrlKey, metaKey, shiftKey }) =>
  button === 0 && !(altKey || ctrlKey || metaKey || shiftKey);

/** All positions of a game, put together from the server's answer. */
class Positions {
  constructor({ parts, edits, sizes, texts, words }) {
    this.parts = parts;
    this.nodes = new Map(); // the elements made so far, by their place in `parts`
    this.texts = texts;
    this.words = words.map((one) => one && `${one}.`);
    [this.drawings, this.sizes] = [[], []];
    for (const [i, some] of edits.entries()) {
      this.drawings.push(edit(this.drawings[i - 1] ?? [], some));
      this.sizes.push(sizes[i] ?? this.sizes[i - 1]);
    }
  }

  /** Make an `svg` show a position. */
  draw(svg, number, title) {
    const [drawing, size] = [this.drawings[number], this.sizes[number]];
    const missing = drawing.filter((place) => !this.nodes.has(place));
    const source = missing.map((place) => this.parts[place]).join("");
    const made = [...parse(`<svg xmlns="${SVG}">${source}</svg>`).children];
    missing.forEach((place, i) => this.nodes.set(place, made[i]));
    const [name, description] = ["title", "desc"].map((kind) => document.createElementNS(SVG, kind));
    name.textContent = title;
    description.textContent = `${this.words[number]}\n\n${this.texts[number]}`;
    svg.setAttribute("viewBox", `0 0 ${size.join(" ")}`);
    svg.setAttribute("width", Math.round(size[0]));
    svg.setAttribute("height", Math.round(size[1]));
    replaceSome(svg, [name, description, ...drawing.map((place) => this.nodes.get(place))]);
  }
}

// Let an element have these children; those that it has already are not touched: that is quicker.
function replaceSome(element, children) {
  const wanted = new Set(children);
  for (const child of [...element.childNodes]) if (!wanted.has(child)) child.remove();
  let next = element.firstChild;
  for (const child of children) {
    if (child === next) next = next.nextSibling;
    else element.insertBefore(child, next);
  }
}

function edit(sequence, edits) {
  const edited = [...sequence];
  for (const [start, gone, ...come] of edits) edited.splice(start, gone, ...come);
  return edited;
}

class Replay {
  constructor(root) {
    this.root = root;
    this.data = root.dataset;
    this.shown = root.querySelector("[data-replay-shown]");
    this.box = this.shown.querySelector("[data-board-svg]");
    this.steps = root.querySelector("[data-replay-steps]");
    this.slider = this.steps.querySelector("input");
    this.at = "at" in this.data ? Number(this.data.at) : null; // null: the newest, as it goes on
    this.told = this.count; // how many turns the reader knows of
    this.text = this.root.querySelector(".text-board");
    this.shownText = this.text?.textContent; // of the position that the page shows
    this.listen();
    this.showSteps();
  }

  listen() {
    this.root.addEventListener("click", (event) => this.onClick(event));
    this.slider.addEventListener("input", () => this.step(Number(this.slider.value)));
    document.addEventListener("keydown", (event) => this.onKey(event));
    document.addEventListener("visibilitychange", () => this.stop());
    document.addEventListener("htmx:load", () => this.onNews());
    for (const kind of ["pointerover", "focusin"]) {
      this.root.addEventListener(kind, (event) => this.onLook(event));
    }
    for (const kind of ["pointerout", "focusout"]) {
      this.root.addEventListener(kind, () => this.tip?.remove());
    }
  }

  // Parts that live.mjs replaces are looked for when they are needed.
  get list() {
    return this.root.querySelector(".turn-list");
  }

  get count() {
    return this.list?.children.length ?? 0;
  }

  get hasNewest() {
    return this.root.querySelector("#game-play [data-board-svg]") !== null;
  }

  // What the reader does ------------------------------------------------------------------------

  onClick(event) {
    const button = event.target.closest("[data-step='play']");
    if (button) return this.playing ? this.stop() : this.play();
    const link = event.target.closest("a[href]");
    if (!link || !isPlain(event) || event.defaultPrevented) return undefined;
    const number = this.numberOf(link);
    if (number === undefined) return undefined;
    event.preventDefault();
    return this.step(number);
  }

  onKey(event) {
    if (event.key === "Escape") this.tip?.remove();
    const step = stepOfKey(event);
    if (!step || event.target.closest(OWN_KEYS) || this.count === 0) return;
    // These scroll the page wherever else they are pressed.
    if (["Home", "End"].includes(event.key) && !this.steps.contains(event.target)) return;
    event.preventDefault();
    if (this.can()[step]) this.step(this.target(step));
  }

  // The words of every turn come when somebody looks at the list, and then at once.
  async onLook({ target }) {
    const link = target.closest(".turn-list a.notation");
    if (!link && !this.steps.contains(target)) return;
    const positions = await this.load().catch(() => null);
    if (!positions) return;
    this.describe(positions);
    if (link?.matches(":hover, :focus-visible")) this.showTip(link, positions);
  }

  step(number) {
    this.stop();
    return this.go(number);
  }

  play() {
    if (this.count === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.playing = setInterval(() => {
      const next = this.at + 1;
      if (next >= this.count) this.stop();
      this.go(next);
    }, PAUSE);
    this.showPlaying();
    if (this.at === null || this.at >= this.count) this.go(0);
  }

  stop() {
    clearInterval(this.playing);
    this.playing = null;
    this.showPlaying();
  }

  // Where steps lead ------------------------------------------------------------------------------

  /** Return the position that a link leads to: null for the newest, undefined if to none. */
  numberOf(link) {
    const [game, { pathname, hash }] = [new URL(this.data.gameUrl, location.href), link];
    if (hash || link.matches(".board-turn")) return undefined; // a turned board is another page
    if (pathname === game.pathname) return this.hasNewest ? null : undefined;
    const rest = pathname.startsWith(game.pathname) && pathname.slice(game.pathname.length);
    const number = /^turns\/(\d+)\/$/.exec(rest || "")?.[1];
    return number === undefined || Number(number) > this.count ? undefined : Number(number);
  }

  get here() {
    return this.at ?? this.count;
  }

  target(step) {
    const { here, count } = this;
    return { first: 0, previous: here - 1, next: here + 1, last: count }[step];
  }

  can() {
    const { here, count } = this;
    const isLast = here >= count;
    return { first: here > 0, previous: here > 0, next: !isLast, last: !isLast, play: count > 0 };
  }

  address(number) {
    const path = number === null ? "" : `turns/${number}/`;
    const url = new URL(this.data.gameUrl + path, location.href);
    const side = new URLSearchParams(location.search).get("side"); // from where the board is seen
    if (side !== null) url.searchParams.set("side", side);
    return url;
  }

  async go(number) {
    if (number !== null && number >= this.count && this.hasNewest) number = null;
    const mine = (this.wanted = {}); // an older step that waits for the answer is dropped
    try {
      const positions = number === null ? null : await this.load();
      if (mine !== this.wanted) return;
      this.show(number, positions);
    } catch {
      location.assign(this.address(number)); // the server says what is wrong
    }
  }

  load() {
    const { count } = this;
    if (this.loaded?.count !== count) {
      const url = new URL(this.data.replay, location.href);
      url.search = this.address(null).search;
      const answer = fetch(url, { headers: { Accept: "application/json" } }).then((response) =>
        response.ok ? response.json() : Promise.reject(response.status),
      );
      const positions = answer.then((read) => new Positions(read));
      this.loaded = { count, positions };
      positions.catch(() => (this.loaded = null));
    }
    return this.loaded.positions;
  }

  // What the reader sees and hears ------------------------------------------------------------------

  show(number, positions) {
    const top = this.steps.getBoundingClientRect().top;
    this.at = number;
    this.shown.hidden = number === null;
    this.root.classList.toggle("game-replaying", number !== null);
    this.newestText ??= this.shownText;
    if (number === null) {
      this.told = this.count;
      this.box.replaceChildren();
      this.shownText = this.newestText;
    } else {
      let svg = this.box.querySelector("svg");
      if (!svg) {
        svg = document.createElementNS(SVG, "svg");
        svg.setAttribute("class", "board");
        svg.setAttribute("role", "img");
        this.box.replaceChildren(svg);
      }
      positions.draw(svg, number, this.data.sayBoard);
      this.shownText = positions.texts[number];
      this.say("words", positions.words[number]);
      this.describe(positions);
    }
    if (this.text) this.text.textContent = this.shownText;
    this.showHeading();
    this.showSteps();
    this.showTurning();
    this.keepPlace(top);
    history.replaceState(history.state, "", this.address(number));
  }

  say(what, sentence) {
    this.shown.querySelector(`[data-replay-${what}]`).textContent = sentence;
  }

  showHeading() {
    const turn = this.data.sayTurn.replace("{number}", this.at).replace("{all}", this.count);
    this.say("at", this.at === 0 ? this.data.sayStart : turn);
    this.say("news", this.count > this.told ? this.data.sayNews : "");
  }

  showSteps() {
    const { here, count, steps, slider } = this;
    steps.hidden = count === 0;
    slider.max = count;
    slider.value = here;
    steps.querySelector(".turn-count").textContent = `${here}\u202f/\u202f${count}`;
    const links = { first: 0, previous: Math.max(here - 1, 0), next: Math.min(here + 1, count) };
    for (const [step, number] of Object.entries({ ...links, last: null })) {
      steps.querySelector(`[data-step="${step}"]`).href = this.address(number);
    }
    markSteps(steps, this.can());
    const analysis = this.root.querySelector("[data-analysis-link]");
    if (analysis) analysis.search = `?turn=${here}`;
    const again = this.root.querySelector("[data-again-turn]");
    if (again) again.value = Math.min(here, again.max);
    for (const [i, item] of [...(this.list?.children ?? [])].entries()) {
      const link = item.querySelector("a.notation");
      if (i + 1 !== here) link.removeAttribute("aria-current");
      else link.setAttribute("aria-current", "true");
    }
    this.showLinks();
    this.scrollList();
  }

  // What is shared and downloaded is the position that is shown.
  showLinks() {
    const links = this.root.querySelectorAll("[data-downloads] a");
    for (const link of links) link.href = link.href.replace(/\/turns\/\d+\//, `/turns/${this.here}/`);
    const field = this.root.querySelector("[data-share-link]");
    if (field) field.value = field.value.replace(/\/turns\/\d+\//, `/turns/${this.here}/`);
  }

  // The board is turned by an address, which must show the same position.
  showTurning() {
    const link = this.shown.querySelector(".board-turn");
    const turned = this.address(this.at);
    turned.searchParams.set("side", new URL(link.href).searchParams.get("side"));
    link.href = turned;
  }

  scrollList() {
    const entry = this.list?.children[Math.max(this.here - 1, 0)];
    if (!entry) return;
    const [inside, outside] = [entry, this.list].map((each) => each.getBoundingClientRect());
    const [above, below] = [inside.top - outside.top, inside.bottom - outside.bottom];
    if (above < 0) this.list.scrollTop += above;
    else if (below > 0) this.list.scrollTop += below;
  }

  showPlaying() {
    const button = this.steps.querySelector("[data-step='play']");
    const words = this.playing ? button.dataset.sayPause : button.dataset.sayPlay;
    button.querySelector("[data-icon]").textContent = this.playing ? "❚❚" : "▶";
    button.querySelector("[data-caption]").textContent = words;
    button.title = words;
    // Nobody can listen as fast as turns follow each other.
    const spoken = this.playing ? "off" : "polite";
    this.shown.querySelector("[data-replay-status]").setAttribute("aria-live", spoken);
  }

  // The buttons stay under the pointer although what is above them differs in height; on narrow
  // windows they are at the foot of the window, and the board comes into view.
  keepPlace(top) {
    const panel = this.steps.parentElement;
    if (getComputedStyle(this.steps).position === "fixed") {
      panel.style.marginBlockStart = "";
      const { top: from, bottom } = this.box.getBoundingClientRect();
      if (from < 0 || bottom > innerHeight) this.shown.firstElementChild.scrollIntoView();
      return;
    }
    const margin = parseFloat(panel.style.marginBlockStart || getComputedStyle(panel).marginTop);
    const moved = top - this.steps.getBoundingClientRect().top;
    if (this.at === null) panel.style.marginBlockStart = "";
    else if (Math.abs(moved) > 0.5) panel.style.marginBlockStart = `${Math.max(margin + moved, 0)}px`;
  }

  // What the notation of each turn means, for screen readers.
  describe(positions) {
    if (this.list?.dataset.described) return;
    for (const [i, item] of [...(this.list?.children ?? [])].entries()) {
      item.querySelector("a.notation").setAttribute("aria-description", positions.words[i + 1]);
    }
    if (this.list) this.list.dataset.described = "true";
  }

  showTip(link, positions) {
    this.tip ??= document.createElement("p");
    this.tip.className = "turn-tip";
    this.tip.ariaHidden = "true"; // the link is described by the same words
    const number = [...this.list.children].indexOf(link.closest("li")) + 1;
    this.tip.textContent = positions.words[number];
    this.list.after(this.tip);
  }

  // live.mjs has put something into the page.
  onNews() {
    const text = this.root.querySelector(".text-board");
    if (text && text !== this.text) {
      this.newestText = text.textContent;
      this.text = text;
      if (this.at === null) this.shownText = this.newestText;
      else text.textContent = this.shownText;
    }
    if (this.at === null) this.told = this.count;
    else this.showHeading();
    this.showSteps();
  }
}

for (const root of document.querySelectorAll("[data-replay]")) new Replay(root);
