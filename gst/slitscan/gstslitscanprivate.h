/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The element's private structs, and the functions that its files share.
 *
 * Threads: the streaming thread is that of the pad `sink`. That of the pad `map`
 * stays inside that pad, and those that read a map's file come no further than
 * gstslitscanimage.c.
 *
 * Locks: the object lock guards what is set and read from outside, the map's
 * lock where the map comes from. Neither is held while the effect is called, an
 * event or a query is sent, or a message is posted. Order: object lock, map's
 * lock, lock of a map pad. */
#pragma once

#include <gst/base/gstqueuearray.h>

#include "gstslitscan.h"
#include "gstslitscanmappad.h"
#include "gstslitscanproperties.h"

G_BEGIN_DECLS

GST_DEBUG_CATEGORY_EXTERN (gst_slit_scan_debug);

/* The effect counts time from here, so that frames may be from before running
 * time 0. */
#define GST_SLIT_SCAN_EPOCH (G_GUINT64_CONSTANT (1) << 62)

/* A running time as the effect counts it. */
static inline guint64
gst_slit_scan_effect_time (GstClockTime time)
{
  return GST_SLIT_SCAN_EPOCH + MIN (time, G_MAXUINT64 - GST_SLIT_SCAN_EPOCH);
}

/* The reasons why no frames come from the pad `sink`, or none that need a
 * map. */
typedef enum
{
  GST_SLIT_SCAN_PAUSE_STOPPED = 1 << 0,
  GST_SLIT_SCAN_PAUSE_ENDED = 1 << 1,
  GST_SLIT_SCAN_PAUSE_FLUSHING = 1 << 2,
  GST_SLIT_SCAN_PAUSE_SEEKING = 1 << 3,
} GstSlitScanPause;

/* The newest seek: the number of its event, and whether it has a stop. */
typedef struct
{
  guint32 seqnum;
  gboolean has_stop;
} GstSlitScanSeek;

/* The data from which drained frames are made. */
typedef struct
{
  gboolean is_known;
  GstClockTime pts;
  GstClockTime duration;
  GstClockTime interval;        /* from the frame before; 0 is unknown */
  guint64 offset;
  guint64 offset_end;
  guint flags;
} GstSlitScanLastFrame;

/* The way from the scanned frame, in the format that comes in and the size that
 * goes out, to the output. All zero is an output that nothing is known of yet. */
typedef struct
{
  GstVideoInfo scan_info;
  /* The conversion and the target of the scan, or NULL when that is the
   * output. */
  GstVideoConverter *converter;
  GstBuffer *buffer;
} GstSlitScanOutput;

/* The frames whose future has not come yet, see gstslitscannow.c. */
typedef struct
{
  guint frames;                 /* that are held back */
  /* Buffers without memory, NULL for a frame that is not sent, and the events
   * between them; NULL until something is held. */
  GstQueueArray *items;
  guint count;                  /* of the frames in it, */
  guint segments;               /* and of the segments */
  /* The header of the frame that leaves next, NULL where nothing is held. */
  GstBuffer *header;
  /* The last output, where more frames show it. */
  GstBuffer *picture;
  gboolean is_discont;          /* the next frame that comes in */
} GstSlitScanHeld;

/* A map's file, read. */
typedef struct _GstSlitScanMapReading GstSlitScanMapReading;

/* The history on disk. */
typedef struct
{
  gchar *path;                  /* of the folder, NULL for memory */
  guint text_count;             /* says which setting it is from */
  SlitScanDiskFailure failure;  /* the one that was posted */
  gboolean has_warned_of_lateness;
  /* The running time when lateness was looked for last, and the counts then. */
  GstClockTime since;
  guint64 bytes;
  guint64 late_frames;
  guint64 waiting_time;
} GstSlitScanDisk;

