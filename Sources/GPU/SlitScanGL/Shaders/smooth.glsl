// One pass of an extended box over values, across or down.

uniform usampler2D values;
uniform ivec2 way;
uniform int radius;
uniform float endWeight;

float valueAt(ivec2 at) {
  return uintBitsToFloat(texelFetch(values, clamp(at, ivec2(0), textureSize(values, 0) - 1), 0).r);
}

out uint value;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  float sum = 0.0;
  for (int step = -radius; step <= radius; step++) sum += valueAt(at + step * way);
  sum += endWeight * (valueAt(at - (radius + 1) * way) + valueAt(at + (radius + 1) * way));
  value = floatBitsToUint(sum / (2.0 * endWeight + 2.0 * float(radius) + 1.0));
}
