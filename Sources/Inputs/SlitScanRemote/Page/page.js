"use strict";
// The page's side of the remote: builds the controls that the server describes, shows the state that
// the server reports, and sends the user's moves.

const find = (id) => document.getElementById(id);
const make = (tag, properties = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) element[name] = value; else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};
const makeButton = (textContent, onclick, properties = {}) =>
  make("button", { type: "button", textContent, onclick, ...properties });
const quoted = (text) => '"' + String(text).replace(/["\\]/g, "\\$&") + '"';

// ---- connection ------------------------------------------------------------------------------

let socket = null;
let attempts = 0;
// The number of the newest attempt: what an older one comes to is nothing.
let newest = 0;
let timer = 0;
let heard = 0;
let surface = null;
let surfaceText = "";

function say(state, words) {
  find("connection").dataset.state = state;
  find("connection").querySelector(".words").textContent = words;
}

async function connect() {
  clearTimeout(timer);
  if (socket) return;
  const own = ++newest;
  try {
    const session = await fetch("/session", { cache: "no-store", signal: AbortSignal.timeout(4000) });
    if (own !== newest) return;
    if (session.status === 401) return askForCode();
    if (!session.ok) throw new Error(session.statusText);
  } catch {
    if (own === newest) later();
    return;
  }
  find("pairing").hidden = true;
  const opened = new WebSocket(`ws://${location.host}/live`);
  opened.binaryType = "arraybuffer";
  socket = opened;
  heard = Date.now();
  opened.onopen = () => { attempts = 0; look(); };
  opened.onmessage = (event) => {
    if (socket !== opened) return;
    heard = Date.now();
    if (typeof event.data === "string") hear(JSON.parse(event.data)); else show(event.data);
  };
  opened.onclose = () => {
    if (socket !== opened) return;
    lose();
    later();
  };
}

function lose() {
  socket = null;
  say("lost", "Reconnecting");
  find("picture").dataset.state = "waiting";
}

function later() {
  say("lost", "Reconnecting");
  const wait = Math.min(5000, 300 * 2 ** Math.min(attempts++, 5));
  clearTimeout(timer);
  timer = setTimeout(connect, wait);
}

function drop() {
  const old = socket;
  lose();
  if (old) old.close();
  connect();
}

const isOpen = () => socket !== null && socket.readyState === WebSocket.OPEN;
const send = (message) => {
  if (!isOpen()) return false;
  socket.send(typeof message === "string" ? message : JSON.stringify(message));
  return true;
};
const look = () => send({ look: !document.hidden });

// A network that is gone says nothing: so we ask.
setInterval(() => {
  if (!socket || document.hidden) return;
  if (Date.now() - heard > 10000) drop(); else send({ here: true });
}, 3000);
addEventListener("online", drop);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && !socket) { attempts = 0; connect(); }
  heard = Date.now();
  look();
});

// ---- pairing ---------------------------------------------------------------------------------

function askForCode() {
  say("lost", "Not paired");
  // What was wrong before is not what the show says now.
  find("pairing-trouble").textContent = "";
  find("pairing").hidden = false;
  find("code").focus();
}

find("pairing-form").onsubmit = async (event) => {
  event.preventDefault();
  const trouble = find("pairing-trouble");
  trouble.textContent = "";
  try {
    const answer = await fetch("/pair", {
      method: "POST", body: find("code").value.trim(), signal: AbortSignal.timeout(4000),
    });
    if (answer.status === 429) {
      trouble.textContent = `Too many wrong codes. Wait ${answer.headers.get("Retry-After")} s.`;
    } else if (!answer.ok) {
      trouble.textContent = "That is not the code.";
    } else {
      connect();
    }
  } catch {
    trouble.textContent = "slitscan does not answer.";
    later();
  }
  find("code").value = "";
};

// ---- what the server says ----------------------------------------------------------------------

const knobs = new Map();   // By name: what the table says, how it is, and what shows it.
const state = {
  preset: null, source: null, mapSource: null, recording: null, lost: 0, black: false, quantize: 0, waiting: {},
  tempo: { bpm: 120, beat: 0, at: 0 },
};

function hear(message) {
  if (message.surface) build(message.surface);
  if (message.thumbnail) applyThumbnail(message.thumbnail);
  if (message.state) {
    for (const knob of knobs.values()) knob.drive = null;
    crossfader.decks = {};
    // What this show does not speak of is not as it was in the one before.
    Object.assign(state, { waiting: {}, source: null, mapSource: null });
    drawing.image = undefined;
    pictures.clear();
    find("notes").replaceChildren();
    apply(message.state);
    showDecks();
    showSources();
    showWaiting();
    find("desk").hidden = false;
    showPreset();
    say("live", "Live");
  }
  if (message.change) apply(message.change);
}

