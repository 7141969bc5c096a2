// Dragging a piece to another square, with a mouse, a pen or a finger: it counts as a click on each.

const LEAST = 6; // CSS pixels: whoever moves less has clicked

export class Drag {
  /**
   * `box` holds the drawing. `canDrag(square)` tells whether something can be moved from there,
   * `drop(from, to)` is called when it was dragged to another square.
   */
  constructor(box, canDrag, drop) {
    this.box = box;
    this.canDrag = canDrag;
    this.drop = drop;
    box.addEventListener("pointerdown", (event) => this.begin(event));
    box.addEventListener("pointermove", (event) => this.move(event));
    box.addEventListener("pointerup", (event) => this.end(event));
    box.addEventListener("pointercancel", () => this.stop());
    // A finger on a piece does not scroll. Browsers ignore `touch-action` inside an SVG.
    const stay = (event) => this.cell && event.preventDefault();
    box.addEventListener("touchmove", stay, { passive: false });
  }

  begin(event) {
    this.stop();
    const cell = event.target.closest(".cell");
    if (!cell || event.button !== 0 || !event.isPrimary || !this.canDrag(cell.dataset.square)) return;
    this.cell = cell;
    this.start = { x: event.clientX, y: event.clientY };
  }

  move(event) {
    if (!this.cell) return;
    const [x, y] = [event.clientX - this.start.x, event.clientY - this.start.y];
    if (!this.piece && Math.hypot(x, y) < LEAST) return;
    if (!this.piece) this.lift(event.pointerId);
    const svg = this.cell.ownerSVGElement;
    const { a: scale } = svg.getScreenCTM();
    const place = `translate(${x / scale} ${y / scale})`;
    this.piece.setAttribute("transform", `${place} ${this.cell.getAttribute("transform")}`);
  }

  // Show a copy of the piece above everything else, and the piece itself as if it were gone.
  lift(pointerId) {
    this.piece = this.cell.cloneNode(true);
    this.piece.setAttribute("class", "dragged");
    this.piece.setAttribute("aria-hidden", "true");
    for (const name of ["role", "tabindex", "data-square"]) this.piece.removeAttribute(name);
    this.cell.classList.add("lifted");
    this.cell.ownerSVGElement.append(this.piece);
    this.box.setPointerCapture(pointerId);
  }

  end(event) {
    const { cell, piece } = this;
    this.stop();
    if (!piece) return;
    const below = document.elementFromPoint(event.clientX, event.clientY)?.closest(".cell");
    if (!below || below === cell || !this.box.contains(below)) return;
    this.drop(cell.dataset.square, below.dataset.square);
  }

  stop() {
    this.piece?.remove();
    this.cell?.classList.remove("lifted");
    this.cell = null;
    this.piece = null;
  }
}
