// The drawing of a board in the page: its cells as buttons, and the focus that moves among them.
//
// Each cell is <g class="cell" data-square="b3" data-x="1" data-y="0" data-label="b3, empty">. One
// cell is reached by the tabulator key, the arrow keys go on from there.

const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Drawing {
  constructor(box, playable) {
    this.box = box;
    this.playable = playable;
  }

  get svg() {
    return this.box.querySelector("svg");
  }

  cells() {
    return [...this.svg.querySelectorAll(".cell")];
  }

  cell(square) {
    return this.cells().find((cell) => cell.dataset.square === square);
  }

  /** Put another drawing in the place of this one: an element, or a source, which must be SVG. */
  put(other) {
    const svg = typeof other === "string" ? parse(other) : other;
    if (svg.localName === "svg") this.svg.replaceWith(svg);
  }

  /**
   * Show the clicked squares (path) and those that can be clicked next (null: all of them). A click
   * on a clicked square takes it back, one on a first square begins anew: these are live as well.
   * Where the turn goes on and few squares can be clicked, these are marked before the first click.
   */
  dress({ path, next, first, previewed, complete }) {
    const live = new Set([...path, ...first]);
    const open = next && new Set(next);
    const few = open !== null && !complete && open.size * 2 <= this.cells().length;
    this.svg.classList.toggle("few", few);
    this.svg.setAttribute("role", "group");
    this.svg.classList.toggle("choosing", path.length > 0);
    this.svg.classList.toggle("previewed", previewed);
    for (const cell of this.cells()) {
      const { square } = cell.dataset;
      this.dressCell(cell, open === null || open.has(square), path.includes(square));
      if (live.has(square) && this.playable) cell.setAttribute("aria-disabled", "false");
    }
    this.entrance(path.at(-1))?.setAttribute("tabindex", "0");
    for (const text of this.svg.querySelectorAll("text")) this.dressText(text);
  }

  /** Let assistive technology say what the trays hold; coordinates are said by the cells. */
  dressText(text) {
    const { label } = text.dataset;
    text.setAttribute("aria-hidden", String(!label));
    if (!label) return;
    text.setAttribute("role", "img");
    text.setAttribute("aria-label", label);
  }

  dressCell(cell, open, chosen) {
    cell.classList.toggle("can", open);
    cell.classList.toggle("chosen", chosen);
    cell.setAttribute("aria-label", cell.dataset.label);
    cell.setAttribute("tabindex", "-1");
    cell.setAttribute("role", this.playable ? "button" : "img");
    if (!this.playable) return;
    cell.setAttribute("aria-disabled", String(!open));
    cell.setAttribute("aria-pressed", String(chosen));
  }

  entrance(square) {
    return this.cell(square) ?? this.svg.querySelector(".cell.can") ?? this.cells()[0];
  }

  /** Move the focus to a square's cell, or to where the tabulator key would go. */
  focus(square) {
    this.enter(this.entrance(square));
  }

  /** Move the focus from a cell to the next one in an arrow key's direction, if it is such a key. */
  step(cell, key) {
    if (!(key in KEYS)) return false;
    this.enter(this.beside(cell, ...KEYS[key]));
    return true;
  }

  enter(chosen) {
    for (const cell of this.cells()) cell.setAttribute("tabindex", cell === chosen ? "0" : "-1");
    chosen?.focus({ preventScroll: true });
  }

  // The nearest cell in a direction, keeping to the row or column where that can be done.
  beside(cell, dx, dy) {
    let [best, least] = [cell, Infinity];
    for (const other of this.cells()) {
      const [x, y] = ["x", "y"].map((axis) => other.dataset[axis] - cell.dataset[axis]);
      const [ahead, aside] = [x * dx + y * dy, Math.abs(x * dy + y * dx)];
      const far = ahead + 3 * aside;
      if (ahead > 0.1 && far < least) [best, least] = [other, far];
    }
    return best;
  }
}

/** Return the element that a source of SVG describes. */
export function parse(source) {
  const parsed = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
  return document.importNode(parsed, true);
}
