// Drawing: fingers, or the mouse, on the picture paint the map. A stroke goes off in pieces, some thirty a
// second, each from where the one before has ended.

const drawing = {
  isOn: false, isMap: false, fingers: new Map(), timer: 0, lastSeen: 0,
  brush: { value: 1, size: 0.3, softness: 0.7 }, mirror: "none",
};
const pad = find("pad");
const trail = pad.getContext("2d");
// The most points that a piece gets besides the one it begins with.
const pieceLimit = 31;
const pieceTime = 33;

// The part of the page that the frame covers.
function frameBox() {
  const box = preview.getBoundingClientRect();
  const scale = Math.min(box.width / preview.width, box.height / preview.height);
  const [width, height] = [preview.width * scale, preview.height * scale];
  return { left: box.left + (box.width - width) / 2, top: box.top + (box.height - height) / 2, width, height };
}

const within = (number) => Math.min(Math.max(number, 0), 1);
const place = (event, box) => [within((event.clientX - box.left) / box.width), within((event.clientY - box.top) / box.height)];

pad.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  event.preventDefault();
  pad.setPointerCapture(event.pointerId);
  // What is drawn is to be seen.
  if (!drawing.isMap) send("map-source draw");
  if (knobs.get("map")?.value !== "live") send("set map live");
  const { value, size, softness } = drawing.brush;
  const finger = {
    brush: `${value} ${size} ${softness} ${drawing.mirror}`, mirror: drawing.mirror, value, size,
    last: null, points: [], isLifted: false,
  };
  drawing.fingers.set(event.pointerId, finger);
  follow(finger, event);
});
pad.addEventListener("pointermove", (event) => {
  const finger = drawing.fingers.get(event.pointerId);
  if (finger && !finger.isLifted) follow(finger, event); else ring(event);
});
for (const end of ["pointerup", "pointercancel"]) {
  pad.addEventListener(end, (event) => {
    const finger = drawing.fingers.get(event.pointerId);
    if (finger) finger.isLifted = true;
  });
}
pad.addEventListener("pointerleave", () => { drawing.hover = null; });

function follow(finger, event) {
  const box = frameBox();
  const moves = event.getCoalescedEvents?.() ?? [];
  for (const move of moves.length ? moves : [event]) {
    const point = place(move, box);
    leaveTrail(finger, point, box);
    finger.points.push(point.map((number) => number.toFixed(4)).join(" "));
  }
  ring(event);
  if (!drawing.timer) { drawing.timer = setTimeout(sendPieces, 0); }
}

function sendPieces() {
  drawing.timer = 0;
  for (const [id, finger] of drawing.fingers) {
    while (finger.points.length && isOpen() && socket.bufferedAmount < 2048) {
      const points = finger.points.splice(0, pieceLimit);
      send(`draw ${finger.brush} ${[finger.last, ...points].filter((point) => point !== null).join(" ")}`);
      finger.last = points.at(-1);
    }
    // What a connection that is lost does not take is not drawn later.
    if (!isOpen()) finger.points = [];
    if (finger.isLifted && !finger.points.length) drawing.fingers.delete(id);
  }
  if (drawing.fingers.size) drawing.timer = setTimeout(sendPieces, pieceTime);
}

// ---- local echo of strokes until the picture shows them -----------------------------------------

function fitPad() {
  const box = pad.getBoundingClientRect();
  const [width, height] = [box.width, box.height].map((side) => Math.round(side * devicePixelRatio));
  if (pad.width !== width || pad.height !== height) Object.assign(pad, { width, height });
  trail.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  return box;
}

