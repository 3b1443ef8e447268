/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Code shared by the kernels that store and read tiles: lines as vectors, the
 * transposition of eight, four or two adjacent tiles to rows of 64 bytes and
 * back, and the division of a frame among threads. */
#pragma once

#include <string.h>

#include "slitscan-tiles.h"
#include "variants.h"

#define LINE_BYTES 64
/* The most lines that rows of 64 bytes pass through at a time. */
#define MOST_AT_ONCE 8
/* The largest tile: 8 rows of 24 bytes. */
#define TILE_BYTES 192

/* Vectors as long as a line; the compiler makes two or four of them where the
 * processor's are shorter. Functions take pointers to them, so that none is an
 * argument, which variants would pass in different ways. */
typedef uint8_t Bytes __attribute__ ((ext_vector_type (64)));
typedef uint64_t Words __attribute__ ((ext_vector_type (8)));

/* A number for each byte of a line. */
typedef uint16_t Halves __attribute__ ((ext_vector_type (64)));
typedef int16_t SignedHalves __attribute__ ((ext_vector_type (64)));
typedef float Floats __attribute__ ((ext_vector_type (64)));
typedef int32_t Levels __attribute__ ((ext_vector_type (64)));
/* The 32 samples of a line of two-byte samples. */
typedef uint16_t Samples __attribute__ ((ext_vector_type (32)));
typedef uint32_t Sums __attribute__ ((ext_vector_type (32)));
typedef int32_t SignedSums __attribute__ ((ext_vector_type (32)));

/* Swaps what lies off the diagonal of two rows' blocks of `size` words. */
#define SWAP_BLOCKS_OF_4(a, b)                                                \
  do {                                                                        \
    Words one = (a), two = (b);                                               \
    (a) = __builtin_shufflevector (one, two, 0, 1, 2, 3, 8, 9, 10, 11);       \
    (b) = __builtin_shufflevector (one, two, 4, 5, 6, 7, 12, 13, 14, 15);     \
  } while (0)
#define SWAP_BLOCKS_OF_2(a, b)                                                \
  do {                                                                        \
    Words one = (a), two = (b);                                               \
    (a) = __builtin_shufflevector (one, two, 0, 1, 8, 9, 4, 5, 12, 13);       \
    (b) = __builtin_shufflevector (one, two, 2, 3, 10, 11, 6, 7, 14, 15);     \
  } while (0)
#define SWAP_BLOCKS_OF_1(a, b)                                                \
  do {                                                                        \
    Words one = (a), two = (b);                                               \
    (a) = __builtin_shufflevector (one, two, 0, 8, 2, 10, 4, 12, 6, 14);      \
    (b) = __builtin_shufflevector (one, two, 1, 9, 3, 11, 5, 13, 7, 15);      \
  } while (0)

/* Tiles side by side, as rows of 64 bytes, become their lines; and lines become
 * rows. There are as many tiles as each has rows: 8 of 8 bytes, 4 of 16 or 2
 * of 32. */
SLIT_SCAN_INLINE void
transpose (Words * rows, int32_t row_bytes)
{
  switch (row_bytes) {
    case 8:
      for (int i = 0; i < 4; i++)
        SWAP_BLOCKS_OF_4 (rows[i], rows[i + 4]);
      for (int i = 0; i < 8; i += 4) {
        SWAP_BLOCKS_OF_2 (rows[i], rows[i + 2]);
        SWAP_BLOCKS_OF_2 (rows[i + 1], rows[i + 3]);
      }
      for (int i = 0; i < 8; i += 2)
        SWAP_BLOCKS_OF_1 (rows[i], rows[i + 1]);
      break;
    case 16:
      SWAP_BLOCKS_OF_4 (rows[0], rows[2]);
      SWAP_BLOCKS_OF_4 (rows[1], rows[3]);
      SWAP_BLOCKS_OF_2 (rows[0], rows[1]);
      SWAP_BLOCKS_OF_2 (rows[2], rows[3]);
      break;
    default:
      SWAP_BLOCKS_OF_4 (rows[0], rows[1]);
      break;
  }
}

