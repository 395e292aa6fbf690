// The background part: passes what pages say on to `dowser session record`.
//
// It may be stopped by the browser at any time and is started again by the next message, so it keeps
// nothing in memory: settings and events that could not be delivered are in chrome.storage. An event
// is sent at once; if the service does not answer, it waits in the queue and goes before the next.

const settings = async () => (await chrome.storage.local.get("settings")).settings ?? {};

async function ask(path, method = "GET", body = undefined) {
  const { service, token } = await settings();
  const answer = await fetch(service + path, {
    method,
    body,
    headers: { Authorization: "Bearer " + token },
  });
  if (!answer.ok) throw Object.assign(new Error(await answer.text()), { status: answer.status });
  return answer.status === 204 ? null : answer.json();
}

// One delivery at a time, in order.
let delivering = Promise.resolve();
function deliver(event) {
  delivering = delivering.catch(() => {}).then(async () => {
    const queue = (await chrome.storage.local.get("queue")).queue ?? [];
    if (event) queue.push(event);
    await chrome.storage.local.set({ queue });
    while (queue.length > 0) {
      try {
        await ask("/event", "POST", JSON.stringify(queue[0]));
      } catch (error) {
        if (error.status === undefined || error.status === 401) throw error;  // the service is away
        console.warn("Dowser: an event was refused:", error.message);
      }
      queue.shift();
      await chrome.storage.local.set({ queue });
    }
  });
  return delivering;
}

// A frame belongs to the session if it stands in a frameset; an <iframe> is part of its page.
async function isPageOfItsOwn(sender) {
  if (sender.frameId === 0) return true;
  const tabId = sender.tab.id;
  const frame = await chrome.webNavigation.getFrame({ tabId, frameId: sender.frameId });
  if (!frame) return false;
  const [parent] = await chrome.scripting.executeScript({
    target: { tabId, frameIds: [frame.parentFrameId] },
    func: () => document.body?.tagName === "FRAMESET",
  });
  return parent?.result === true;
}

const handlers = {
  // Whether the page is recorded, and how it is marked.
  async visit(message, sender) {
    const { recording } = await settings();
    if (!recording || !(await isPageOfItsOwn(sender))) return { recording: false };
    if (!message.frameset) {
      await deliver({ event: "visit", url: message.url, kind: message.kind, html: message.html,
                      at: new Date().toISOString() }).catch(() => {});
    }
    if (message.frameset) return { recording: false };
    const state = await ask("/page?url=" + encodeURIComponent(message.url)).catch(() => ({}));
    return { recording: true, useful: state.useful === true };
  },
  async mark(message) {
    await deliver({ event: "mark", url: message.url, useful: message.useful });
    return { useful: message.useful };
  },
  async drop(message) {
    await deliver({ event: "drop", url: message.url });
    return {};
  },
  async submit() {
    await deliver(null);
    return ask("/submit", "POST");
  },
  async status() {
    const { recording, service } = await settings();
    const status = recording ? await ask("/status").catch((e) => ({ error: e.message })) : {};
    return { recording: recording === true, service, ...status };
  },
  async start(message) {
    await chrome.storage.local.set({
      settings: { recording: true, service: message.service.replace(/\/+$/, ""), token: message.token },
      queue: [],
    });
    return ask("/status");
  },
  async stop() {
    await deliver(null).catch(() => {});
    const now = await settings();
    await chrome.storage.local.set({ settings: { ...now, recording: false } });
    return {};
  },
};

chrome.runtime.onMessage.addListener((message, sender, respond) => {
  const handler = handlers[message.type];
  if (!handler) return false;
  handler(message, sender).then(respond, (error) => respond({ error: error.message }));
  return true;  // the answer comes later
});
