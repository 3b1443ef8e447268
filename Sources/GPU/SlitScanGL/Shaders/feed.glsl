// One frame moved towards another whose samples are taken at their places. After samples.glsl and between.glsl.

uniform sampler2D source;
uniform sampler2D other;
// In 1/65536.
uniform uint weight;
// The numbers that columns and rows of samples add to both coordinates of a place: four rows for each component.
uniform usampler2D places;
// For each channel, the first of those rows, and 0 for channels of padding.
uniform ivec4 tables;
uniform uvec4 counts;
// Channels that have places of their own.
uniform int channels;

vec4 texelAgo(int level, ivec2 at) { return texelFetch(other, at, 0); }

int numberAt(int row, int column) { return int(texelFetch(places, ivec2(column, row), 0).r); }

// A texel's samples moved towards those at the place of a channel.
uvec4 fed(uvec4 from, ivec2 at, int channel) {
  int step = lanes[channel].z;
  int parity = at.x & ((1 << step) - 1);
  ivec2 spot = ivec2(at.x >> step, at.y);
  ivec2 last = ends[channel].xy;
  if (spot.x > last.x) return from;
  int table = tables[channel];
  ivec2 place = ivec2(
    numberAt(table, spot.x) + numberAt(table + 2, spot.y),
    numberAt(table + 1, spot.x) + numberAt(table + 3, spot.y));
  if (any(lessThan(place, ivec2(-128))) || any(greaterThanEqual(place, 256 * last + 128))) return from;
  uvec4 sum = samplesBetween(0, place, channel, parity) + (32768u << unusedBits);
  return towards(from, sum >> (16u + unusedBits) << unusedBits, weight, false);
}

out vec4 texel;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  uvec4 from = samplesOf(texelFetch(source, at, 0));
  uvec4 to = fed(from, at, 0);
  for (int channel = 1; channel < channels; channel++) to[channel] = fed(from, at, channel)[channel];
  texel = texelOf(to * counts + from * (1u - counts));
}
