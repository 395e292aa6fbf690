// The window of the toolbar button: where the service is, start and stop.

const element = (id) => document.getElementById(id);
const tell = (message) => chrome.runtime.sendMessage(message);

async function show() {
  const status = await tell({ type: "status" });
  element("settings").hidden = status.recording;
  element("stop").hidden = element("drop").hidden = !status.recording;
  element("state").textContent = !status.recording
    ? "Nothing is recorded."
    : status.error
      ? "Recording, but the service does not answer: " + status.error
      : `Recording “${status.topic || status.name}”: ${status.pages} pages, ${status.useful} useful.`;
}

element("settings").addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = await tell({ type: "start", service: element("service").value,
                              token: element("token").value });
  if (answer.error) {
    await tell({ type: "stop" });
    element("state").textContent = "The service does not answer: " + answer.error;
  } else {
    show();
  }
});
element("stop").addEventListener("click", async () => { await tell({ type: "stop" }); show(); });
element("drop").addEventListener("click", async () => {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  if (tab?.url) await tell({ type: "drop", url: tab.url.split("#")[0] });
  show();
});
show();
