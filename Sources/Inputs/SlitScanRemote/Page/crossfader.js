// The crossfader: two decks with a look each, and the fader between them.

const crossfader = { decks: {}, place: 0, isHeld: false, input: find("crossfade") };

crossfader.show = () => {
  const { input, place, decks, isHeld } = crossfader;
  input.disabled = !("a" in decks && "b" in decks);
  if (!isHeld) input.value = place;
  fillTrack(input);
  input.setAttribute("aria-valuetext", `${Math.round(place * 100)} % of the way from A to B`);
};
slide(crossfader, crossfader.input, () => {
  leave("crossfade", `crossfade ${crossfader.input.value}`);
  fillTrack(crossfader.input);
});

// The looks that a deck can get: what is seen, or a preset.
function buildDecks(presets) {
  for (const deck of ["a", "b"]) {
    const select = find(`deck-${deck}`);
    const choose = (textContent, value) => make("option", { textContent, value });
    const now = choose("", "now");
    now.hidden = true;
    select.replaceChildren(
      now, choose("What is seen now", "seen"), ...presets.map((name) => choose(name, `preset ${name}`)));
    select.onchange = () => {
      const [, name] = select.value.split(/^preset /);
      send(name === undefined ? `deck ${deck}` : `deck ${deck} ${quoted(name)}`);
      // The name changes once the deck has.
      select.value = "now";
    };
  }
  showDecks();
}

function showDecks() {
  for (const deck of ["a", "b"]) {
    const now = find(`deck-${deck}`).firstElementChild;
    if (now) now.textContent = `${deck.toUpperCase()} ${crossfader.decks[deck] ?? "choose"}`;
  }
  crossfader.show();
}

function applyDecks(news) {
  if ("crossfade" in news) crossfader.place = news.crossfade;
  if ("decks" in news) {
    Object.assign(crossfader.decks, news.decks);
    showDecks();
  }
  if ("crossfade" in news) crossfader.show();
}
