// Firefox by WebDriver BiDi, which Firefox speaks itself; playwright-core drives only its own build of Firefox.

import { spawn } from "node:child_process";

import WebSocket from "ws";

/** Starts Firefox and returns a function that sends commands, and one that ends it. */
async function start(program, profile) {
  const args = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"];
  const firefox = spawn(program, args, { env: { ...process.env, HOME: profile, MOZ_DISABLE_AUTO_SAFE_MODE: "1" } });
  const end = () => new Promise((resolve) => {
    firefox.on("exit", resolve);
    firefox.kill();
  });
  const address = await new Promise((resolve, reject) => {
    let output = "";
    firefox.stderr.on("data", (data) => {
      output += data;
      const match = /WebDriver BiDi listening on (ws:\S+)/.exec(output);
      if (match) resolve(match[1]);
    });
    firefox.on("exit", () => reject(new Error(`Firefox ended: ${output}`)));
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject));
  let last = 0;
  const waiting = new Map();
  socket.on("message", (data) => {
    const { id, type, result, message } = JSON.parse(data);
    if (id === undefined) return;
    const { resolve, reject } = waiting.get(id);
    type === "success" ? resolve(result) : reject(new Error(message));
  });
  const send = (method, params) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  return { send, end };
}

/** Opens the page, and returns what it shows and what it complains about. */
export async function smoke(program, url, profile) {
  const { send, end } = await start(program, profile);
  try {
    await send("session.new", { capabilities: {} });
    const { contexts } = await send("browsingContext.getTree", {});
    const { context } = contexts[0];
    const collect = `() => {
      window.complaints = [];
      addEventListener("error", (event) => window.complaints.push(String(event.message)));
      addEventListener("unhandledrejection", (event) => window.complaints.push(String(event.reason)));
      addEventListener("securitypolicyviolation", (event) => window.complaints.push(event.violatedDirective + " " + event.blockedURI));
    }`;
    await send("script.addPreloadScript", { functionDeclaration: collect });
    await send("browsingContext.navigate", { context, url, wait: "complete" });
    const expression = `new Promise((resolve) => {
      const text = (id) => document.getElementById(id).textContent;
      const look = () => {
        if (!text("status").includes("links,")) return setTimeout(look, 50);
        const rows = document.querySelectorAll("#links tbody tr").length;
        document.getElementById("tab-result").click();
        setTimeout(() => {
          const errors = [...window.complaints];
          if (!document.querySelector("#diff ins")) errors.push("no differences are shown");
          resolve(JSON.stringify({ status: text("status"), rows, baseUrl: text("base-url"), errors }));
        }, 1500);
      };
      look();
    })`;
    const { result, exceptionDetails } = await send("script.evaluate", { expression, target: { context }, awaitPromise: true });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return JSON.parse(result.value);
  } finally {
    await end();
  }
}
