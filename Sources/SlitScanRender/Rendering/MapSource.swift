// The source of a map, found by the value of the property `map`.

import CSlitScanSettings

extension SlitScanMapSource {
  /// The source of a value of the property `map`.
  init(ofMap nick: String) { self = unsafe slit_scan_map_source(slit_scan_map_of_nick(nick)) }

  /// Whether the map moves by itself.
  var moves: Bool { slit_scan_source_moves(self) }
}