function apply(news) {
  for (const [name, drive] of Object.entries(news.drives ?? {})) {
    const knob = knobs.get(name);
    if (knob) { knob.drive = drive; knob.show(); }
  }
  for (const [name, value] of Object.entries(news.values ?? {})) {
    const knob = knobs.get(name);
    if (!knob) continue;
    knob.value = value;
    knob.place = news.places?.[name] ?? 0;
    knob.words = news.words?.[name] ?? "";
    knob.show();
  }
  if ("presets" in news) buildPresets(news.presets);
  if ("preset" in news) { state.preset = news.preset; showPreset(); }
  if ("recording" in news) {
    state.recording = news.recording && { ...news.recording, at: performance.now() };
    showRecording();
  }
  if ("lost" in news) { state.lost = news.lost; showRecording(); }
  if ("black" in news) {
    state.black = news.black;
    press(find("black"), news.black);
    find("black-sign").hidden = !news.black;
  }
  applyDecks(news);
  applyMapImages(news);
  if ("map-source" in news) { state.mapSource = news["map-source"]; showSources(); }
  if ("midi" in news) applyMIDI(news.midi);
  // After the source: where the strokes are the map, no source is.
  if ("drawing" in news) applyDrawing(news.drawing);
  if ("sources" in news) buildSources(news.sources);
  if ("source" in news) { state.source = news.source; showSources(); }
  if ("quantize" in news) { state.quantize = news.quantize; showChips("quantize", news.quantize); }
  if ("glide" in news) showChips("glide", news.glide);
  for (const [kind, change] of Object.entries(news.waiting ?? {})) {
    state.waiting[kind] = change && { ...change, at: performance.now() };
    showWaiting();
  }
  if ("tempo" in news) {
    state.tempo = { ...news.tempo, at: performance.now() };
    find("bpm").textContent = String(Math.round(news.tempo.bpm * 10) / 10);
  }
  for (const note of news.notes ?? []) tell(note);
}

function tell(note) {
  const line = make("p", { textContent: note.text });
  line.dataset.kind = note.kind;
  const notes = find("notes");
  notes.append(line);
  while (notes.children.length > 3) notes.firstChild.remove();
  if (note.kind === "trouble") line.onclick = () => line.remove(); else setTimeout(() => line.remove(), 3000);
}

// ---- frames ------------------------------------------------------------------------------------

const preview = find("preview");
const context = preview.getContext("2d", { alpha: false });

async function show(bytes) {
  const from = socket;
  try {
    const frame = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
    if (socket !== from) return frame.close();
    if (preview.width !== frame.width || preview.height !== frame.height) {
      preview.width = frame.width;
      preview.height = frame.height;
    }
    context.drawImage(frame, 0, 0);
    frame.close();
    find("picture").dataset.state = "shown";
    preview.dataset.count = String(Number(preview.dataset.count ?? 0) + 1);
  } catch { /* The next one may do. */ }
  if (socket === from) send({ seen: true });
}

// ---- the desk ------------------------------------------------------------------------------------

function build(description) {
  // They may have changed since they were described.
  buildPresets(description.presets);
  buildSources(description.sources);
  const text = JSON.stringify(description);
  if (text === surfaceText) return;
  surfaceText = text;
  surface = description;
  knobs.clear();
  for (const id of ["scan", "play", "groups"]) find(id).replaceChildren();
  for (const description of surface.knobs) {
    knobs.set(description.name, { ...description, value: description.standard, place: 0, words: "", drive: null, isHeld: false });
  }
  const [first, second, ...rest] = surface.groups;
  fill(find("scan"), first);
  find("play").append(make("div", { className: "title" }, make("h2", { textContent: second })));
  fill(find("play"), second);
  for (const group of rest) {
    const inside = make("div", { className: "inside" });
    fill(inside, group);
    if (!inside.children.length) continue;
    find("groups").append(
      make("details", { className: "card" }, make("summary", { textContent: group }), inside));
  }
  chips("glide", "Glide", [0, 1, 2, 4, 8], (beats) => send(`glide ${beats}`));
  chips("quantize", "Quantize", [0, 1, 2, 4, 8], (beats) => send(`quantize ${beats}`));
  buildMIDI();
  const freeze = knobs.get("freeze");
  if (freeze) freeze.show = () => press(find("freeze"), freeze.value === true);
}

