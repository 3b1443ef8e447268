// Texels as the whole numbers that their samples are, and blends of those.
//
// WORDS: 0, a byte is a channel; 1, a word is one; 2 and 3, a word is two channels of a byte, the low one
// first or last.

uniform uint unusedBits;

#if WORDS == 1
const float white = 65535.0;
#else
const float white = 255.0;
#endif

uvec4 samplesOf(vec4 texel) {
  uvec4 channels = uvec4(texel * white + 0.5);
#if WORDS == 2
  return uvec4(channels.r | channels.g << 8u, 0u, 0u, 0u);
#elif WORDS == 3
  return uvec4(channels.g | channels.r << 8u, 0u, 0u, 0u);
#else
  return channels;
#endif
}

vec4 texelOf(uvec4 samples) {
#if WORDS == 2
  return vec4(samples.r & 255u, samples.r >> 8u, 0.0, 0.0) / white;
#elif WORDS == 3
  return vec4(samples.r >> 8u, samples.r & 255u, 0.0, 0.0) / white;
#else
  return vec4(samples) / white;
#endif
}

// from + weight / 65536 * (to - from), rounded to the nearest or else towards from. The product has 33 bits,
// so it is made of two.
uvec4 towards(uvec4 from, uvec4 to, uint weight, bool isRounded) {
  uvec4 whole = max(from, to) - min(from, to);
  uvec4 low = whole * (weight & 255u) + (isRounded ? 32768u << unusedBits : 0u);
  uvec4 part = (whole * (weight >> 8u) + (low >> 8u)) >> (8u + unusedBits) << unusedBits;
  return from + part * uvec4(greaterThan(to, from)) - part * uvec4(greaterThan(from, to));
}
