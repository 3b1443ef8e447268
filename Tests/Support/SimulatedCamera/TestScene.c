/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Paints the test scene; TestScene.h says what is in it and in which units. */

#include "TestScene.h"

#define CELLS_PER_HEIGHT 120
#define BLACK_BAR_CELLS 6
#define WHITE_BAR_CELLS 8
#define CODE_BITS 12
#define BAND_COUNT 6
#define BAND_LUMA_RISE 40

typedef struct
{
  uint8_t luma;
  uint8_t blue_difference;
  uint8_t red_difference;
} Colour;

typedef struct
{
  unsigned width;
  unsigned height;
  unsigned cell;
  unsigned white_bar_left;
  unsigned black_bar_top;
  uint32_t code;
} Scene;

static const Colour black = { 16, 128, 128 };
static const Colour white = { 235, 128, 128 };

/* The luma stays well away from both bars', so that a threshold at 50 or 190
 * finds them on any band. */
static const Colour bands[BAND_COUNT] = {
  {80, 104, 196},
  {110, 72, 160},
  {120, 80, 104},
  {115, 128, 72},
  {95, 176, 96},
  {85, 168, 168},
};

static Colour
code_bit_colour (const Scene * scene, unsigned distance_from_edge)
{
  unsigned bit = CODE_BITS - 1 - distance_from_edge / scene->cell;

  return (scene->code >> bit & 1) ? white : black;
}

static Colour
background_colour (const Scene * scene, unsigned x, unsigned y)
{
  Colour colour = bands[y * BAND_COUNT / scene->height];

  colour.luma += x * BAND_LUMA_RISE / scene->width;
  return colour;
}

static Colour
scene_colour (const Scene * scene, unsigned x, unsigned y)
{
  const unsigned code_length = CODE_BITS * scene->cell;
  /* Taking the distance from the bar's leading edge modulo the picture makes
   * the bar leave at one side while it enters at the other. */
  const unsigned past_white_bar =
      (x + scene->width - scene->white_bar_left) % scene->width;
  const unsigned past_black_bar =
      (y + scene->height - scene->black_bar_top) % scene->height;

  if (x < code_length)
    return code_bit_colour (scene, x);
  if (y < code_length)
    return code_bit_colour (scene, y);
  if (past_white_bar < WHITE_BAR_CELLS * scene->cell)
    return white;
  if (past_black_bar < BLACK_BAR_CELLS * scene->cell)
    return black;
  return background_colour (scene, x, y);
}

void
test_scene_paint (uint8_t * pixels, unsigned width, unsigned height,
    uint32_t frame)
{
  const unsigned cell = height / CELLS_PER_HEIGHT;
  const Scene scene = {
    .width = width,
    .height = height,
    .cell = cell,
    .white_bar_left = (unsigned) ((uint64_t) frame * cell % width),
    .black_bar_top = (unsigned) ((uint64_t) frame * cell % height),
    .code = frame ^ frame >> 1,
  };

  for (unsigned y = 0; y < height; y++) {
    /* A cell is an even number of pixels wide, so the two pixels that share
     * their chroma are always of one colour. */
    for (unsigned x = 0; x < width; x += 2) {
      Colour colour = scene_colour (&scene, x, y);

      *pixels++ = colour.luma;
      *pixels++ = colour.blue_difference;
      *pixels++ = colour.luma;
      *pixels++ = colour.red_difference;
    }
  }
}
