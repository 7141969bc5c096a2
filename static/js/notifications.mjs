// The settings page for notifications: what this browser can do, and the button that switches them
// on. The form then goes to the server like any other.

const box = document.getElementById("this-browser");
const form = box.querySelector("[data-switch-on]");

function show(state) {
  for (const text of box.querySelectorAll("[data-state]")) {
    text.hidden = text.dataset.state !== state;
  }
  form.hidden = !["off", "failed"].includes(state);
}

// The server knows this browser only if one of its rows has the same address.
function rowOf(subscription) {
  const rows = [...document.querySelectorAll("[data-endpoint]")];
  return rows.find(({ dataset }) => dataset.endpoint === subscription?.endpoint);
}

async function look() {
  if (!("PushManager" in window && "Notification" in window && navigator.serviceWorker)) {
    return show("unsupported");
  }
  if (Notification.permission === "denied") return show("blocked");
  const registration = await navigator.serviceWorker.getRegistration("/");
  const row = rowOf(await registration?.pushManager.getSubscription());
  const isOn = row && Notification.permission === "granted";
  if (isOn) row.querySelector("[data-is-this]").hidden = false;
  show(isOn ? "on" : "off");
}

async function subscribe() {
  await navigator.serviceWorker.register("/service-worker.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  // One that is left from before may belong to another key of the site, or to another user.
  await (await pushManager.getSubscription())?.unsubscribe();
  return pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: box.dataset.key,
  });
}

async function switchOn() {
  if ((await Notification.requestPermission()) !== "granted") return look();
  try {
    const { endpoint, keys } = (await subscribe()).toJSON();
    form.elements.endpoint.value = endpoint;
    form.elements.p256dh.value = keys.p256dh;
    form.elements.auth.value = keys.auth;
  } catch {
    return show("failed");
  }
  form.submit();
}

form.querySelector("button").addEventListener("click", switchOn);
look();
