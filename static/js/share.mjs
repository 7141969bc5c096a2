// Links and secrets to copy, links to share: see templates/_copy_field.html.

async function copy(field, status, { copied, failed }) {
  try {
    await navigator.clipboard.writeText(field.value);
    status.textContent = copied;
  } catch {
    field.select(); // without permission, or on a page without TLS
    status.textContent = failed;
  }
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-share-copy], [data-share-send]");
  if (!button) return;
  const box = button.closest("[data-share]");
  const field = box.querySelector("[data-share-link]");
  const status = box.querySelector("[data-share-status]");
  status.textContent = ""; // so that the same words are told again
  if (button.matches("[data-share-copy]")) copy(field, status, button.dataset);
  else navigator.share({ title: document.title, url: field.value }).catch(() => {});
});

// Most desktop browsers cannot share.
function show() {
  if (!navigator.share) return;
  for (const button of document.querySelectorAll("[data-share-send]")) button.hidden = false;
}

show();
document.addEventListener("htmx:load", show);
