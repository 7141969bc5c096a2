// The keys and buttons that step through turns, on the page of a game and in rulebooks.

const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };

/** Return the step that a pressed key stands for, or undefined. */
export function stepOfKey(event) {
  const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
  return hasModifier || event.defaultPrevented ? undefined : KEYS[event.key];
}

/** Mark which buttons below `root` lead anywhere: `can` has a truth value for each step. */
export function markSteps(root, can) {
  for (const button of root.querySelectorAll("[data-step]")) {
    button.ariaDisabled = String(!can[button.dataset.step]);
  }
}
