// MIDI: what the controls of devices do, and how that is changed.

function applyMIDI(midi) {
  find("midi-card").hidden = midi === null;
  if (midi === null) return;
  const { assignments, learning } = midi;
  find("midi-learning").textContent = learning ? `Move a control to assign it to ${learning}.` : "";
  press(find("midi-learn"), learning !== null);
  find("midi-learn").textContent = learning ? "Cancel" : "Assign";
  find("midi-learn").onclick = () => send(learning ? "midi-learn" : `midi-learn ${find("midi-property").value}`);
  find("midi-list").replaceChildren(...assignments.map(({ device, control, action, property }) => {
    const own = `${quoted(control)} ${quoted(device)}`;
    return make("div", { className: "line" },
      make("p", {}, make("span", { textContent: action }), make("small", { textContent: `${device}, ${control}` })),
      ...property === null ? [] : [makeButton(
        "Change", () => send(`midi-learn ${property} ${own}`), { "aria-label": `Another control for ${action}` })],
      makeButton("Remove", () => send(`midi-remove ${own}`), { "aria-label": `Remove ${action} from ${control}` }));
  }));
}

function buildMIDI() {
  find("midi-property").replaceChildren(...[...knobs.values()].map(
    ({ name, nick }) => make("option", { textContent: nick, value: name })));
}
