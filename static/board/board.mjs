// Playing on a drawn board by pointer or keyboard. One module for every game: it knows squares and
// actions, no rules. The page holds
//   <section data-board data-preview-url="/games/7/preview/" data-expected-turn="4"
//            data-say-start="Choose a square." data-say-more="Now choose where to."
//            data-say-finish="Choose the same square again to stop there."
//            data-say-next="Your turn goes on: choose a square."
//            data-say-choices="Choose one." data-say-none="Nothing can be played there."
//            data-say-wait="Looking…" data-say-offline="The server does not answer.">
//     <div data-board-svg> the drawing of games.render.svg, theme "page" </div>
//     <script type="application/json" data-board-actions>   (left out where nothing can be played)
//       {"actions": [{"text": "b3", "squares": ["b3"], "words": "places a man on b3"}],
//        "hidden": false}</script>
//     <p data-board-status aria-live="polite"></p> <div data-board-choices></div>
//     <form data-board-form method="post">
//       <select name="choice"><option value=""></option><option value="b3">b3</option></select>
//       <input name="text"> <button data-board-confirm>…</button>
//       <button type="button" data-board-undo hidden>…</button>
//       <button type="button" data-entry-switch aria-controls="entry">…</button>  (if any)
//       <div id="entry" class="entry"> the fields </div>
//     </form></section>
// GET preview-url?turn=<actions so far, ", " between>&expected_turn=4 answers
//   {"svg": "<svg …>", "notation": "b3", "words": "…", "complete": true, "actions": [as above]}
// ("notation" is all of the turn so far, "actions" go on from there when it is not complete) and
// GET preview-url?square=b3[&turn=…]&expected_turn=4, asked only when "hidden" is true, answers
//   {"actions": [those whose squares begin with b3]}; a refusal is 4xx {"error": "a sentence"}.
// The section hears "board:preview" (its detail is the answer), "board:undo" and "board:restart".

import { Drag } from "./drag.mjs";
import { Drawing } from "./drawing.mjs";

const QUIETLY = { preventScroll: true };
const SUPERSEDED = Symbol("superseded");

const begins = (whole, path) => path.every((square, i) => whole[i] === square);
const offBoard = ({ squares }) => squares.length === 0;
// A pass says what it is by itself.
const caption = ({ text, squares, words }) => {
  if (!words) return text;
  return squares.length > 0 ? `${text} – ${words}` : words[0].toUpperCase() + words.slice(1);
};

class Board {
  constructor(root) {
    this.root = root;
    this.data = root.dataset;
    this.status = root.querySelector("[data-board-status]");
    this.choices = root.querySelector("[data-board-choices]");
    this.confirm = root.querySelector("[data-board-confirm]");
    this.undoButton = root.querySelector("[data-board-undo]");
    const fields = root.querySelector("[data-board-form]")?.elements;
    this.text = fields?.namedItem("text") ?? null;
    this.select = fields?.namedItem("choice") ?? null;
    const given = JSON.parse(root.querySelector("[data-board-actions]")?.textContent ?? "{}");
    this.hidden = given.hidden === true;
    this.actions = given.actions ?? []; // what can be played next, as far as it is known
    this.playable = this.hidden || this.actions.length > 0;
    this.drawing = new Drawing(root.querySelector("[data-board-svg]"), this.playable);
    this.path = []; // the squares clicked since the last action
    this.rest = []; // those that the previewed action has beyond them: it was the only one left
    this.turn = []; // the texts of the actions that the preview shows
    this.before = []; // for each of them the state to go back to
    this.complete = false; // whether the preview is a whole turn
    this.words = this.data.sayStart;
    this.listen();
    this.draw();
    if (this.playable && !this.status?.textContent.trim()) this.say(this.words);
  }

  listen() {
    this.drawing.box.addEventListener("click", (event) => this.onClick(event));
    new Drag(
      this.drawing.box,
      (square) => this.canDrag(square),
      (from, to) => this.drag(from, to),
    );
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    this.undoButton?.addEventListener("click", () => this.undo());
    this.text?.addEventListener("input", () => this.allow(this.text.value.trim() !== ""));
    this.select?.addEventListener("change", () => this.onSelect());
    const entrySwitch = this.root.querySelector("[data-entry-switch]");
    entrySwitch?.addEventListener("click", () => this.openEntry(entrySwitch));
    if (this.playable) this.allow(Boolean(this.text?.value.trim()));
  }

  // What the player does ------------------------------------------------------------------------

  onClick(event) {
    const cell = event.target.closest(".cell");
    if (cell && this.playable) this.click(cell.dataset.square);
  }