function fill(parent, group) {
  const order = { choice: 0, number: 1, whole: 1, color: 2, switch: 3 };
  const members = [...knobs.values()].filter((knob) => knob.group === group && knob.name !== "freeze");
  members.sort((a, b) => order[a.kind] - order[b.kind]);
  const rank = (name) => ["mode", "map", "mix", "depth", "gain", "offset"].indexOf(name) + 1 || 99;
  members.sort((a, b) => rank(a.name) - rank(b.name));
  for (const knob of members) parent.append({ choice, switch: toggle, color }[knob.kind]?.(knob) ?? fader(knob));
}

const press = (button, isOn) => button.setAttribute("aria-pressed", String(isOn));

function chips(id, name, numbers, choose) {
  find(id).replaceChildren(
    make("span", { className: "name", textContent: name }),
    ...numbers.map((number) => makeButton(number || "off", () => choose(number), { "data-number": number })));
}

function showChips(id, number) {
  for (const button of find(id).querySelectorAll("button")) press(button, Number(button.dataset.number) === number);
}

function choice(knob) {
  const many = knob.choices.length > 4;
  knob.buttons = knob.choices.map(
    (nick) => makeButton(nick, () => send(`set ${knob.name} ${quoted(nick)}`), { role: "radio" }));
  knob.show = () => {
    knob.buttons.forEach((button, index) => button.setAttribute("aria-checked", String(knob.choices[index] === knob.value)));
  };
  const group = make("div", {
    className: many ? "segments many" : "segments", role: "radiogroup", title: knob.summary, "aria-label": knob.nick,
  }, ...knob.buttons);
  const parts = knob.group === surface.groups[0] ? [group] : [make("span", { className: "name", textContent: knob.nick }), group];
  return make("div", { className: "choice" }, ...parts);
}

function toggle(knob) {
  const button = makeButton("", () => send(`toggle ${knob.name}`), { role: "switch", "aria-label": knob.nick });
  knob.show = () => {
    button.setAttribute("aria-checked", String(knob.value === true));
    button.textContent = knob.value === true ? "On" : "Off";
  };
  return make("div", { className: "switch", title: knob.summary }, make("span", { textContent: knob.nick }), button);
}

function color(knob) {
  const input = make("input", { type: "color", id: `knob-${knob.name}` });
  input.oninput = () => send(`set ${knob.name} ${0xff000000 + parseInt(input.value.slice(1), 16)}`);
  knob.show = () => { input.value = "#" + (knob.value & 0xffffff).toString(16).padStart(6, "0"); };
  return make("div", { className: "switch", title: knob.summary },
    make("label", { htmlFor: input.id, textContent: knob.nick }), input);
}

function fader(knob) {
  const input = make("input", { type: "range", min: 0, max: 1, step: 0.001, id: `knob-${knob.name}` });
  const output = make("output", { htmlFor: input.id });
  const drive = makeButton("moving ✕", () => send(`release ${knob.name}`), {
    className: "drive", hidden: true, "aria-label": `Stop ${knob.nick} from moving by itself`,
  });
  const back = makeButton("↺", () => send(`reset ${knob.name}`), { className: "back", "aria-label": `Reset ${knob.nick}` });
  const row = make("div", { className: "fader", title: knob.summary },
    make("div", { className: "line" }, make("label", { htmlFor: input.id, textContent: knob.nick }), back, drive, output),
    input);
  knob.show = () => {
    // A finger knows better than what comes back of it.
    if (!knob.isHeld) input.value = knob.place;
    paint();
    drive.hidden = knob.drive === null;
    row.classList.toggle("driven", knob.drive !== null);
    back.style.visibility = knob.value === knob.standard ? "hidden" : "visible";
  };
  const paint = () => {
    fillTrack(input);
    output.textContent = knob.words;
    input.setAttribute("aria-valuetext", output.textContent);
  };
  slide(knob, input, () => {
    leave(knob.name, `fade ${knob.name} ${input.value}`);
    paint();
  });
  return row;
}

// Fills a slider's track up to the middle of its thumb.
function fillTrack(input) {
  input.style.setProperty("--place", `calc(${input.value * 100}% + ${(0.5 - input.value) * 32}px)`);
}