/* Lines of a tile. */
SLIT_SCAN_INLINE size_t
lines_of_tile (int32_t row_bytes)
{
  return row_bytes == 24 ? 3 : 1;
}

/* Lines of a plane. */
SLIT_SCAN_INLINE size_t
lines_of_plane (const SlitScanTiling * tiling)
{
  return tiling->tiles_wide * tiling->tiles_high
      * lines_of_tile (tiling->row_bytes);
}

/* Stores a line of words where it belongs in memory; past the caches only if that is
 * aligned. */
SLIT_SCAN_INLINE void
store_line (const Words * line, bool streams, uint8_t * to)
{
  if (streams)
    __builtin_nontemporal_store (*line, (Words *) (void *) to);
  else
    memcpy (to, line, LINE_BYTES);
}

/* Waits for stores past the caches, before anyone reads what was stored. */
SLIT_SCAN_INLINE void
finish_stores (void)
{
#if defined(__x86_64__)
  __builtin_ia32_sfence ();
#endif
}

/* Tiles that are side by side in rows of 64 bytes. */
SLIT_SCAN_INLINE size_t
tiles_at_once (int32_t row_bytes)
{
  return row_bytes == 24 ? 1 : (size_t) (LINE_BYTES / row_bytes);
}

/* The row of tiles after the last of a band. */
SLIT_SCAN_INLINE size_t
end_of_band (const SlitScanTiling * tiling, bool has_rings, size_t first,
    size_t end)
{
  size_t height = has_rings && tiling->row_bytes != 24 ? SLIT_SCAN_BAND : 1;
  size_t next = first - first % height + height;

  return next < end ? next : end;
}

/* Bytes of a tile's row that lie inside the plane. */
SLIT_SCAN_INLINE size_t
bytes_inside (const SlitScanTiling * tiling, int32_t row_bytes, size_t tile_x)
{
  size_t left = tile_x * (size_t) row_bytes;
  size_t rest = tiling->plane_row_bytes - left;

  return rest < (size_t) row_bytes ? rest : (size_t) row_bytes;
}

/* Rows of a tile that lie inside the plane. */
SLIT_SCAN_INLINE size_t
rows_inside (const SlitScanTiling * tiling, int32_t tile_rows, size_t tile_y)
{
  size_t rest = tiling->plane_rows - tile_y * (size_t) tile_rows;

  return rest < (size_t) tile_rows ? rest : (size_t) tile_rows;
}

/* Whole tiles at the start of a row of tiles, all of them inside. */
SLIT_SCAN_INLINE size_t
whole_tiles (const SlitScanTiling * tiling, int32_t row_bytes,
    int32_t tile_rows, size_t tile_y)
{
  return rows_inside (tiling, tile_rows, tile_y) < (size_t) tile_rows
      ? 0 : tiling->plane_row_bytes / (size_t) row_bytes;
}

/* The lines of a few tiles side by side, out of a plane's rows; what they have
 * beyond the plane is 0. */
