/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Caps negotiation: the output caps for given input caps, and the input caps
 * for given output caps. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* The caps possible on one pad for those on the other, best first: the same
 * format, then, where the element converts, any other.
 *
 * The output has the frame's size but where output_width or output_height
 * is not 0. */
GstCaps *gst_slit_scan_negotiation_transform (GstPadDirection direction,
    GstCaps * caps, gint output_width, gint output_height, gboolean converts);

/* Chooses output caps, for fixed input caps, out of those that downstream
 * takes: the format that loses least, of several the one that downstream
 * prefers. Takes ownership of candidates. */
GstCaps *gst_slit_scan_negotiation_fixate (GstCaps * input,
    GstCaps * candidates, gint output_width, gint output_height);

G_END_DECLS
