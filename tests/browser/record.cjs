// Browses a small site in Chromium with the extension loaded, and compares the session that
// `dowser session record` writes with what was done. Arguments: dowser, chromium, screenshot folder.
const assert = require("node:assert");
const { spawn, execFileSync } = require("node:child_process");
const fs = require("node:fs");
const http = require("node:http");
const os = require("node:os");
const path = require("node:path");
const { chromium } = require("playwright-core");

const [dowser, browserPath, screenshots] = process.argv.slice(2);
const extension = path.resolve(__dirname, "../../extension");
const work = fs.mkdtempSync(path.join(os.tmpdir(), "dowser-record-"));

// The site: what each path answers.
const link = (to) => `<a id="${to}" href="/${to}">${to}</a>`;
const pages = {
  "/": `<title>home</title><h1>Home</h1>${link("list")} ${link("strict")} ${link("frames")} ${link("old")}`,
  "/list": `<title>list</title>${link("useful")} ${link("other")} ${link("unvisited")}`,
  "/other": `<title>other</title>${link("")}`,
  "/useful": `<title>useful</title>the page that was looked for ${link("list")}`,
  "/typed": `<title>typed</title>an address that was typed ${link("useful")}`,
  "/strict": `<title>strict</title><p>a page with a strict policy ${link("useful")}`,
  "/new": `<title>new</title>where the redirect ends ${link("list")}`,
  "/second": `<title>second</title>in a second tab ${link("list")}`,
  "/left": `<title>left</title>a frame ${link("useful")}`,
  "/right": `<title>right</title>another frame`,
  "/frames": `<html><head><title>frames</title></head><frameset cols="50%,50%"><frame src="/left"><frame src="/right"></frameset></html>`,
  "/unvisited": "never",
};

const site = http.createServer((request, response) => {
  const headers = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" };
  if (request.url === "/old") return response.writeHead(302, { Location: "/new" }).end();
  if (request.url === "/strict") headers["Content-Security-Policy"] = "default-src 'none'; style-src 'none'; sandbox allow-top-navigation allow-same-origin allow-scripts";
  const body = pages[request.url];
  response.writeHead(body ? 200 : 404, headers).end(body ?? "not found");
});

