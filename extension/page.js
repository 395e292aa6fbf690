// In every page: tells the worker that the page is shown, and draws the bar with Useful and Submit.
//
// The page itself sends the message, and a message starts the worker where it sleeps, so no
// navigation is missed. The HTML is taken before the bar is added. The bar lives in a closed shadow
// root and is styled through the CSSOM, which a strict Content-Security-Policy does not forbid.

(() => {
  const tell = (message) => chrome.runtime.sendMessage(message).catch(() => ({}));
  const address = () => location.href.split("#")[0];

  function kindOfVisit() {
    const [navigation] = performance.getEntriesByType("navigation");
    if (navigation?.type === "back_forward") return "back";
    return document.referrer ? "link" : "start";
  }

  async function shown(kind) {
    const frameset = document.body?.tagName === "FRAMESET";
    const html = frameset ? "" : document.documentElement.outerHTML;
    const answer = await tell({ type: "visit", url: address(), kind, html, frameset });
    if (answer?.recording) draw(answer.useful === true);
  }

  let bar = null;
  function draw(useful) {
    bar?.remove();
    bar = document.createElement("dowser-bar");
    const root = bar.attachShadow({ mode: "closed" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
      div { position: fixed; right: 12px; bottom: 12px; z-index: 2147483647; display: flex; gap: 6px;
        padding: 5px; border-radius: 8px; background: #fffe; box-shadow: 0 1px 6px #0005;
        font: 13px system-ui, sans-serif; }
      button { all: unset; padding: 3px 10px; border-radius: 5px; cursor: pointer; color: #24313d; }
      button:hover, button:focus-visible { background: #e6edf2; }
      button[aria-pressed=true] { background: #0b7a62; color: #fff; }`);
    root.adoptedStyleSheets = [sheet];
    const box = document.createElement("div");
    const button = (label, action) => {
      const one = document.createElement("button");
      one.textContent = label;
      one.addEventListener("click", (event) => { if (event.isTrusted) action(one); });
      box.append(one);
      return one;
    };
    const mark = button("Useful", async (one) => {
      const wanted = one.getAttribute("aria-pressed") !== "true";
      const answer = await tell({ type: "mark", url: address(), useful: wanted });
      if (answer?.error) one.title = answer.error;
      else one.setAttribute("aria-pressed", String(wanted));
    });
    mark.setAttribute("aria-pressed", String(useful));
    button("Submit", async (one) => {
      const answer = await tell({ type: "submit" });
      one.textContent = answer?.error ? "Not saved" : "Saved";
      one.title = answer?.error ?? answer?.file ?? "";
      setTimeout(() => { one.textContent = "Submit"; }, 2000);
    });
    root.append(box);
    document.documentElement.append(bar);
  }

  // A page that is loaded ahead counts once it is shown; one that comes back from the cache of the
  // history is visited again.
  if (document.prerendering) {
    document.addEventListener("prerenderingchange", () => shown(kindOfVisit()), { once: true });
  } else {
    shown(kindOfVisit());
  }
  addEventListener("pageshow", (event) => { if (event.persisted) shown("back"); });
})();