  onKey(event) {
    if (event.target.matches("input, select, textarea")) return;
    const cell = event.target.closest(".cell");
    if (event.key === "Escape") this.back();
    else if (cell && ["Enter", " "].includes(event.key)) this.onClick(event);
    else if (!cell || !this.drawing.step(cell, event.key)) return;
    event.preventDefault();
  }

  onSelect() {
    const text = this.select.value;
    if (this.complete) this.undo();
    const action = this.actions.find((each) => each.text === text);
    if (action) this.preview(action);
  }

  // Whether an action moves something from a square; after a whole turn, whether another one does.
  canDrag(square) {
    if (!this.playable || this.hidden) return false;
    const actions = this.complete ? this.before.at(-1).values.actions : this.actions;
    return actions.some(({ squares }) => squares.length > 1 && squares[0] === square);
  }

  drag(from, to) {
    if (this.path.length !== 1 || this.path[0] !== from) {
      if (this.path.length > 0) this.begin();
      this.click(from);
    }
    if (this.matching([from, to]).length === 0) return this.say(this.data.sayNone);
    return this.click(to);
  }

  openEntry(button) {
    const entry = this.root.querySelector(".entry");
    const open = entry.classList.toggle("entry-open");
    button.setAttribute("aria-expanded", String(open));
    if (open) this.text?.focus();
  }

  click(square) {
    if (this.rest.shift() === square) return this.complete && this.ready();
    this.rest = [];
    if (this.complete) this.undo(); // another square means another choice
    const longer = [...this.path, square];
    const again = this.path.at(-1) === square && this.matching(longer).length === 0;
    if (again && this.exact().length > 0) return this.offer(this.exact());
    if (this.hidden && this.path.length === 0) return this.ask(square);
    if (this.matching(longer).length > 0) this.path = longer;
    else if (again) this.path.pop();
    else if (this.matching([square]).length > 0) this.path = [square];
    else return this.say(this.data.sayNone);
    return this.narrow();
  }

  back() {
    if (this.path.length === 0) return this.undo();
    this.path.pop();
    return this.narrow();
  }

  undo() {
    this.stop();
    const state = this.before.pop();
    if (!state) return;
    Object.assign(this, state.values);
    this.drawing.put(state.svg);
    this.settle();
    this.drawing.focus(state.square);
    this.root.dispatchEvent(new CustomEvent("board:undo", { bubbles: true }));
  }

  /**
   * Go on from another position: its drawing, its actions, and a sentence about it. The focus moves
   * to the board if it `takesFocus`: to where the last action was played.
   */
  restart({ svg, actions, hidden, words }, takesFocus) {
    const { last } = this.before.at(-1) ?? {};
    this.playable = hidden || actions.length > 0;
    this.drawing.playable = this.playable;
    Object.assign(this, { actions, hidden, words, turn: [], before: [], rest: [], complete: false });
    this.drawing.put(svg);
    this.settle();
    if (takesFocus) this.drawing.focus(last);
    this.root.dispatchEvent(new CustomEvent("board:restart", { bubbles: true }));
  }

  // Narrowing the actions down to one -------------------------------------------------------------

  matching(path) {
    return this.actions.filter(({ squares }) => begins(squares, path));
  }

  exact() {
    return this.matching(this.path).filter(({ squares }) => squares.length === this.path.length);
  }

  narrow() {
    this.stop();
    const [left, exact] = [this.matching(this.path), this.exact()];
    if (this.path.length === 0) return this.begin();
    this.draw();
    if (new Set(left.map(({ squares }) => squares.join(" "))).size === 1) return this.offer(left);
    if (this.hidden) return this.offer(left); // few go through one square: each by its name too
    if (exact.length === 0) return this.say(this.data.sayMore);
    this.write(exact.length === 1 ? exact[0].text : null);
    return this.say(this.data.sayFinish);
  }

  begin(sentence = this.words) {
    if (this.hidden) this.actions = this.actions.filter(offBoard);
    this.path = [];
    this.write(null);
    this.draw();
    this.say(sentence);
  }

  offer(actions) {
    if (actions.length === 1) return this.preview(actions[0]);
    this.show(actions);
    this.choices?.firstElementChild.focus(QUIETLY);
    return this.say(this.data.sayChoices);
  }

