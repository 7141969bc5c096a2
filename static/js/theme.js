// The choice of day or night, and a mark on the page once its scripts listen.
// Not a module: it must run before the first line is painted.
(() => {
  const YEAR = 365 * 24 * 60 * 60; // seconds
  const KEY = "pli-theme";
  const root = document.documentElement;

  // A cookie: signing out empties the browser's storage.
  function kept() {
    return /(?:^|; )pli-theme=(light|dark)/.exec(document.cookie)?.[1] ?? "";
  }

  function keep(theme) {
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `${KEY}=${theme}; path=/; max-age=${theme ? YEAR : 0}; samesite=lax${secure}`;
  }

  // Until November 2026 the choice was kept in the browser's storage.
  function takeOverOldChoice() {
    try {
      const old = localStorage.getItem(KEY);
      if (old === null) return;
      if (/^(light|dark)$/.test(old) && !kept()) keep(old);
      localStorage.removeItem(KEY);
    } catch {
      // Storage may be forbidden: then nothing was kept there.
    }
  }

  function show(theme) {
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
    for (const button of document.querySelectorAll("[data-theme-choice]")) {
      button.setAttribute("aria-pressed", String(button.dataset.themeChoice === theme));
    }
  }

  takeOverOldChoice();
  show(kept());
  document.addEventListener("DOMContentLoaded", () => {
    root.dataset.listening = ""; // all modules have run: see .with-scripts in pli.css
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