/* The state that only the streaming thread uses. */
typedef struct
{
  /* Of the frame that is scanned. */
  SlitScanSettings settings;
  GstClockTime time;            /* running time */
  GstClockTime effect_time;     /* the same, as the effect counts it */
  GstSlitScanLastFrame last_frame;
  GstSlitScanHeld held;
  guint32 segment_seqnum;
  gboolean has_caught_up;
  guint limited_history;
  guint limited_lines;
  GstSlitScanDisk disk;
  guint outputs_to_copy;
  gboolean error_is_posted;
  /* The source that a map is known to lack; a formula is none. */
  SlitScanMapSource lack;
  /* The ways in which frames leave as they came, see gstslitscanframe.c. */
  gboolean has_same_caps;
  gboolean downstream_takes_meta;
  GstSlitScanOutput output;
} GstSlitScanStream;

/* The source of the map, if not a formula or the frames. */
typedef struct
{
  GMutex lock;

  /* Guarded by the lock: the pad `map`, if it was requested, and why no frames
   * come that want it. */
  GstSlitScanMapPad *pad;
  GstSlitScanPause pause;
  gboolean liveness_is_known;
  /* The setting of map-location that is known, and what was read for it, until
   * a frame takes that. */
  guint known_text_count;
  GstSlitScanMapReading *reading;

  /* Streaming thread: the pad that the effect's live map is from, the newest
   * buffer that the effect has not been given, and whether to wait for such
   * buffers. */
  GstSlitScanMapPad *followed_pad;
  GstBuffer *buffer;
  GstVideoInfo info;
  gboolean is_awaited;
  /* The threads that read map files, made for the first one. While the pads are
   * inactive, it belongs to the thread that changes the state. */
  GThreadPool *readers;
} GstSlitScanMapState;

struct _GstSlitScan
{
  GstVideoFilter parent;

  /* The base class's, of the pad sink. */
  GstPadChainFunction chain;
  /* The effect, and the functions that its kind of memory wants. */
  const GstSlitScanEngineClass *engine_class;
  gpointer engine;
  GstSlitScanStream stream;
  GstSlitScanMapState map;

  /* Guarded by the object lock. */
  GstSlitScanValues values;
  gboolean is_streaming;
  /* Whether the settings are between those of two presets. */
  gboolean is_loading_preset;
  /* The size of the output, 0 where it is the frame's. While streaming, only
   * the streaming thread writes it, so that negotiation and frames agree. */
  SlitScanSize output_size;
  /* For snapshots: the scanned frame's kind and time. */
  GstVideoInfo scan_info;
  GstClockTime last_pts;
  GstVideoInfo input_info;      /* the kind of the frames that come */
  /* The last output where the effect can no longer draw it, NULL if there was
   * none, and how often one was kept. Only the streaming thread writes them. */
  gboolean output_is_kept;
  GstSample *kept_output;
  guint kept_count;
  GstSlitScanSeek seek;
  /* The stream time at which the drained frames end. */
  GstClockTime drained_until;
  /* The pad `age`, if it was requested, and the probe that it follows `src` by. */
  GstPad *age_pad;
  gulong age_probe;
};

/* The class of GstVideoFilter, whose virtual functions do the rest. */
extern GstBaseTransformClass *gst_slit_scan_base_class;

/* -- gstslitscanages.c ---------------------------------------------------- */

/* NULL if there is a pad `age` already. */
GstPad *gst_slit_scan_ages_request_pad (GstSlitScan * self,
    GstPadTemplate * template);
void gst_slit_scan_ages_release_pad (GstSlitScan * self, GstPad * pad);

/* -- gstslitscancaps.c ---------------------------------------------------- */

/* Sets the virtual functions that are here. */
void gst_slit_scan_caps_class_init (GstVideoFilterClass * klass);

/* Gives up the conversion. */
void gst_slit_scan_output_clear (GstSlitScanOutput * output);

/* -- gstslitscanengine.c -------------------------------------------------- */

/* The effect on frames in system memory. */
extern const GstSlitScanEngineClass gst_slit_scan_system_engine_class;

/* -- gstslitscanframe.c --------------------------------------------------- */

void gst_slit_scan_frame_class_init (GstBaseTransformClass * klass);

/* Sets the size of the output to what the properties make it; TRUE if it
 * changes. While streaming, only for the streaming thread, with the settings to
 * take for what comes next; else NULL. */
gboolean gst_slit_scan_follow_properties (GstSlitScan * self,
    SlitScanSettings * latched);

/* Takes the settings for a frame with this timestamp, which moves what a
 * controller drives. The output is negotiated anew if its size changes. */
