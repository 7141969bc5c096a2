// Day, night or as the device says. Not a module: it must run before the first line is painted.
(() => {
  const KEY = "pli-theme";
  const root = document.documentElement;

  function kept() {
    try {
      return localStorage.getItem(KEY) || "";
    } catch {
      return ""; // Storage may be forbidden; the device decides then.
    }
  }

  function keep(theme) {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // For this page only, then.
    }
  }

  function show(theme) {
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
    for (const button of document.querySelectorAll("[data-theme-choice]")) {
      button.setAttribute("aria-pressed", String(button.dataset.themeChoice === theme));
    }
  }

  show(kept());
  document.addEventListener("DOMContentLoaded", () => {
    show(kept());
    for (const lamp of document.querySelectorAll("[data-theme-switch]")) lamp.hidden = false;
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-theme-choice]");
    if (!button) return;
    keep(button.dataset.themeChoice);
    show(button.dataset.themeChoice);
  });
})();