const recorded = async (service, token, url) => {
  for (let i = 0; i < 200; ++i) {
    const answer = await fetch(`${service}/page?url=${encodeURIComponent(url)}`,
                               { headers: { Authorization: "Bearer " + token } });
    if ((await answer.json()).visited) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(url + " was not recorded");
};

async function main() {
  await new Promise((done) => site.listen(0, "127.0.0.1", done));
  const home = `http://127.0.0.1:${site.address().port}`;
  const file = path.join(work, "hockey.sessions");
  const record = spawn(dowser, ["session", "record", "--topic", "hockey", "--to", file, "--listen",
                                "127.0.0.1:0", "--json"]);
  const ready = JSON.parse(await new Promise((done) => record.stdout.once("data", (data) => done(String(data)))));
  const { listening: service, token } = ready;

  // Without the token, or with a body that is too large, nothing is taken.
  assert.strictEqual((await fetch(service + "/status")).status, 401);
  const large = await fetch(service + "/event", { method: "POST", body: "x".repeat(17 << 20),
    headers: { Authorization: "Bearer " + token } }).then((r) => r.status, () => "closed");
  assert.ok(large === 413 || large === "closed", String(large));

  const context = await chromium.launchPersistentContext(path.join(work, "profile"), {
    executablePath: browserPath,
    headless: false,
    args: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
           "--disable-component-update", "--disable-sync", `--disable-extensions-except=${extension}`,
           `--load-extension=${extension}`,
           "--disable-features=DisableLoadExtensionCommandLineSwitch"],
  });
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto(home + "/other");  // before start: not recorded
  let [worker] = context.serviceWorkers();
  worker ??= await context.waitForEvent("serviceworker");
  const id = new URL(worker.url()).host;
  const popup = await context.newPage();
  await popup.goto(`chrome-extension://${id}/popup.html`);
  await popup.fill("#service", service);
  await popup.fill("#token", token);
  const shoot = async (name) => {
    if (!screenshots) return;
    await popup.setViewportSize({ width: 340, height: 320 });
    await popup.screenshot({ path: path.join(screenshots, name) });
  };
  await shoot("popup-before.png");
  await popup.click("#start");
  await popup.waitForSelector("#stop:not([hidden])");
  await shoot("popup-recording.png");
  await popup.close();

  const stopWorker = async () => {  // as the browser does when it idles
    const internals = await context.newPage();
    await internals.goto("chrome://serviceworker-internals");
    for (const button of await internals.$$("button.stop")) await button.click().catch(() => {});
    await internals.waitForTimeout(500);
    await internals.close();
    await page.bringToFront();
  };
  const click = async (what) => { await page.click("#" + what); };

  await page.goto(home + "/");                    // a typed address
  await recorded(service, token, home + "/");
  await click("list");                            // a link
  await recorded(service, token, home + "/list");
  await click("other");
  await recorded(service, token, home + "/other");
  await page.goBack();                            // back adds no link
  await stopWorker();                             // midway
  await click("useful");
  await recorded(service, token, home + "/useful");
  await page.waitForSelector("dowser-bar", { state: "attached" });
  if (screenshots) await page.screenshot({ path: path.join(screenshots, "bar.png") });
  await markUseful(page);
  await page.goto(home + "/typed");
  await recorded(service, token, home + "/typed");
  await page.goto(home + "/");
  await click("strict");                          // a strict policy
  await recorded(service, token, home + "/strict");
  await page.waitForSelector("dowser-bar", { state: "attached" });
  await page.goto(home + "/");
  await click("frames");                          // the frames instead of the frameset
  await recorded(service, token, home + "/left");
  await recorded(service, token, home + "/right");
  await page.goto(home + "/");
  await click("old");                             // a redirect is its end
  await recorded(service, token, home + "/new");
  const second = await context.newPage();         // a second tab
  await second.goto(home + "/second");
  await recorded(service, token, home + "/second");
  await second.waitForSelector("dowser-bar", { state: "attached" });
  await markUseful(second);
  await submit(second);
  for (let i = 0; i < 100 && !fs.existsSync(file); ++i) await second.waitForTimeout(100);
  await context.close();

  const [session] = JSON.parse(execFileSync(dowser, ["session", "show", file, "--json"], { encoding: "utf8" }));
  const names = session.pages.map((p) => new URL(p.url).pathname);
  assert.deepStrictEqual([...names].sort(), ["/", "/left", "/list", "/new", "/other", "/right",
                                             "/second", "/strict", "/typed", "/useful"]);
  const links = session.links.map(([a, b]) => names[a] + " " + names[b]).sort();
  assert.deepStrictEqual(links, ["/ /list", "/ /strict", "/left /useful", "/list /other",
    "/list /useful", "/new /list", "/other /", "/second /list", "/strict /useful",
    "/typed /useful", "/useful /list"]);
  assert.deepStrictEqual(session.pages.filter((p) => p.useful).map((p) => new URL(p.url).pathname).sort(),
                         ["/second", "/useful"]);
  assert.ok(session.pages.every((p) => p.html));
  assert.ok(!fs.readFileSync(file + ".recording", "utf8").includes("dowser-bar"));
  const ended = new Promise((resolve) => record.once("exit", resolve));
  record.kill("SIGTERM");
  await ended;  // it writes the session once more
  console.log(`record_check: ${names.length} pages, ${links.length} links, 2 targets as expected`);
}

// The buttons are in a closed shadow root: they are clicked by their place.
async function press(page, fromTheRight) {
  const { width, height } = page.viewportSize();
  const [x, y] = [width - fromTheRight, height - 28];
  const there = await page.evaluate(([px, py]) => document.elementFromPoint(px, py)?.tagName, [x, y]);
  assert.strictEqual(there, "DOWSER-BAR");
  await page.mouse.click(x, y);
}
const markUseful = (page) => press(page, 113).then(() => page.waitForTimeout(500));
const submit = (page) => press(page, 47);

const end = (code) => {
  fs.rmSync(work, { recursive: true, force: true });
  process.exit(code);
};
main().then(() => end(0), (error) => { console.error(error); end(1); });
