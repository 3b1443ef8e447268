// The delay of each cell: the frame, times 4096, and the weight of the next older one. After curve.glsl.
//
// MIXED: the channels of a texel have delays of their own.

uniform usampler2D values;
// The delay for g = 1, and what component-spread adds for the channels of even and of odd texels.
uniform float deepest;
uniform vec4 extra;
uniform vec4 oddExtra;
uniform int cellShift;
uniform bool isLinear;
// Steps that weights are rounded to.
uniform float steps;

#ifdef AGES
// For each frame: its age as a part of the longest delay, in two floats, and the time to the next.
uniform usampler2D ages;
uniform int ageCount;
uniform float slack;

float since(float age, int level, out float span) {
  vec3 entry = uintBitsToFloat(texelFetch(ages, ivec2(level & 1023, level >> 10), 0).rgb);
  span = entry.b;
  return apart(age - entry.r) - entry.g;
}

float framesOf(float age) {
  float span;
  if (since(age, ageCount - 1, span) > slack) return float(ageCount);
  int first = 0;
  int last = ageCount - 1;
  while (first < last) {
    int middle = (first + last + 1) >> 1;
    if (since(age, middle, span) >= 0.0) first = middle; else last = middle - 1;
  }
  float rest = since(age, first, span);
  return first + 1 == ageCount ? float(first) : float(first) + rest / span;
}
#else
float framesOf(float delay) {
  return delay;
}
#endif

uint delayOf(float g, float share) {
  float d = framesOf(clamp(apart(g * deepest) + share, 0.0, deepest));
  if (!isLinear) return uint(d + 0.5) << 12u;
  float whole = floor(d);
  return (uint(whole) << 12u) + uint(apart((d - whole) * steps) + 0.5) * uint(4096.0 / steps);
}

#ifdef MIXED
out uvec4 delay;
#else
out uint delay;
#endif

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
#ifdef MIXED
  float g = curve(uintBitsToFloat(texelFetch(values, ivec2(at.x >> cellShift, at.y), 0).r));
  vec4 share = (at.x & cellShift) == 0 ? extra : oddExtra;
  delay = uvec4(delayOf(g, share.r), delayOf(g, share.g), delayOf(g, share.b), delayOf(g, share.a));
#else
  delay = delayOf(curve(uintBitsToFloat(texelFetch(values, at, 0).r)), extra.r);
#endif
}
