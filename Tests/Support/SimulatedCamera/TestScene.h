/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The picture that the simulated camera films: a pure function of the frame
 * number, so that a test can compute what any pixel of any frame must be.
 * All lengths are in pixels, all luma and chroma values in 8-bit BT.601
 * limited range. Everything scales with the picture, which must be 4:3 with a
 * height that is a multiple of 120; one cell is height / 120 pixels (4 at
 * 640x480, 2 at 320x240). From back to front:
 *
 *  - six horizontal bands of colour, equally high, each a little brighter
 *    towards the right: they stand still;
 *  - a black bar of the full width, 6 cells high, which moves down by one cell
 *    per frame and starts over at the top after 120 frames: it shows
 *    displacement in time from column to column;
 *  - a white bar of the full height, 8 cells wide, which moves right by one
 *    cell per frame and starts over at the left after 160 frames: it shows
 *    displacement in time from row to row;
 *  - the frame number, along the top edge for every column and along the left
 *    edge for every row, so that each line of a slit-scan picture tells which
 *    frame it was taken from. It has 12 bits, one cell each, the highest at
 *    the edge of the picture; white is 1 and black is 0. The left code covers
 *    the top one in the corner. It is a Gray code, since a blend of two
 *    neighbouring frames then reads as one of the two instead of as nonsense.
 *
 * The left edge of the white bar in frame n is at (n * cell) % width, the top
 * edge of the black bar at (n * cell) % height; both wrap around. */

#ifndef SIMULATED_CAMERA_TEST_SCENE_H
#define SIMULATED_CAMERA_TEST_SCENE_H

#include <stdint.h>

/* Paints frame number `frame` as YUYV, without padding at the ends of rows. */
void test_scene_paint (uint8_t * pixels, unsigned width, unsigned height,
    uint32_t frame);

#endif
