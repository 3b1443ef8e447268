// The exposure of a cell where it follows the map. After curve.glsl.

uniform usampler2D values;
// The frames that the longest has beyond the first.
uniform float growth;

// In frames, as the processor rounds it.
float exposureOf(ivec2 cell) {
  float g = curve(uintBitsToFloat(texelFetch(values, cell, 0).r));
  return 1.0 + floor(floor(g * 65535.0 + 0.5) * (growth * 64.0 / 65535.0) + 0.5) / 64.0;
}
