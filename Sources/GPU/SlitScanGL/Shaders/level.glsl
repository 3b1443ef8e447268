// The first level of a frame's luma for the search for motion: the mean of each block of pixels, four of them
// in a texel. After samples.glsl.

uniform sampler2D source;
uniform sampler2D other;
uniform sampler2D third;
uniform int partCount;
// For each component: the sample of its texel, the low bits beyond eight, and its share in 1/256.
uniform ivec4 channel;
uniform uvec4 lowBits;
uniform uvec4 partShares;
// The frame's size, and the side of a block as a power of two.
uniform ivec2 size;
uniform int blockShift;

uint part(vec4 texel, int index) {
  return min(samplesOf(texel)[channel[index]] >> lowBits[index], 255u) * partShares[index];
}

uint lumaAt(ivec2 pixel) {
  ivec2 at = min(pixel, size - 1);
  uint luma = part(texelFetch(source, at, 0), 0);
  if (partCount == 3) {
    luma += part(texelFetch(other, at, 0), 1) + part(texelFetch(third, at, 0), 2);
  }
  return luma >> 8u;
}

uint meanOf(ivec2 block) {
  int side = 1 << blockShift;
  uint sum = uint(side * side) >> 1u;
  for (int y = 0; y < side; y++) {
    for (int x = 0; x < side; x++) sum += lumaAt(block * side + ivec2(x, y));
  }
  return sum >> uint(2 * blockShift);
}

out vec4 texel;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy) * ivec2(4, 1);
  texel = vec4(
    meanOf(at), meanOf(at + ivec2(1, 0)), meanOf(at + ivec2(2, 0)), meanOf(at + ivec2(3, 0))) / 255.0;
}
