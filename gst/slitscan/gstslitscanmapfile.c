#include "gstslitscanmapfile.h"
struct _GstSlitScanMapFile { int x; };
GstSlitScanMapFile *gst_slit_scan_map_file_new (GstSlitScanMapFileFunc func, gpointer u) { return g_new0 (GstSlitScanMapFile, 1); }
void gst_slit_scan_map_file_free (GstSlitScanMapFile * s) { g_free (s); }
void gst_slit_scan_map_file_load (GstSlitScanMapFile * s, const gchar * l) {}
gboolean gst_slit_scan_map_file_wait (GstSlitScanMapFile * s, GstClockTime t) { return TRUE; }
