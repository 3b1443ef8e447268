// A plane of the output from the sheets of the canvas. After sheets.glsl.

// Lines of the canvas, and the one that shows the very newest.
uniform int lineCount;
uniform int newest;

float sampleAt(ivec2 at, int index) {
  ivec2 place = ivec2(at.x >> texelShift[index], at.y);
  int along = growsRight ? acrossShift[index] : downShift[index];
  int line = ((growsRight ? place.x : place.y) << along) + ((1 << along) >> 1);
  int age = (newest - min(line, lineCount - 1) + lineCount) % lineCount;
  if (age >= heldCount) {
    if (substitute < 0) return colour[index];
    age = substitute;
  }
  line = (newestPlace - age + keptCount) % keptCount;
  place = growsRight ? ivec2(line, place.y) : ivec2(place.x, line);
  return texelOfSheet(sheetAt(at, index), place)[channel[index]];
}

out vec4 texel;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  texel = vec4(sampleAt(at, 0), sampleAt(at, 1), sampleAt(at, 2), sampleAt(at, 3));
}
