// The boards of a rulebook: stepping through the turns of an example, and playing on from there.
//
// The page holds any number of
//   <figure data-example data-moves="b3 Tb3" data-options="key=value">
//     <div data-board-svg> a drawing </div>
//     <div data-example-steps> <button data-step="first|previous|next|last|play|over">…</button>
//       <span data-example-at>2</span> / <span data-example-of>2</span> </div>
//     <p data-board-status aria-live="polite"></p> <div data-board-choices></div></figure>
// The first of them also has what board.mjs reads (it can be played on from the beginning), and
// data-positions-url: GET positions-url?moves=…&options=… answers
//   {"svg", "moves", "report": "a sentence", "actions", "hidden"} and all that a preview answers;
// a refusal is 4xx {"error": "a sentence"}. Nothing is stored anywhere.

import { boardOf } from "./board.mjs";
import { markSteps, stepOfKey } from "./steps.mjs";

const split = (moves) => moves.split(" ").filter(Boolean);

class Example {
  constructor(root, { positionsUrl, ...sentences }) {
    this.root = root;
    this.url = positionsUrl;
    this.status = root.querySelector("[data-board-status]");
    this.steps = root.querySelector("[data-example-steps]");
    this.sheet = root.querySelector("[data-board-svg]");
    this.own = split(root.dataset.moves);
    this.line = this.own; // the turns that can be stepped through
    this.at = this.own.length; // how many of them the drawing shows, or will when it is there
    this.drawn = this.at; // how many of them it shows for sure
    this.known = new Map(); // what the server has answered, by moves
    this.board = "board" in root.dataset ? boardOf(root) : null; // null: nothing but a picture yet
    for (const [name, text] of Object.entries(sentences)) {
      if (name.startsWith("say")) root.dataset[name] ??= text;
    }
    this.listen();
    this.show();
  }

  listen() {
    this.steps.addEventListener("click", (event) => {
      const button = event.target.closest("[data-step]");
      if (button && button.ariaDisabled !== "true") this.step(button.dataset.step);
    });
    this.steps.addEventListener("keydown", (event) => {
      const step = stepOfKey(event);
      if (!step) return;
      event.preventDefault();
      if (this.can()[step]) this.step(step);
    });
    this.sheet.addEventListener("click", (event) => this.onPicture(event));
    this.root.addEventListener("board:preview", (event) => this.onTurn(event.detail));
    this.root.addEventListener("board:undo", () => this.show());
  }

  // A click on a picture is one on the square of the board that takes its place.
  async onPicture({ clientX, clientY }) {
    if (this.board) return;
    await this.go(this.at);
    const cell = document.elementFromPoint(clientX, clientY)?.closest(".cell");
    if (this.board && cell) this.board.click(cell.dataset.square);
  }

  onTurn(answer) {
    if (!answer.complete) return this.show(); // the turn goes on
    this.line = split(answer.moves);
    this.at = this.line.length;
    this.known.set(answer.moves, answer);
    this.put(answer, true);
  }

  get isHalfway() {
    return (this.board?.turn.length ?? 0) > 0;
  }

  can() {
    const [back, on] = [this.at > 0 || this.isHalfway, this.at < this.line.length];
    const isOwn = this.line === this.own && this.at === this.own.length && !this.isHalfway;
    return { first: back, previous: back, next: on, last: on, play: true, over: !isOwn };
  }

  step(name) {
    const last = this.line.length;
    if (name === "previous" && this.isHalfway) return this.board.undo();
    if (name === "play") return this.board ? this.board.drawing.focus() : this.go(this.at, true);
    if (name === "over") this.line = this.own;
    const to = { first: 0, previous: this.at - 1, next: this.at + 1, last, over: this.own.length };
    return this.go(to[name]);
  }

  async go(at, takesFocus = false) {
    this.at = at;
    this.show();
    const mine = (this.waiting = {}); // an answer to an older question is dropped
    const answer = await this.ask(this.line.slice(0, at).join(" "));
    if (mine !== this.waiting) return;
    if (!answer.error) return this.put(answer, takesFocus);
    this.status.textContent = answer.error;
    this.at = this.drawn;
    this.show();
  }

  async ask(moves) {
    if (this.known.has(moves)) return this.known.get(moves);
    try {
      const response = await fetch(this.address(moves), { headers: { Accept: "application/json" } });
      const answer = await response.json();
      if (response.ok) this.known.set(moves, answer);
      return response.ok || answer.error ? answer : { error: this.root.dataset.sayOffline };
    } catch {
      return { error: this.root.dataset.sayOffline }; // no network, or no JSON
    }
  }

  address(moves) {
    const url = new URL(this.url, document.baseURI);
    url.searchParams.set("options", this.root.dataset.options);
    url.searchParams.set("moves", moves);
    return url;
  }

  put({ svg, moves, report, actions, hidden }, takesFocus) {
    this.waiting = null;
    this.drawn = this.at;
    this.board ??= boardOf(this.root);
    this.root.dataset.previewUrl = this.address(moves).href;
    this.board.restart({ svg, actions, hidden, words: report }, takesFocus);
    this.show();
  }

  show() {
    markSteps(this.steps, this.can());
    this.steps.querySelector("[data-example-at]").textContent = this.at;
    this.steps.querySelector("[data-example-of]").textContent = this.line.length;
  }
}

const all = [...document.querySelectorAll("[data-example]")];
for (const root of all) new Example(root, all[0].dataset);
