// The sheets of the canvas of a strip, one for each component of a plane.

uniform sampler2D source;
uniform sampler2D other;
uniform sampler2D third;
uniform sampler2D fourth;
uniform bool growsRight;
// Lines that can be kept, the newest that are, and where the very newest is kept.
uniform int keptCount;
uniform int heldCount;
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

int sheetAt(ivec2 at, int index) {
  return (at.x & 1) == 0 ? sheet[index] : oddSheet[index];
}

vec4 texelOfSheet(int number, ivec2 place) {
  return number == 0 ? texelFetch(source, place, 0)
    : number == 1 ? texelFetch(other, place, 0)
    : number == 2 ? texelFetch(third, place, 0)
    : texelFetch(fourth, place, 0);
}
