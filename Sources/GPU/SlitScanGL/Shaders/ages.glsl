// Ages of 16 bits, two pixels in each texel: for each the low byte, and the high one.
//
// STAMPS: from the step at which each pixel was taken. Else from its delay, and the age of each level. BY_MAP: the mean
// of as many levels as the map says. After exposure.glsl.

#ifdef STAMPS
uniform sampler2D source;
uniform uint now;
#else
uniform usampler2D delays;
uniform usampler2D ages;
uniform uint oldest;
#endif

#ifdef STAMPS
uint age(int x, int y) {
  int last = textureSize(source, 0).x - 1;
  uvec4 bytes = uvec4(texelFetch(source, ivec2(min(x, last), y), 0) * 255.0 + 0.5);
  return min(now - (bytes.r | bytes.g << 8u | bytes.b << 16u | bytes.a << 24u), 65535u);
}
#else
uint ageOf(uint level) {
  int place = int(min(level, oldest));
  return texelFetch(ages, ivec2(place & 1023, place >> 10), 0).r;
}

uint between(uint delay) {
  uint level = delay >> 12u;
  uint weight = delay & 4095u;
  return (ageOf(level) * (4096u - weight) + ageOf(level + 1u) * weight + 2048u) >> 12u;
}

uint age(int x, int y) {
  int last = textureSize(delays, 0).x - 1;
  ivec2 cell = ivec2(min(x, last), y);
  uint delay = texelFetch(delays, cell, 0).r;
#ifdef BY_MAP
  float exposure = exposureOf(cell);
  float sum = 0.0;
  int count = 0;
  for (; count < int(exposure) && (delay >> 12u) + uint(count) < oldest; count++)
    sum += float(between(delay + (uint(count) << 12u)));
  sum += float(between(delay + (uint(count) << 12u))) * (exposure - float(count));
  return uint(sum / exposure + 0.5);
#else
  return between(delay);
#endif
}
#endif

out vec4 texel;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  uint first = age(2 * at.x, at.y);
  uint second = age(2 * at.x + 1, at.y);
  texel = vec4(uvec4(first & 255u, first >> 8u, second & 255u, second >> 8u)) / 255.0;
}