// Lets a user move a slider. While a finger is on it, changes by other inputs do not move the thumb.
function slide(knob, input, move) {
  let letGo = 0;
  const release = () => {
    clearTimeout(letGo);
    // Until the last of what was sent has come back.
    letGo = setTimeout(() => { knob.isHeld = false; knob.show(); }, 300);
  };
  let isTouched = false;
  input.addEventListener("pointerdown", () => {
    clearTimeout(letGo);
    isTouched = knob.isHeld = true;
  });
  for (const end of ["pointerup", "pointercancel", "blur"]) {
    input.addEventListener(end, () => { isTouched = false; release(); });
  }
  input.addEventListener("input", () => {
    knob.isHeld = true;
    // By a key.
    if (!isTouched) release();
    move();
  });
}

// What faders say, sent once a frame, and only as fast as it leaves; of each fader, the last.
const moved = new Map();
let isFlushing = false;

function leave(name, message) {
  moved.set(name, message);
  if (!isFlushing) { isFlushing = true; requestAnimationFrame(flush); }
}

function flush() {
  if (isOpen() && socket.bufferedAmount > 2048) return void requestAnimationFrame(flush);
  isFlushing = false;
  for (const message of moved.values()) send(message);
  moved.clear();
}

// ---- transport -----------------------------------------------------------------------------------

function showRecording() {
  press(find("record"), state.recording !== null);
  const isLosing = state.recording !== null && state.lost > 0;
  find("record").classList.toggle("losing", isLosing);
  let words = "Record";
  if (state.recording) {
    const seconds = Math.floor(state.recording.seconds + (performance.now() - state.recording.at) / 1000);
    words = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (isLosing) words += ` ${state.lost} lost`;
  }
  find("record").querySelector(".words").textContent = words;
}
setInterval(() => { if (state.recording) showRecording(); }, 250);

find("record").onclick = () => send(`record ${state.recording ? "off" : "on"}`);
find("still").onclick = () => send("snapshot");
find("freeze").onclick = () => send("toggle freeze");
find("black").onclick = () => send(`blackout ${state.black ? "off" : "on"}`);
find("undo").onclick = () => send("undo");
find("redo").onclick = () => send("redo");
find("slower").onclick = () => send(`tempo ${Math.round(state.tempo.bpm) - 1}`);
find("faster").onclick = () => send(`tempo ${Math.round(state.tempo.bpm) + 1}`);
// At the touch, not when the finger leaves: it is a beat.
find("tap").addEventListener("pointerdown", () => send("tap"));
find("tap").addEventListener("keydown", (event) => {
  if (!event.repeat && (event.key === " " || event.key === "Enter")) send("tap");
});

let sure = 0;
find("reset").onclick = () => {
  const button = find("reset");
  clearTimeout(sure);
  if (button.dataset.sure) send("reset");
  button.dataset.sure = button.dataset.sure ? "" : "yes";
  button.textContent = button.dataset.sure ? "Touch again to reset everything" : "Reset everything";
  sure = setTimeout(() => { button.dataset.sure = ""; button.textContent = "Reset everything"; }, 3000);
};

// The changes that wait: in how many beats they come, and which buttons are meant.
function showWaiting() {
  const lines = Object.entries(state.waiting).filter(([, change]) => change).map(([kind, change]) => {
    const seconds = Math.max(0, change.seconds - (performance.now() - change.at) / 1000);
    const beats = Math.ceil(seconds * state.tempo.bpm / 60 - 0.01);
    return `${kind} ${change.value} in ${beats} ${beats === 1 ? "beat" : "beats"}`;
  });
  const text = lines.join(", ");
  if (find("waiting").textContent !== text) find("waiting").textContent = text;
  const mark = (button, isMeant) => {
    if (isMeant) button.dataset.waiting = ""; else delete button.dataset.waiting;
  };
  for (const button of find("presets").children) {
    mark(button, state.waiting.preset?.value === button.dataset.preset && "preset" in button.dataset);
  }
  for (const button of find("sources").children) mark(button, state.waiting.source?.value === button.dataset.number);
  for (const knob of knobs.values()) {
    knob.buttons?.forEach((button, index) => mark(button, state.waiting[knob.name]?.value === knob.choices[index]));
  }
  // An image waits as the map does.
  for (const button of find("maps").children) mark(button, state.waiting.map?.value === button.dataset.image);
}

// The beat of the bar, bright at its beginning.
setInterval(() => {
  const { bpm, beat, at } = state.tempo;
  const now = beat + (performance.now() - at) * bpm / 60000;
  const index = ((Math.floor(now) % 4) + 4) % 4;
  const light = 0.35 + 0.65 * (1 - (now - Math.floor(now))) ** 2;
  [...find("beat").children].forEach((dot, place) => { dot.style.opacity = String(place === index ? light : 0.2); });
  if (Object.values(state.waiting).some(Boolean)) showWaiting();
}, 50);
