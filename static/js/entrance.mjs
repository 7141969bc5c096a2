// Fills in the browser's time zone at sign-up, and says so when a passkey could not be used.
for (const field of document.querySelectorAll("[data-time-zone]")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}

document.addEventListener("allauth.error", () => {
  for (const notice of document.querySelectorAll("[data-passkey-failed]")) notice.hidden = false;
});
