// The desk's own script. Pages work without it, but for dropping files and for following what is under way.

const lost = document.querySelector("#lost");

// Whether the desk is there is asked now and then, by the window that is looked at.
const ask = async () => {
  try {
    if (!document.hidden) known(await fetch("icon.svg", { cache: "no-store" }));
  } catch {
    gone();
  }
  setTimeout(ask, lost.hidden ? 5000 : 1000);
};
if (!document.querySelector("[data-poll]")) setTimeout(ask, 5000);

// Whether this desk answered, and no other program that has its port by now.
function known(answer) {
  const from = answer.headers.get("x-shipsheet-desk");
  const isOwn = from === document.documentElement.dataset.desk;
  if (isOwn) lost.hidden = true;
  else if (from === "closed") tell("The desk was started again. Go on in the window that it opened.");
  else gone();
  return isOwn;
}

// A note is shown once, and its address is that of the page.
const here = new URL(location.href);
const note = here.searchParams.get("said");
const unsaid = (address) => {
  const url = new URL(address, document.baseURI);
  url.searchParams.delete("said");
  return url;
};
if (note && !document.querySelector("[data-poll]")) history.replaceState(history.state, "", unsaid(here));

function gone() {
  tell("The desk does not answer. It goes on here by itself once it is back. If it was closed, start it again and go on in the window that it opens.");
}

// What is under way is fetched again, soon at first, as most is over in a moment, and then once a second; by a window behind others
// less often. No window keeps a connection.
for (const place of document.querySelectorAll("[data-poll]")) {
  let next;
  let isAsking = false;
  let wait = 100;
  const follow = async () => {
    if (isAsking) return;
    isAsking = true;
    clearTimeout(next);
    try {
      const answer = await fetch(place.dataset.poll, { cache: "no-store" });
      if (known(answer)) show(place, await answer.text());
    } catch {
      gone();
    }
    isAsking = false;
    next = setTimeout(follow, document.hidden ? 3000 : wait);
    wait = Math.min(2 * wait, 1000);
  };
  follow();
  document.addEventListener("visibilitychange", () => document.hidden || follow());
}

const parsed = (text) => new DOMParser().parseFromString(text, "text/html");

function show(place, text) {
  const next = parsed(text).body;
  const goes = next.querySelector("[data-go]");
  if (goes) {
    const next = new URL(goes.dataset.go, document.baseURI);
    if (note && !next.searchParams.has("said")) next.searchParams.set("said", note);
    location.replace(next);
    return;
  }
  // Only what has changed is replaced: a screen reader hears no more than that.
  if (place.innerHTML !== next.innerHTML) place.replaceChildren(...next.childNodes);
}

function tell(text) {
  if (lost.hidden || lost.textContent !== text) lost.textContent = text;
  lost.hidden = false;
}

// What opened another window may have changed this page.
const reloadIfOpened = () => !document.hidden && document.querySelector("form[data-opened]") && location.reload();
addEventListener("focus", reloadIfOpened);
document.addEventListener("visibilitychange", reloadIfOpened);

// A form is sent once. Back brings its button back.
document.addEventListener("submit", (event) => {
  const form = event.target;
  const target = event.submitter?.formTarget || form.target;
  if (target === "_blank") form.dataset.opened = "yes";
  if (form.method === "get" && unanswered) {
    const { submitter } = event;
    event.preventDefault();
    whenAnswered().then(() => (form.isConnected ? form.requestSubmit(submitter) : location.assign(form.action)));
    return;
  }
  if (form.method !== "post" || target === "_blank") return;
  if ("live" in form.dataset) {
    event.preventDefault();
    // Typed text is sent once its cell is left.
    if (event.submitter && event.submitter.name !== "save") answer(event.submitter.name, event.submitter.value);
    return;
  }
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "yes";
  for (const button of form.querySelectorAll("button")) button.setAttribute("aria-disabled", "true");
});
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) {
    delete form.dataset.sent;
    for (const button of form.querySelectorAll("[aria-disabled]")) button.removeAttribute("aria-disabled");
  }
});

