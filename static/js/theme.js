// Day, night or as the device says. Not a module: it must run before the first line is painted.
(() => {
  const YEAR = 365 * 24 * 60 * 60; // seconds
  const root = document.documentElement;

  // A cookie: signing out empties the browser's storage.
  function kept() {
    return /(?:^|; )pli-theme=(light|dark)/.exec(document.cookie)?.[1] ?? "";
  }

  function keep(theme) {
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `pli-theme=${theme}; path=/; max-age=${theme ? YEAR : 0}; samesite=lax${secure}`;
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
