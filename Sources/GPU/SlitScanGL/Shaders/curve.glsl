// The curve of a map, from f to g, as the processor computes it to the last bit.

uniform bool inverts;
uniform float gain;
uniform float offset;
uniform int edge;
// Always 0, which the compiler does not know.
uniform uint zero;

// A product that is rounded before anything is added to it.
float apart(float product) {
  return uintBitsToFloat(floatBitsToUint(product) ^ zero);
}

float curve(float value) {
  float f = clamp(value, 0.0, 1.0);
  float g = apart((inverts ? 1.0 - f : f) * gain) + offset;
  if (edge == 0) return clamp(g, 0.0, 1.0);
  if (g >= 0.0 && g <= 1.0) return g;
  if (edge == 1) return g - floor(g);
  float folded = g - 2.0 * floor(g / 2.0);
  return folded > 1.0 ? 2.0 - folded : folded;
}