  show(actions) {
    const buttons = actions.map((action) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = caption(action);
      button.addEventListener("click", () => this.preview(action));
      return button;
    });
    this.choices?.replaceChildren(...buttons);
  }

  // Asking the server ----------------------------------------------------------------------------

  async ask(square) {
    const turn = this.turn.join(", ");
    const answer = await this.fetch(turn ? { square, turn } : { square });
    if (!answer || answer === SUPERSEDED) return;
    this.actions = [...this.actions.filter(offBoard), ...(answer.actions ?? [])];
    this.path = [square];
    if (this.matching(this.path).length > 0) this.narrow();
    else this.begin(this.data.sayNone);
  }

  async preview(action) {
    const turn = [...this.turn, action.text];
    const answer = await this.fetch({ turn: turn.join(", ") });
    if (answer === SUPERSEDED) return;
    if (!answer) return this.begin(this.status?.textContent);
    this.remember(action);
    this.rest = this.path.length > 0 ? action.squares.slice(this.path.length) : [];
    this.drawing.put(answer.svg);
    this.turn = turn;
    this.complete = answer.complete === true;
    this.words = this.complete ? answer.words : `${answer.words}. ${this.data.sayNext}`;
    this.actions = (!this.complete && answer.actions) || [];
    this.settle(answer.notation);
    if (this.complete) this.ready();
    else this.drawing.focus();
    this.root.dispatchEvent(new CustomEvent("board:preview", { bubbles: true, detail: answer }));
  }

  // A whole turn waits for its button, which may lie below the edge of a phone.
  ready() {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.confirm?.focus(QUIETLY);
    this.confirm?.scrollIntoView({ block: "nearest", behavior: calm ? "instant" : "smooth" });
  }

  async fetch(parameters) {
    this.stop();
    const mine = (this.waiting = {}); // an answer to an older question is dropped
    const url = new URL(this.data.previewUrl, document.baseURI);
    url.searchParams.set("expected_turn", this.data.expectedTurn ?? "");
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    this.root.setAttribute("aria-busy", "true");
    this.say(this.data.sayWait);
    const answer = await this.get(url);
    if (mine !== this.waiting) return SUPERSEDED;
    this.root.removeAttribute("aria-busy");
    if (!answer.error) return answer;
    this.say(answer.error);
    return null;
  }

  async get(url) {
    try {
      const response = await fetch(url, { headers: { Accept: "application/json" } });
      const answer = await response.json();
      return response.ok || answer.error ? answer : { error: this.data.sayOffline ?? " " };
    } catch {
      return { error: this.data.sayOffline ?? " " }; // no network, or no JSON
    }
  }

  stop() {
    this.waiting = null;
    this.root.removeAttribute("aria-busy");
    this.choices?.replaceChildren();
  }

  remember({ squares }) {
    const { turn, words, complete } = this;
    const actions = this.hidden ? this.actions.filter(offBoard) : this.actions;
    const values = { turn, words, complete, actions };
    this.before.push({ values, svg: this.drawing.svg, square: squares[0], last: squares.at(-1) });
  }

  // What the player sees and hears ---------------------------------------------------------------

  settle(notation) {
    this.path = [];
    this.stop();
    this.write(null, notation);
    this.list();
    this.draw();
    this.say(this.words);
  }

  write(next, notation) {
    const texts = next === null ? this.turn : [...this.turn, next];
    if (this.text) this.text.value = notation ?? texts.join(", ");
    this.allow(this.complete || next !== null);
  }

  list() {
    if (!this.select || this.complete) return;
    const options = this.actions.map((action) => new Option(caption(action), action.text));
    this.select.replaceChildren(this.select.options[0], ...options);
    this.select.value = "";
  }

  draw() {
    const [path, previewed] = [this.path, this.turn.length > 0];
    const first = this.complete ? this.rest : this.actions.map(({ squares }) => squares[0]);
    const next = this.playable ? this.next() : [];
    this.drawing.dress({ path, previewed, first, next, complete: this.complete });
    for (const one of this.drawing.cells()) {
      one.classList.toggle("drags", this.canDrag(one.dataset.square));
    }
    if (this.undoButton) this.undoButton.hidden = !previewed;
    if (path.length === 0) this.show(this.actions.filter(offBoard)); // a pass has no squares
  }

  // The squares that can be clicked next; null for all.
  next() {
    if (this.hidden && this.path.length === 0) return null;
    const actions = this.complete ? this.before.at(-1).values.actions : this.matching(this.path);
    const next = actions.map(({ squares }) => squares[this.path.length]);
    return this.path.length > 0 && this.exact().length > 0 ? [...next, this.path.at(-1)] : next;
  }

  say(sentence) {
    if (this.status) this.status.textContent = sentence ?? "";
  }

  allow(yes) {
    if (this.confirm) this.confirm.disabled = !yes;
  }
}

const boards = new WeakMap();

/** Return the board of a section, which is made playable if it is not yet. */
export function boardOf(root) {
  if (!boards.has(root)) boards.set(root, new Board(root));
  return boards.get(root);
}

/** Make every board of the page playable; one that already is stays as it is. */
export function start() {
  document.querySelectorAll("[data-board]:has([data-board-svg] svg)").forEach(boardOf);
}

start();
document.addEventListener("htmx:load", start);
