// The desk's own script. Pages work without it, but for dropping files and for following what is under way.

const lost = document.querySelector("#lost");

// What is under way is fetched again once a second, by the window that is looked at: no window keeps a connection.
for (const place of document.querySelectorAll("[data-poll]")) {
  const follow = async () => {
    if (!document.hidden) {
      try {
        const answer = await fetch(place.dataset.poll, { cache: "no-store" });
        if (answer.status === 403) {
          tell("The desk was started again. Go on in the window that it opened.");
          return;
        }
        show(place, await answer.text());
        lost.hidden = true;
      } catch {
        tell("The desk does not answer. It goes on here by itself once it is back.");
      }
    }
    setTimeout(follow, 1000);
  };
  follow();
}

function show(place, text) {
  const next = new DOMParser().parseFromString(text, "text/html").body;
  const goes = next.querySelector("[data-go]");
  if (goes) {
    location.replace(new URL(goes.dataset.go, document.baseURI));
    return;
  }
  // Only what has changed is replaced: a screen reader hears no more than that.
  if (place.innerHTML !== next.innerHTML) place.replaceChildren(...next.childNodes);
}

function tell(text) {
  if (lost.hidden || lost.textContent !== text) lost.textContent = text;
  lost.hidden = false;
}

// A form is sent once. Back brings its button back.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || form.target === "_blank") return;
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
  // The base of the page would lead a plain link of this kind to Home.
  if (event.target.closest("[data-skip]")) {
    event.preventDefault();
    document.querySelector("#main").focus();
  }
});
