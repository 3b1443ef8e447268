// Texels between two frames of history along the motion from one to the other, in whole numbers, as the
// processor has them to the last bit. After samples.glsl, between.glsl and history.glsl.

// Half the motion at the nodes of all fields, in 1/16 pixel, and its trust; fields lie side by side.
uniform isampler2D nodes;
uniform ivec2 fieldSize;
uniform int fieldsAcross;
// For each level the number of its field, or all ones.
uniform usampler2D fields;
// The side of a pixel of the first level of luma, as a power of two.
uniform int blockShift;
// Low bits that samples have beyond eight.
uniform int rangeShift;

// The motion at a sample, in 1/256 of samples.
ivec2 motionAt(ivec2 place, int field, int channel, out int trust) {
  ivec2 shift = lanes[channel].xy;
  int bits = blockShift + 3;
  int full = 1 << bits;
  // In halves of a pixel, from the first node.
  ivec2 to = ((2 * place + 1) << shift) - full / 2;
  ivec2 weight = to & (full - 1);
  ivec2 first = clamp(to >> bits, ivec2(0), fieldSize - 1);
  ivec2 next = clamp((to >> bits) + 1, ivec2(0), fieldSize - 1);
  ivec2 start = ivec2(field % fieldsAcross, field / fieldsAcross) * fieldSize;
  ivec3 upper = texelFetch(nodes, start + first, 0).rgb * (full - weight.x)
    + texelFetch(nodes, start + ivec2(next.x, first.y), 0).rgb * weight.x;
  ivec3 lower = texelFetch(nodes, start + ivec2(first.x, next.y), 0).rgb * (full - weight.x)
    + texelFetch(nodes, start + next, 0).rgb * weight.x;
  ivec3 sum = upper * (full - weight.y) + lower * weight.y;
  trust = sum.z >> (2 * bits);
  return ((sum.xy + (1 << (2 * bits - 5))) >> (2 * bits - 4)) * (2 << blockShift) >> shift;
}

// A part of a motion, in 1/4096: rounded to the nearest; the product may have more than 32 bits.
ivec2 partOf(ivec2 motion, int weight) {
  return ((motion >> 8) * weight + (((motion & 255) * weight + 2048) >> 8)) >> 4;
}

// A texel between the frame of a level and the next older one; its other channels may be of other components.
vec4 along(int level, int weight, ivec2 at, int channel) {
  ivec4 newer = ivec4(samplesOf(texelAgo(level, at)));
  ivec4 older = ivec4(samplesOf(texelAgo(level + 1, at)));
  ivec4 sum = newer * (4096 - weight) + older * weight;
  int field = int(texelFetch(fields, ivec2(level & 1023, level >> 10), 0).r);
  if (field >= 0) {
    int step = lanes[channel].z;
    int parity = at.x & ((1 << step) - 1);
    ivec2 place = ivec2(at.x >> step, at.y);
    int trust;
    ivec2 motion = motionAt(place, field, channel, trust);
    if (trust > 0 && motion != ivec2(0)) {
      ivec2 from = place * 256 - partOf(motion, weight);
      ivec4 moved = ivec4((samplesBetween(level, from, channel, parity) + 32768u) >> 16u);
      ivec4 met = ivec4((samplesBetween(level + 1, from + motion, channel, parity) + 32768u) >> 16u);
      ivec4 worse = (abs(moved - met) - abs(newer - older)) >> rangeShift;
      ivec4 share = trust * clamp(36 - worse, 0, 32);
      ivec4 rest = moved * (4096 - weight) + met * weight - sum;
      // sum + share / 8192 * rest, whose product has more than 32 bits.
      sum += (rest >> 13) * share + (((rest & 8191) * share) >> 13);
    }
  }
  return texelOf(uvec4((sum + (2048 << unusedBits)) >> (12u + unusedBits) << unusedBits));
}
