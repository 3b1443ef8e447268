// Samples between the texels of a frame, in whole numbers. After samples.glsl, and before the file that says which
// frames there are.

// For each channel: how its component is subsampled across and down, and whether every other texel has it.
uniform ivec4 lanes[4];
// The last column and row of its samples.
uniform ivec4 ends[4];
// A loop whose end the compiler knows is written out, which takes long where each texel is one of eight textures.
#if BLOCKS > 1
uniform int corners;
#else
const int corners = 4;
#endif

// The texel of a frame of some level.
vec4 texelAgo(int level, ivec2 at);

// A frame's samples, times 65536, at a place in 1/256 of samples; `parity` is the texel of a cell that has them.
uvec4 samplesBetween(int level, ivec2 place, int channel, int parity) {
  ivec2 last = ends[channel].xy;
  int step = lanes[channel].z;
  ivec2 weight = place & 255;
  uvec4 sum = uvec4(0u);
  for (int corner = 0; corner < corners; corner++) {
    ivec2 way = ivec2(corner & 1, corner >> 1);
    ivec2 at = clamp((place >> 8) + way, ivec2(0), last);
    ivec2 share = way * weight + (1 - way) * (256 - weight);
    sum += samplesOf(texelAgo(level, ivec2(at.x << step | parity, at.y))) * uint(share.x * share.y);
  }
  return sum;
}