SLIT_SCAN_INLINE void
take_tiles (int32_t row_bytes, int32_t tile_rows, const SlitScanSource * plane,
    size_t tile_x, size_t tile_y, size_t count, Words * lines)
{
  const SlitScanTiling *tiling = &plane->tiling;
  const uint8_t *rows = plane->rows
      + tile_y * (size_t) tile_rows * plane->stride
      + tile_x * (size_t) row_bytes;
  size_t at_once = tiles_at_once (row_bytes);
  size_t whole = whole_tiles (tiling, row_bytes, tile_rows, tile_y);
  uint8_t *bytes = (uint8_t *) lines;

  if (count == at_once && tile_x + count <= whole) {
    if (row_bytes == 24) {
      /* Word by word, as bytes that were written in small pieces are slow to
       * read as a whole. */
      for (size_t i = 0; i < TILE_BYTES / sizeof (uint64_t); i++) {
        uint64_t word;

        memcpy (&word, rows + i / 3 * plane->stride + i % 3 * sizeof word,
            sizeof word);
        lines[i / 8][i % 8] = word;
      }
    } else {
      for (size_t i = 0; i < at_once; i++)
        memcpy (&lines[i], rows + i * plane->stride, LINE_BYTES);
      transpose (lines, row_bytes);
    }
    return;
  }
  memset (bytes, 0, count * lines_of_tile (row_bytes) * LINE_BYTES);
  for (size_t i = 0; i < count; i++) {
    size_t byte_count = bytes_inside (tiling, row_bytes, tile_x + i);

    for (size_t row = 0; row < rows_inside (tiling, tile_rows, tile_y); row++)
      memcpy (bytes + i * (size_t) (row_bytes * tile_rows)
          + row * (size_t) row_bytes, rows + row * plane->stride
          + i * (size_t) row_bytes, byte_count);
  }
}

/* The shape of TileShape as constants, around a call of `row` with them. */
#define FOR_SHAPE(tiling, row, ...)                                           \
  do {                                                                        \
    switch ((tiling)->row_bytes) {                                            \
      case 8:                                                                 \
        row (8, 8, __VA_ARGS__);                                              \
        break;                                                                \
      case 16:                                                                \
        row (16, 4, __VA_ARGS__);                                             \
        break;                                                                \
      case 24:                                                                \
        row (24, 8, __VA_ARGS__);                                             \
        break;                                                                \
      default:                                                                \
        row (32, 2, __VA_ARGS__);                                             \
        break;                                                                \
    }                                                                         \
  } while (0)

/* -- rows as they came ---------------------------------------------------- */

/* The destination of a line of a frame, or of a row. */
SLIT_SCAN_INLINE uint8_t *
line_of_slot (const SlitScanSlot * slot, bool has_rings, size_t line)
{
  const SlitScanPlace *place;
  const SlitScanRing *ring;

  if (!has_rings)
    return slot->memory + line * LINE_BYTES;
  place = &slot->rings->places[line];
  ring = &slot->rings->rings[place->ring];
  return slot->memory + ring->newest_start
      + place->index * slot->rings->line_step;
}

/* -- sharing a frame ------------------------------------------------------ */

/* Does the rows of tiles from first to end of a plane. */
typedef void (*RowsBody) (const void *plane, size_t first, size_t end,
    const void *context);

/* Begins the definition of a RowsBody for planes and a context of these types. */
#define SLIT_SCAN_ROWS(linkage, name, Plane, Context)                         \
  SLIT_SCAN_INLINE void name##_body (const Plane * plane, size_t first,       \
      size_t end, const Context * context);                                   \
  SLIT_SCAN_WIDE_CHOICE (linkage, void, name,                                 \
      (const void *plane, size_t first, size_t end, const void *context),     \
      (plane, first, end, context))                                           \
  SLIT_SCAN_INLINE void name##_body (const Plane * plane, size_t first,       \
      size_t end, const Context * context)

/* Stores the rows of a SlitScanSource in a SlitScanSlot whose rings have rows. */
void slit_scan_store_rows (const void *plane, size_t first, size_t end,
    const void *slot);

/* Has all rows of tiles of some planes done, by all threads; planes are `size`
 * bytes apart, and each has its tiling `tiling` bytes after its start. */
void slit_scan_do_rows (const void *planes, size_t size, size_t tiling,
    size_t plane_count, RowsBody body, const void *context, WorkerPool * pool);

/* The same for an array of a type of planes, whose tiling is `member`. */
#define DO_ROWS(Type, member, planes, plane_count, body, context, pool)       \
  slit_scan_do_rows (planes, sizeof (Type), offsetof (Type, member),          \
      plane_count, body, context, pool)