// The menu of a column gets all fields once it is wanted.
for (const kind of ["focusin", "pointerdown"]) {
  addEventListener(kind, ({ target }) => {
    if (!target.matches?.("select[data-fields]")) return;
    delete target.dataset.fields;
    const fields = document.querySelector("#fields").content.cloneNode(true);
    target.append(...[...fields.children].filter((field) => field.value !== target.value));
  });
}

// Ticks of a list: all at once, and how many there are.
const ticking = document.querySelector("[data-ticks]");
if (ticking) {
  const all = ticking.querySelector("[data-all]");
  const ticks = [...ticking.elements].filter((own) => own.name.startsWith("order."));
  const count = () => {
    const ticked = ticks.filter((own) => own.checked).length;
    all.firstChild.checked = ticked === ticks.length;
    all.firstChild.indeterminate = ticked > 0 && ticked < ticks.length;
    for (const button of ticking.querySelectorAll("button")) button.disabled = ticked === 0;
    ticking.querySelector("[role=status]").textContent = ticked ? `${ticked} ticked` : "";
  };
  all.hidden = false;
  all.addEventListener("change", () => {
    for (const own of ticks) own.checked = all.firstChild.checked;
    count();
  });
  for (const own of ticks) own.addEventListener("change", count);
  addEventListener("pageshow", count);
}

// A chosen file is sent at once.
for (const input of document.querySelectorAll("[data-send]")) {
  input.addEventListener("change", () => input.files.length && input.form.requestSubmit());
}

// A file may be dropped anywhere.
const drop = document.querySelector("[data-drop]");
if (drop) {
  const input = drop.querySelector("input[type=file]");
  const isOfFiles = (event) => event.dataTransfer?.types.includes("Files");
  let depth = 0;
  addEventListener("dragenter", (event) => isOfFiles(event) && ++depth && drop.classList.add("over"));
  addEventListener("dragleave", (event) => isOfFiles(event) && --depth <= 0 && drop.classList.remove("over"));
  addEventListener("dragover", (event) => isOfFiles(event) && event.preventDefault());
  addEventListener("drop", (event) => {
    if (!isOfFiles(event)) return;
    event.preventDefault();
    depth = 0;
    drop.classList.remove("over");
    input.files = event.dataTransfer.files;
    drop.requestSubmit();
  });
}

// What is typed into a cell of a sheet, or pressed beside it, is sent by itself, one thing after the other. The page that
// comes back takes the place of what is shown; cells and buttons that are on both stay, with the focus and what is typed.
let answered = Promise.resolve();
let isPressing = false;
let isPutting = false;
const sending = new Map();
addEventListener("pointerdown", () => (isPressing = true), true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(() => (isPressing = false), 50), true);

let unanswered = 0;

// Whoever goes on while something typed is still on its way goes once it has come in.
async function whenAnswered() {
  while (unanswered > 0) await answered;
}
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[href]");
  const isPlain = link && !link.target && !(event.ctrlKey || event.metaKey || event.shiftKey);
  if (!isPlain || !unanswered) return;
  event.preventDefault();
  const to = link.href;
  await whenAnswered();
  location.assign(to);
});

function answer(name, value) {
  sending.set(name, value);
  unanswered += 1;
  answered = answered.then(async () => {
    const form = document.querySelector("#a");
    const fields = new URLSearchParams([...form.querySelectorAll("[type=hidden]")].map((own) => [own.name, own.value]));
    fields.set(name, value);
    if (name === "all-same") fields.set(`same.${value}`, document.querySelector(`[name="same.${value}"]`).value);
    const response = await fetch(form.getAttribute("action"), { method: "POST", body: fields, cache: "no-store" });
    if (!known(response)) throw new Error("another program answers");
    const page = await arrived(response);
    // A button under the finger is not taken away.
    while (isPressing) await new Promise((done) => setTimeout(done, 30));
    put(page, response);
    if (sending.get(name) === value) sending.delete(name);
  });
  answered = answered.catch(() => tell("The desk does not answer. What you typed last is not kept."));
  answered = answered.finally(() => (unanswered -= 1));
}