function leaveTrail(finger, point, box) {
  const own = fitPad();
  const [x, y] = point;
  const copies = { none: [[x, y]], x: [[x, y], [1 - x, y]], y: [[x, y], [x, 1 - y]],
    xy: [[x, y], [1 - x, y], [x, 1 - y], [1 - x, 1 - y]] }[finger.mirror];
  const light = Math.round(60 + 195 * finger.value);
  trail.strokeStyle = `rgb(${light} ${Math.round(light * 0.7)} ${Math.round(light * 0.4)} / .35)`;
  trail.lineWidth = Math.max(2, finger.size * Math.min(box.width, box.height));
  trail.lineCap = "round";
  copies.forEach(([x, y], index) => {
    const to = [box.left - own.left + x * box.width, box.top - own.top + y * box.height];
    trail.beginPath();
    trail.moveTo(...(finger.trail?.[index] ?? to));
    trail.lineTo(...to);
    trail.stroke();
    copies[index] = to;
  });
  finger.trail = copies;
  fadeTrail();
}

function ring(event) {
  drawing.hover = event.pointerType === "mouse" ? [event.clientX, event.clientY] : null;
  fadeTrail();
}

function fadeTrail() {
  drawing.lastSeen = performance.now();
  if (drawing.isFading) return;
  drawing.isFading = true;
  const step = () => {
    const [own, box] = [fitPad(), frameBox()];
    const age = performance.now() - drawing.lastSeen;
    trail.globalCompositeOperation = "destination-out";
    trail.fillStyle = `rgb(0 0 0 / ${age > 700 ? 1 : 0.12})`;
    trail.fillRect(0, 0, own.width, own.height);
    trail.globalCompositeOperation = "source-over";
    if (drawing.hover && drawing.isOn) {
      trail.strokeStyle = "#fff9";
      trail.lineWidth = 1.5;
      trail.beginPath();
      trail.arc(drawing.hover[0] - own.left, drawing.hover[1] - own.top,
        Math.max(1, drawing.brush.size * Math.min(box.width, box.height) / 2), 0, 2 * Math.PI);
      trail.stroke();
    }
    drawing.isFading = age <= 700;
    if (drawing.isFading) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

// ---- the brush -----------------------------------------------------------------------------------

function brushFader(name, label, words) {
  const input = make("input", { type: "range", min: 0, max: 1, step: 0.01, id: `brush-${name}` });
  const output = make("output", { htmlFor: input.id });
  const show = () => {
    fillTrack(input);
    output.textContent = words(drawing.brush[name]);
    input.setAttribute("aria-valuetext", output.textContent);
  };
  input.value = drawing.brush[name];
  input.oninput = () => { drawing.brush[name] = Number(input.value); show(); };
  show();
  return make("div", { className: "fader" },
    make("div", { className: "line" }, make("label", { htmlFor: input.id, textContent: label }), output), input);
}

const percent = (part) => `${Math.round(part * 100)} %`;
find("brush").append(
  brushFader("value", "When", (value) => value === 0 ? "now" : value === 1 ? "the oldest" : percent(value)),
  brushFader("size", "Brush", percent),
  brushFader("softness", "Soft edge", percent));
const mirrors = [
  ["none", "Off", "No mirror"], ["x", "↔", "Mirror left and right"], ["y", "↕", "Mirror up and down"],
  ["xy", "↔ ↕", "Mirror both ways"],
];
find("mirror").append(...mirrors.map(([mirror, text, label]) => makeButton(
  text, () => { drawing.mirror = mirror; showMirror(); },
  { role: "radio", "data-mirror": mirror, "aria-label": label })));
function showMirror() {
  for (const button of find("mirror").children) {
    button.setAttribute("aria-checked", String(button.dataset.mirror === drawing.mirror));
  }
}
showMirror();
chips("draw-fade", "Fade", [0, 2, 5, 10, 30], (seconds) => send(`draw-fade ${seconds}`));

find("draw").onclick = () => {
  drawing.isOn = !drawing.isOn;
  press(find("draw"), drawing.isOn);
  pad.hidden = find("draw-card").hidden = !drawing.isOn;
};
find("draw-clear").onclick = () => send("draw-clear");

function applyDrawing(news) {
  drawing.isMap = news.map;
  showChips("draw-fade", news.fade);
  if (!news.map) return;
  state.mapSource = null;
  showSources();
}
