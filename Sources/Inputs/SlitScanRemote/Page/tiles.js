// Tiles: the buttons of presets, sources and images that are maps, with pictures of them.

// The newest picture of each, by kind and name.
const pictures = new Map();

function makeTile(kind, name, words, choose, properties) {
  const tile = makeButton("", choose, { ...properties, className: "tile", "data-picture": `${kind} ${name}` });
  tile.append(make("img", { alt: "", hidden: true }), make("span", { textContent: words }));
  dress(tile);
  return tile;
}

function dress(tile) {
  const picture = pictures.get(tile.dataset.picture);
  if (picture) Object.assign(tile.firstElementChild, { src: picture, hidden: false });
}

function applyThumbnail({ kind, name, jpeg }) {
  pictures.set(`${kind} ${name}`, `data:image/jpeg;base64,${jpeg}`);
  for (const tile of document.querySelectorAll(`[data-picture="${CSS.escape(`${kind} ${name}`)}"]`)) dress(tile);
}

// ---- presets -------------------------------------------------------------------------------------

function buildPresets(names) {
  const save = makeButton("Save as …", () => {
    const name = prompt("Name of the preset:");
    if (name !== null) send(name.trim() ? `save ${quoted(name)}` : "save");
  });
  find("presets").replaceChildren(
    ...names.map((name) => makeTile(
      "preset", name, name, () => send(`preset ${quoted(name)}`), { "data-preset": name })), save);
  buildDecks(names);
  showPreset();
}

function showPreset() {
  find("preset-name").textContent = state.preset ?? "";
  for (const button of find("presets").children) press(button, button.dataset.preset === state.preset);
  const [strip, tile] = [find("presets"), find("presets").querySelector("[aria-pressed=true]")];
  if (!tile) return;
  const left = tile.offsetLeft - strip.offsetLeft;
  if (left < strip.scrollLeft || left + tile.offsetWidth > strip.scrollLeft + strip.clientWidth) {
    strip.scrollTo({ left: left - (strip.clientWidth - tile.offsetWidth) / 2 });
  }
}

// ---- sources -------------------------------------------------------------------------------------

function buildSources(names) {
  find("sources").replaceChildren(...names.map((name, index) => makeTile(
    "source", index + 1, `${index + 1} ${name}`, () => send(`source ${index + 1}`), { "data-number": index + 1 })));
  find("sources-card").hidden = !names.length;
  chips("map-source", "Map live", names.map((_, index) => index + 1), (number) => send(`map-source ${number}`));
  showSources();
}

function showSources() {
  showChips("sources", state.source);
  showChips("map-source", state.mapSource);
}

// ---- images that are maps ------------------------------------------------------------------------

find("previous-map").onclick = () => send("previous-map");
find("next-map").onclick = () => send("next-map");

function applyMapImages(news) {
  if ("map-images" in news) {
    find("maps-card").hidden = !news["map-images"].length;
    find("maps").replaceChildren(...news["map-images"].map((name) => makeTile(
      "map-image", name, name.replace(/\.[^.]*$/, ""), () => send(`map-image ${quoted(name)}`), { "data-image": name })));
  }
  drawing.image = news["map-image"] ?? drawing.image;
  for (const button of find("maps").children) {
    press(button, button.dataset.image === drawing.image && knobs.get("map")?.value === "image");
  }
}
