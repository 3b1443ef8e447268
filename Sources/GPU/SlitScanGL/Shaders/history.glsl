// Frames of history: slots in texture arrays, several in a layer where there are more than layers.
//
// Slots form a ring of runs; a run is a row of slots of one array.

uniform sampler2DArray history0;
#if BLOCKS > 1
uniform sampler2DArray history1;
uniform sampler2DArray history2;
uniform sampler2DArray history3;
uniform sampler2DArray history4;
uniform sampler2DArray history5;
uniform sampler2DArray history6;
uniform sampler2DArray history7;
// For each run: the place in the ring where it starts, its array, and its first slot there.
uniform ivec4 runs[16];
uniform int runCount;
#endif
// Slots in the ring, and the place of the newest frame; older ones follow.
uniform int capacity;
uniform int newest;
// Slots in a layer, across and down, and the size of each.
uniform ivec2 slotsInLayer;
uniform ivec2 slotSize;

ivec3 placeOf(int slot, ivec2 at) {
#ifdef ATLAS
  int inLayer = slotsInLayer.x * slotsInLayer.y;
  int rest = slot % inLayer;
  return ivec3(ivec2(rest % slotsInLayer.x, rest / slotsInLayer.x) * slotSize + at, slot / inLayer);
#else
  return ivec3(at, slot);
#endif
}

// The texel of the frame of so many frames ago.
vec4 texelAgo(int level, ivec2 at) {
  int slot = newest + level;
  slot -= slot >= capacity ? capacity : 0;
#if BLOCKS > 1
  ivec4 run = runs[0];
  for (int next = 1; next < runCount && runs[next].x <= slot; next++) run = runs[next];
  ivec3 place = placeOf(slot - run.x + run.z, at);
  if (run.y == 0) return texelFetch(history0, place, 0);
  if (run.y == 1) return texelFetch(history1, place, 0);
  if (run.y == 2) return texelFetch(history2, place, 0);
  if (run.y == 3) return texelFetch(history3, place, 0);
  if (run.y == 4) return texelFetch(history4, place, 0);
  if (run.y == 5) return texelFetch(history5, place, 0);
  if (run.y == 6) return texelFetch(history6, place, 0);
  return texelFetch(history7, place, 0);
#else
  return texelFetch(history0, placeOf(slot, at), 0);
#endif
}
