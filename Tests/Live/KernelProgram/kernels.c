/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The inner loops with random input, for processors that only an emulator
 * runs: a line for each loop, with a hash of its output. The same on every
 * processor and of every variant; KernelTests compares the values themselves
 * with a reference. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slitscan-flow.h"
#include "slitscan-kernels.h"
#include "slitscan-tiles.h"
#include "slitscan-variants.h"

/* As in the loops: a fused multiplication rounds differently. */
#pragma STDC FP_CONTRACT OFF

enum
{
  COUNT = 301,                  /* values in a row: no multiple of a vector */
  ROWS = 23,
  FRAMES = 30,
};

/* -- random numbers, the same everywhere ---------------------------------- */

static uint64_t state;

/* SplitMix64. */
static uint64_t
draw (void)
{
  uint64_t z = (state += 0x9e3779b97f4a7c15);

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

static float
part (void)
{
  return (float) (draw () >> 40) / (1 << 24);
}

static void
fill (void *memory, size_t byte_count)
{
  uint8_t *bytes = memory;

  for (size_t index = 0; index < byte_count; index++)
    bytes[index] = (uint8_t) draw ();
}

static void
fill_values (float *values, size_t count)
{
  for (size_t index = 0; index < count; index++)
    values[index] = part ();
}

/* -- output --------------------------------------------------------------- */

/* FNV-1a. */
static uint64_t
hash (const void *memory, size_t byte_count)
{
  const uint8_t *bytes = memory;
  uint64_t value = 0xcbf29ce484222325;

  for (size_t index = 0; index < byte_count; index++)
    value = (value ^ bytes[index]) * 0x100000001b3;
  return value;
}

static void
report (const char *name, const void *memory, size_t byte_count)
{
  printf ("%s %016llx\n", name, (unsigned long long) hash (memory, byte_count));
}

/* -- rows ----------------------------------------------------------------- */

static float in[ROWS * COUNT], other[ROWS * COUNT], out[ROWS * COUNT];
static uint8_t bytes[4 * COUNT], more[4 * COUNT];

static void
report_row (const char *name)
{
  report (name, out, COUNT * sizeof (float));
}

static void
try_maps (void)
{
  slit_scan_linear_row (0.5, 1, 0.004, -0.1, out, COUNT);
  report_row ("linear");
  slit_scan_radial_row (-150.5, 1, 17.25, 0.005, out, COUNT);
  report_row ("radial");
  for (int turns = -3; turns <= 3; turns += 3) {
    slit_scan_turns_row (-150.5, 1, 17.25, 0.005, turns, out, COUNT);
    report_row (turns == 0 ? "angular" : "spiral");
  }
  for (int32_t edge = SLIT_SCAN_CURVE_CLAMP; edge <= SLIT_SCAN_CURVE_MIRROR;
      edge++)
    for (int inverts = 0; inverts < 2; inverts++) {
      SlitScanCurve curve = { inverts, 6 * part () - 3, 2 * part () - 1, edge };

      slit_scan_curve_row (in, out, COUNT, &curve);
      report_row ("curve");
    }
}

static void
try_rasters (void)
{
  SlitScanBox box = { 3, 0.4f };
  SlitScanTap taps[COUNT];

  for (int32_t size = 1; size <= 2; size++)
    for (int is_big = 0; is_big < size; is_big++) {
      SlitScanLumaPart luma = { 0, 2 * size, size, is_big,
        16, size == 1 ? 235 : 60000, 0.7f
      };

      slit_scan_luma_row (bytes, luma, false, out, COUNT);
      slit_scan_luma_row (more, luma, true, out, COUNT);
      report_row ("luma");
    }
  slit_scan_pick_row (bytes, 4, (uint8_t *) out, COUNT);
  report ("pick", out, COUNT);
  slit_scan_value_row (bytes, 16, 1.f / 219, out, COUNT);
  report_row ("value");
  for (int index = 0; index < COUNT; index++) {
    taps[index].left = (int32_t) (draw () % COUNT);
    taps[index].weight = part ();
  }
  slit_scan_sample_row (in, COUNT, taps, out, COUNT);
  report_row ("sample");
  slit_scan_halve_row (in, out, COUNT);
  report_row ("halve");
  slit_scan_halve_samples (bytes, 16, 1.f / 219, out, COUNT);
  report_row ("halve-samples");
  slit_scan_between_rows (in, other, part (), out, COUNT);
  report_row ("between");
  slit_scan_smooth_across (in, out, COUNT, ROWS, box);
  report ("smooth-across", out, sizeof (out));
  slit_scan_smooth_down (in, out, COUNT, ROWS, box, other);
  report ("smooth-down", out, sizeof (out));
  slit_scan_motion_row (in, in + COUNT, in + 2 * COUNT, in + 3 * COUNT,
      in + 4 * COUNT, 0.4f, 0.02f, out, COUNT);
  report_row ("motion");
}

static void
try_blends (void)
{
  for (int32_t kind = SLIT_SCAN_SAMPLES_BYTES;
      kind <= SLIT_SCAN_SAMPLES_BIG_WORDS; kind++)
    for (uint32_t unused = 0; unused <= (kind ? 6 : 0); unused += 6) {
      SlitScanSamples samples = { kind, unused };
      uint32_t weight = (uint32_t) (draw () % 65537);
      uint8_t into[sizeof (bytes)];

      memcpy (into, bytes, sizeof (into));
      slit_scan_mix (into, more, sizeof (into), weight, samples);
      report ("mix", into, sizeof (into));
      slit_scan_feed (into, more, sizeof (into), weight, samples);
      report ("feed", into, sizeof (into));
    }
  slit_scan_line_row (in, in + COUNT, in + 2 * COUNT, COUNT, 0.5f, 0.7f, 0.9f,
      bytes);
  report ("line", bytes, COUNT);
}

/* -- motion --------------------------------------------------------------- */

static SlitScanFlowPlan plan;
static SlitScanFlowNode *field;

/* The motion between two frames of blocks, which move by 3 and 1 pixels. */
static void
try_flow (void)
{
  uint8_t luma[ROWS * COUNT];
  const SlitScanFlowPart part = { luma, COUNT, 1, 1, false, 0, 256 };
  uint8_t *pyramids[2];
  SlitScanFlowNode *scratch;

  plan = slit_scan_flow_plan (COUNT, ROWS);
  field = calloc (plan.node_count, sizeof (*field));
  scratch = calloc (plan.node_count * SLIT_SCAN_FLOW_SCRATCH,
      sizeof (*scratch));
  for (int frame = 0; frame < 2; frame++) {
    for (int y = 0; y < ROWS; y++)
      for (int x = 0; x < COUNT; x++)
        luma[y * COUNT + x] =
            bytes[(x + 3 * frame) / 8 * 7 % COUNT + (y + frame) / 8];
    pyramids[frame] = calloc (plan.pyramid_bytes, 1);
    slit_scan_make_pyramid (&plan, &part, 1, COUNT, ROWS, pyramids[frame],
        NULL);
    report ("pyramid", pyramids[frame], plan.pyramid_bytes);
  }
  slit_scan_flow_find (&plan, pyramids[1], pyramids[0], scratch, field, NULL);
  report ("flow", field, plan.node_count * sizeof (*field));
  free (pyramids[0]);
  free (pyramids[1]);
  free (scratch);
}

/* Draws a plane along that motion, the same between all frames. */
static void
try_warp (const SlitScanHistoryFrames * history,
    const SlitScanReading * reading, int cell_bytes)
{
  const ptrdiff_t starts[FRAMES] = { 0 };
  const SlitScanFlows flows = { &plan, field, starts, FRAMES };
  SlitScanWarping warping = { *reading, cell_bytes };

  warping.sample_bytes = reading->kind > SLIT_SCAN_READ_BLEND_BYTES ? 2 : 1;
  for (int i = 0; i < cell_bytes / warping.sample_bytes; i++) {
    const SlitScanLane lane =
        { i * warping.sample_bytes, cell_bytes, 0, 0, 0, 0,
      COUNT, ROWS, 2 * (warping.sample_bytes - 1)
    };

    warping.lanes[i] = lane;
  }
  slit_scan_warp (history, &flows, &warping, 1, NULL);
}

/* -- tiles ---------------------------------------------------------------- */

/* The tiles of cells of this size, as TileShape has them. */
static SlitScanTiling
tiling (int cell_bytes)
{
  bool is_wide = cell_bytes <= 3;
  int32_t across = is_wide ? 8 : 4;
  int32_t rows = cell_bytes == 8 ? 2 : cell_bytes % 2 == 0 ? 4 : 8;

  SlitScanTiling tiles = { 0 };

  tiles.row_bytes = across * cell_bytes;
  tiles.rows = rows;
  tiles.tiles_wide = (COUNT + across - 1) / across;
  tiles.tiles_high = (ROWS + rows - 1) / rows;
  tiles.plane_row_bytes = COUNT * cell_bytes;
  tiles.plane_rows = ROWS;
  return tiles;
}

/* A history of random frames, with a random map, by each rule and reading. */
static void
try_tiles (int cell_bytes)
{
  SlitScanTiling tiles = tiling (cell_bytes);
  size_t frame_bytes = tiles.plane_row_bytes * ROWS;
  size_t lines = tiles.tiles_wide * tiles.tiles_high *
      (size_t) (tiles.row_bytes * tiles.rows) / 64;
  uint8_t *frame = aligned_alloc (64, (frame_bytes + 63) / 64 * 64);
  uint8_t *memory = aligned_alloc (64, FRAMES * lines * 64);
  SlitScanLineDelay *delays = calloc (lines, sizeof (SlitScanLineDelay));
  uint8_t *levels = calloc (lines, 64);
  uint16_t *narrow = calloc (lines, 64 * sizeof (uint16_t));
  uint32_t *wide = calloc (lines, 64 * sizeof (uint32_t));
  ptrdiff_t starts[FRAMES];
  SlitScanSource source = { frame, tiles.plane_row_bytes, tiles };
  SlitScanTarget target = { frame, tiles.plane_row_bytes, tiles };
  SlitScanMapping map = { in };
  SlitScanSweeping sweeping;
  SlitScanEra era = { memory, FRAMES, starts, NULL };
  SlitScanHistoryFrames history = { &era, 1, FRAMES - 1, true };
  SlitScanReading reading = { target };

  map.cells_wide = COUNT;
  map.cells_high = ROWS;
  map.cell_bytes = cell_bytes;
  map.tiling = tiles;
  map.curve.gain = 1;
  reading.delays = map.lines = delays;
  reading.levels = map.levels = levels;
  reading.narrow = map.narrow = narrow;
  reading.wide = map.wide = wide;

  for (int level = 0; level < FRAMES; level++) {
    SlitScanSlot slot = { memory + level * lines * 64, NULL, level % 2 };

    starts[level] = slot.memory - memory;
    fill (frame, frame_bytes);
    slit_scan_store (&source, 1, slot, NULL);
  }
  report ("store", memory, FRAMES * lines * 64);

  sweeping.source = source;
  sweeping.map = map;
  slit_scan_sweep (&sweeping, 1, 0.3f, memory, NULL);
  report ("sweep", memory, lines * 64);

  for (int32_t kind = SLIT_SCAN_READ_NEAREST;
      kind <= SLIT_SCAN_READ_BLEND_BIG_WORDS; kind++) {
    bool has_words = kind > SLIT_SCAN_READ_BLEND_BYTES;

    if (has_words && cell_bytes % 2 != 0)
      continue;
    map.rule.kind = has_words ? SLIT_SCAN_DELAYS_BLEND_WORDS : kind;
    /* Beyond the last frame, too, and within reach of small numbers. */
    map.rule.deepest = kind % 2 ? FRAMES + 3 : 20;
    reading.kind = kind;
    reading.unused_bits = has_words ? 6 : 0;
    uint32_t deepest = slit_scan_map (&map, 1, NULL);

    slit_scan_read (&history, &reading, 1, NULL);
    report ("deepest", &deepest, sizeof (deepest));
    report ("read", frame, frame_bytes);
    if (kind == SLIT_SCAN_READ_NEAREST)
      continue;
    try_warp (&history, &reading, cell_bytes);
    report ("warp", frame, frame_bytes);
  }
  slit_scan_load (memory, &target, 1, NULL);
  report ("load", frame, frame_bytes);
  free (frame);
  free (memory);
  free (delays);
  free (levels);
  free (narrow);
  free (wide);
}

/* A history of random frames that are kept as rows, with random delays. */
static void
try_rows (int cell_bytes)
{
  SlitScanTiling tiles = tiling (cell_bytes);
  size_t frame_bytes = tiles.plane_row_bytes * ROWS;
  size_t row_lines = (tiles.tiles_wide * (size_t) tiles.row_bytes + 63) / 64;
  size_t slot_bytes = ROWS * row_lines * 64;
  size_t lines = tiles.tiles_wide * tiles.tiles_high *
      (size_t) (tiles.row_bytes * tiles.rows) / 64;
  uint8_t *frame = aligned_alloc (64, (frame_bytes + 63) / 64 * 64);
  uint8_t *memory = aligned_alloc (64, FRAMES * slot_bytes);
  uint8_t *newest = aligned_alloc (64, lines * 64);
  SlitScanPlace places[ROWS];
  SlitScanRowDelay delays[ROWS];
  SlitScanLineDelay unused = { 0 };
  uint32_t none = 0;
  size_t slots[FRAMES];
  SlitScanRing ring = { 0, slot_bytes, FRAMES, 0 };
  SlitScanRings rings = { places, true, &ring, slots };
  SlitScanSource source = { frame, tiles.plane_row_bytes, tiles };
  SlitScanEra era = { memory, FRAMES, NULL, &rings };
  SlitScanHistoryFrames history = { &era, 1, FRAMES - 1, true };
  SlitScanReading reading = { {frame, tiles.plane_row_bytes, tiles} };

  memset (memory, 0, FRAMES * slot_bytes);
  for (size_t row = 0; row < ROWS; row++) {
    places[row].ring = 0;
    places[row].index = (uint32_t) (row * row_lines);
  }
  for (size_t slot = 0; slot < FRAMES; slot++)
    slots[slot] = slot * slot_bytes;
  for (ring.newest = 0; ring.newest < FRAMES; ring.newest++) {
    SlitScanSlot slot = { memory, &rings, ring.newest % 2 };

    fill (frame, frame_bytes);
    slit_scan_store (&source, 1, slot, NULL);
  }
  ring.newest = 7;
  slit_scan_copy_newest (&history, &tiles, 1, newest);
  report ("newest", newest, lines * 64);
  reading.delays = &unused;
  reading.wide = &none;
  reading.rows = delays;
  for (int32_t kind = SLIT_SCAN_READ_NEAREST;
      kind <= SLIT_SCAN_READ_BLEND_BIG_WORDS; kind++) {
    bool has_words = kind > SLIT_SCAN_READ_BLEND_BYTES;
    uint32_t full = kind == SLIT_SCAN_READ_NEAREST ? 1 : has_words ? 4096 : 256;

    if (has_words && cell_bytes % 2 != 0)
      continue;
    for (size_t row = 0; row < ROWS; row++) {
      delays[row].level = (uint32_t) (draw () % (FRAMES - 1));
      delays[row].weight = (uint32_t) (draw () % full);
    }
    reading.kind = kind;
    reading.unused_bits = has_words ? 6 : 0;
    slit_scan_read (&history, &reading, 1, NULL);
    report ("rows", frame, frame_bytes);
  }
  free (frame);
  free (memory);
  free (newest);
}

int
main (int argc, char **argv)
{
  if (argc > 1)
    slit_scan_limit_variant (atoi (argv[1]));
  fill (bytes, sizeof (bytes));
  fill (more, sizeof (more));
  fill_values (in, ROWS * COUNT);
  fill_values (other, ROWS * COUNT);
  try_maps ();
  try_rasters ();
  try_blends ();
  try_flow ();
  fill_values (in, ROWS * COUNT);
  for (int cell_bytes = 1; cell_bytes <= 8; cell_bytes++) {
    if (cell_bytes > 4 && cell_bytes != 8)
      continue;
    try_tiles (cell_bytes);
    try_rows (cell_bytes);
  }
  return 0;
}