// An answer that takes longer than a page waits is waited for here, where the next cell is being typed into meanwhile.
async function arrived(response) {
  for (;;) {
    const page = parsed(await response.text());
    const waits = page.querySelector("#body [data-poll]");
    if (!waits || waits.querySelector("[href=progress]")) return page;
    document.querySelector("#said").replaceChildren(...waits.childNodes);
    await new Promise((done) => setTimeout(done, 300));
    response = await fetch(response.url, { cache: "no-store" });
    if (!known(response)) throw new Error("another program answers");
  }
}

function put(page, response) {
  const inside = page.querySelector("#body");
  if (!inside || inside.querySelector("[data-poll]")) {
    location.assign(response.url);
    return;
  }
  const body = document.querySelector("#body");
  const stops = () => [...body.querySelectorAll("a, button, input:not([type=hidden]), select, summary")];
  const active = document.activeElement;
  const before = stops().indexOf(active);
  const rows = () => [...body.querySelectorAll(".group tbody tr:not(.why)")];
  const row = rows().indexOf(active?.closest(".group tbody tr"));
  const open = [...body.querySelectorAll("details[open] > summary")].map((summary) => summary.textContent);
  keep(body, inside);
  isPutting = true;
  body.replaceChildren(...inside.childNodes);
  isPutting = false;
  document.querySelector("#said").replaceChildren(...page.querySelector("#said").childNodes);
  document.title = page.title;
  lost.hidden = true;
  if (response.redirected) history.replaceState(null, "", unsaid(response.url));
  for (const summary of body.querySelectorAll("details > summary")) {
    if (open.includes(summary.textContent)) summary.parentElement.open = true;
  }
  if (before < 0) return;
  if (active.isConnected) return active.focus({ preventScroll: true });
  // Else the row that stands there now, or its cell, and no button, which a key in a hurry would press.
  const next = row < 0 ? stops().slice(before).find((own) => own.matches(".cell")) : (rows()[row] ?? rows()[0]);
  const to = next?.querySelector(".cell") ?? next ?? document.querySelector("#main");
  if (to.matches("tr")) to.tabIndex = -1;
  to.focus();
}

// Moves cells and buttons of the page that is shown to their places on the next one.
function keep(shown, next) {
  const all = (page) => page.querySelectorAll("input[name]:not([type=hidden]), button[name]");
  const key = (own) => (own.type === "submit" ? `${own.name} ${own.value}` : own.name);
  const known = new Map([...all(shown)].map((own) => [key(own), own]));
  for (const own of all(next)) {
    const old = known.get(key(own));
    if (!old) continue;
    known.delete(key(own));
    const isUnsent = old.type !== "submit" && old.value !== old.defaultValue && sending.get(old.name) !== old.value;
    for (const { name, value } of own.attributes) old.setAttribute(name, value);
    if (old.type === "submit") old.replaceChildren(...own.childNodes);
    else if (!isUnsent) old.value = own.value;
    own.replaceWith(old);
  }
}

document.addEventListener("focusout", ({ target }) => {
  const isTyped = !isPutting && target.matches(".cell") && target.value !== target.defaultValue;
  if (isTyped && sending.get(target.name) !== target.value) answer(target.name, target.value);
});
document.addEventListener("keydown", (event) => {
  const { target } = event;
  if (event.key !== "Enter" || !target.matches("input[form=a]")) return;
  event.preventDefault();
  if (!target.matches(".cell")) {
    target.parentElement.querySelector("button").click();
    return;
  }
  // Leaving a cell sends it.
  const cells = [...document.querySelectorAll(".cell")];
  const next = cells[cells.indexOf(target) + 1];
  if (!next) return target.blur();
  next.focus();
  next.select();
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy], [data-copy-from]");
  if (button) {
    const text = button.dataset.copy ?? document.getElementById(button.dataset.copyFrom).textContent;
    const before = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select and copy it by hand";
    }
    setTimeout(() => (button.textContent = before), 1500);
  }
  if (event.target.closest("[data-back]")) {
    event.preventDefault();
    history.back();
  }
  if (event.target.closest("[data-print]")) window.print();
  // The base of the page would lead a plain link of this kind to Home.
  const skip = event.target.closest("[data-skip]");
  if (skip) {
    event.preventDefault();
    const main = document.querySelector("#main");
    ((skip.dataset.skip && document.querySelector(skip.dataset.skip)) || main).focus();
  }
});