void gst_slit_scan_latch_at (GstSlitScan * self, GstClockTime timestamp);

/* Sets the time of the frame with this timestamp. Where it has no running time,
 * the last frame's goes on at the frame rate. */
void gst_slit_scan_set_time (GstSlitScan * self, GstClockTime timestamp);

/* Lets the effect forget all frames, or the image for a map. */
void gst_slit_scan_forget (GstSlitScan * self);
void gst_slit_scan_forget_map (GstSlitScan * self, SlitScanMap map);

/* Gives a frame to the effect and draws the output. Without a frame, goes on as
 * if the last one came again. */
GstFlowReturn gst_slit_scan_draw (GstSlitScan * self, GstBuffer * buffer,
    GstBuffer * output, GstSlitScanFate fate);

/* -- gstslitscandisk.c ---------------------------------------------------- */

/* Follows history-location, before a frame is taken in. */
void gst_slit_scan_disk_follow (GstSlitScan * self);

/* Says what the disk could not do for a frame. */
void gst_slit_scan_disk_report (GstSlitScan * self,
    const SlitScanReport * report);

/* Gives up the folder: the next frame finds it again, and says again what fails. */
void gst_slit_scan_disk_clear (GstSlitScan * self);

/* -- gstslitscandrain.c --------------------------------------------------- */

gboolean gst_slit_scan_query (GstBaseTransform * trans,
    GstPadDirection direction, GstQuery * query);

/* Remembers a seek as the newest, and returns the one before. */
GstSlitScanSeek gst_slit_scan_drain_seek (GstSlitScan * self,
    GstEvent * event);

/* Sets the stream time at which the drained frames end. Without one, the stream
 * ends where upstream says. */
void gst_slit_scan_drain_set_end (GstSlitScan * self, GstClockTime end);

/* The time from the last frame to the one that comes so many after it; 0 if
 * nothing is known of the frame rate. */
GstClockTime gst_slit_scan_elapsed_after (GstSlitScan * self, guint64 count);

/* Sends the frames that are held back, as if the last one came again, and
 * returns how often it has. */
guint64 gst_slit_scan_drain_held (GstSlitScan * self);

/* The same before caps of other pixels. */
void gst_slit_scan_drain_before_caps (GstSlitScan * self, GstEvent * event);

/* After the last frame: sends those that are held back, and more until all
 * pixels have caught up, if that is wanted. */
void gst_slit_scan_drain (GstSlitScan * self);

/* -- gstslitscanimage.c --------------------------------------------------- */

/* Reads the image at map-location. Before the pads are active: the first
 * frame finds the map. */
void gst_slit_scan_image_start (GstSlitScan * self);

/* Takes what was read meanwhile, and has another location read. */
void gst_slit_scan_image_follow (GstSlitScan * self);

/* Gives up the image, after what is being read. After the pads have been
 * active. */
void gst_slit_scan_image_stop (GstSlitScan * self);

/* -- gstslitscanlive.c ---------------------------------------------------- */

GstPad *gst_slit_scan_request_new_pad (GstElement * element,
    GstPadTemplate * template, const gchar * name, const GstCaps * caps);
void gst_slit_scan_release_pad (GstElement * element, GstPad * pad);

/* Brings the effect's live map to the frame that comes next. */
void gst_slit_scan_live_follow (GstSlitScan * self);

/* Whether the pad `map` is there and linked. */
gboolean gst_slit_scan_live_is_linked (GstSlitScan * self);

/* Gives up the frame of the live map. */
void gst_slit_scan_live_stop (GstSlitScan * self);

/* Says whether there are these reasons, now, that no frames come. */
void gst_slit_scan_live_set_pause (GstSlitScan * self,
    GstSlitScanPause reasons, gboolean are_there);

/* The video's branch may have become live, or has ceased to be. */
void gst_slit_scan_live_forget_liveness (GstSlitScan * self);

/* Seeks the map, too, before the video is. */
void gst_slit_scan_live_seek (GstSlitScan * self, GstEvent * event);

/* -- gstslitscannow.c ----------------------------------------------------- */

void gst_slit_scan_now_init (GstSlitScan * self);
void gst_slit_scan_now_class_init (GstBaseTransformClass * klass);

