// A plane of the output from the sheets of the canvas, one for each component.

uniform sampler2D source;
uniform sampler2D other;
uniform sampler2D third;
uniform sampler2D fourth;
uniform bool growsRight;
// Lines of the canvas, those that can be kept, the newest that are, and where the very newest is shown and kept.
uniform int lineCount;
uniform int keptCount;
uniform int heldCount;
uniform int newest;
uniform int newestPlace;
// For each channel of a texel: its sheet in even texels and in odd ones, texels from sample to sample,
// pixels from sample to sample across and down, as powers of two, and its channel on the sheet.
uniform ivec4 sheet;
uniform ivec4 oddSheet;
uniform ivec4 texelShift;
uniform ivec4 acrossShift;
uniform ivec4 downShift;
uniform ivec4 channel;
// The age of what is shown for lines that are not kept; negative for the colour.
uniform int substitute;
uniform vec4 colour;

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
  int number = (at.x & 1) == 0 ? sheet[index] : oddSheet[index];
  vec4 texel = number == 0 ? texelFetch(source, place, 0)
    : number == 1 ? texelFetch(other, place, 0)
    : number == 2 ? texelFetch(third, place, 0)
    : texelFetch(fourth, place, 0);
  return texel[channel[index]];
}

out vec4 texel;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  texel = vec4(sampleAt(at, 0), sampleAt(at, 1), sampleAt(at, 2), sampleAt(at, 3));
}
