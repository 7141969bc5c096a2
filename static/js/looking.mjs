// Says with every look for news whether the page is before somebody's eyes: who does not see it
// gets mail.
document.addEventListener("htmx:configRequest", (event) => {
  if (!event.target.matches(".game-news")) return;
  event.detail.parameters.looking = document.visibilityState === "visible" ? "1" : "0";
});