/* The frames by which the present is late, with this depth and so much time from
 * one frame to the next. */
guint gst_slit_scan_now_frames (const SlitScanSettings * settings, guint depth,
    GstClockTime interval);

/* Follows the settings that were taken for a frame. */
void gst_slit_scan_now_settle (GstSlitScan * self);

/* Adds the latency to the answer of a query. On any thread. */
void gst_slit_scan_now_add_latency (GstSlitScan * self, GstQuery * query);

/* Whether frames leave later than they come. */
gboolean gst_slit_scan_now_holds (GstSlitScan * self);

/* A frame came, NULL for one that is not sent: turns to the one that leaves, if
 * there is one. Returns a buffer with its time for the base class to judge. */
GstBuffer *gst_slit_scan_now_turn (GstSlitScan * self, GstBuffer * buffer);

/* Turns to the next frame; FALSE if none is held. Events that came before it are
 * sent. */
gboolean gst_slit_scan_now_next (GstSlitScan * self);

/* Takes an event that is to leave after a frame that is held, and returns TRUE;
 * FALSE for all others. */
gboolean gst_slit_scan_now_hold_event (GstSlitScan * self, GstEvent * event);

/* Gives up what is held. */
void gst_slit_scan_now_clear (GstSlitScan * self);

/* -- gstslitscanpointer.c ------------------------------------------------- */

/* Lets a navigation event move the map, if that is wanted. */
void gst_slit_scan_pointer_follow (GstSlitScan * self, GstEvent * event);

/* -- gstslitscanpreset.c -------------------------------------------------- */

void gst_slit_scan_preset_init (GstPresetInterface * preset);

/* -- gstslitscanreport.c -------------------------------------------------- */

/* Posts an element message. */
void gst_slit_scan_post (GstSlitScan * self, GstStructure * structure);

/* Reports to the application after a frame that took so long. */
void gst_slit_scan_publish (GstSlitScan * self, GstSlitScanFate fate,
    const SlitScanReport * report, GstClockTime spent);

/* The age of the output once history is full of frames of these caps that come
 * so far apart, and the latency: a structure, NULL for other caps. */
GstStructure *gst_slit_scan_settled_delays (GstSlitScan * self, GstCaps * caps,
    guint64 interval);

/* Warns of a map that nothing is given for; once, until that has changed. */
void gst_slit_scan_warn_of_lack (GstSlitScan * self);

/* Says why nothing can be scanned; once, though upstream may try again. */
void gst_slit_scan_post_error (GstSlitScan * self, const SlitScanError * error);

/* The same for a buffer that cannot be mapped as its caps say. */
void gst_slit_scan_post_unreadable (GstSlitScan * self, GstBuffer * buffer);
void gst_slit_scan_post_unwritable (GstSlitScan * self);

/* A failed negotiation ends the stream; the element before this one would
 * report it without knowing why. */
void gst_slit_scan_post_not_negotiated (GstSlitScan * self);

/* -- gstslitscansnapshot.c ------------------------------------------------ */

/* The last output that left; NULL if there was none. On any thread. */
GstSample *gst_slit_scan_snapshot (GstSlitScan * self);

/* The oldest whole frame of the input in history that came at a running time or
 * later; NULL if there is none. On any thread. */
GstSample *gst_slit_scan_input_frame (GstSlitScan * self, guint64 from);

/* Keeps the last output before the effect changes without an output. */
void gst_slit_scan_snapshot_before_change (GstSlitScan * self);

/* The same before a late frame, and has the next outputs copied. */
void gst_slit_scan_snapshot_before_late (GstSlitScan * self);

/* Copies the output of a frame, in the scanned frame's format, if there was
 * a late frame shortly before. */
void gst_slit_scan_snapshot_follow (GstSlitScan * self, GstBuffer * output);

/* There is a newer output, which the effect can draw: gives up the kept one.
 * Called with the object lock; the caller owns what is returned, if anything,
 * and gives it back without the lock. */
GstSample *gst_slit_scan_snapshot_steal_kept (GstSlitScan * self);

/* Gives up the kept output. */
void gst_slit_scan_snapshot_clear (GstSlitScan * self);

G_END_DECLS
