// Kernels that convert frames to tiles and tiles to frames, on all threads.

import CSlitScanKernels

extension Kernels {
  /// Stores a frame as lines of tiles.
  ///
  /// - Parameters:
  ///   - offset: Where the frame's first line is in `memory`.
  ///   - streams: Whether to go past the caches, as nothing reads it soon.
  static func store(
    _ frame: borrowing FrameSpan, tiles: TiledLayout, into memory: inout LineMemory,
    at offset: Int, streams: Bool, workers: borrowing Workers
  ) {
    guard frame.fits(tiles.layout), offset >= 0, offset % TileLine.byteCount == 0,
      memory.byteCount - offset >= tiles.byteCount
    else { return }
    guard let base = unsafe memory.start else { return }
    let slot = unsafe SlitScanSlot(
      memory: (base + offset).assumingMemoryBound(to: UInt8.self), rings: nil, streams: streams)
    unsafe store(frame, tiles: tiles, slot: slot, workers: workers)
  }

  /// Stores a frame as the newest frame of rings, see ``RingLayout``; all places must lie within
  /// them, with room for a row each if there are rows.
  static func store(
    _ frame: borrowing FrameSpan, tiles: TiledLayout, into memory: inout LineMemory,
    _ layout: borrowing RingLayout, rings: [SlitScanRing], streams: Bool,
    workers: borrowing Workers
  ) {
    let placeCount = layout.hasRows ? tiles.rowCount : tiles.lineCount
    guard frame.fits(tiles.layout),
      layout.places.byteCount >= placeCount * MemoryLayout<SlitScanPlace>.size
    else { return }
    guard let base = unsafe memory.start else { return }
    unsafe withUnsafeRings(layout, rings: rings) { rings in
      let slot = unsafe SlitScanSlot(
        memory: base.assumingMemoryBound(to: UInt8.self), rings: rings, streams: streams)
      unsafe store(frame, tiles: tiles, slot: slot, workers: workers)
    }
  }

  /// Gives `body` rings as the kernels know them; not if there are none.
  ///
  /// - Parameter rings: The rings of the layout as they are now.
  @unsafe
  static func withUnsafeRings(
    _ layout: borrowing RingLayout, rings: [SlitScanRing],
    _ body: (UnsafePointer<SlitScanRings>) -> Void
  ) {
    unsafe layout.places.bytes.withUnsafeBytes { places in
      unsafe rings.span.withUnsafeBufferPointer { rings in
        unsafe layout.slots.span.withUnsafeBufferPointer { slots in
          unsafe layout.pieceLengths.span.withUnsafeBufferPointer { lengths in
            guard let places = places.baseAddress, let rings = rings.baseAddress else { return }
            let all = unsafe SlitScanRings(
              places: places.assumingMemoryBound(to: SlitScanPlace.self),
              has_rows: layout.hasRows, rings: rings,
              slots: slots.isEmpty ? nil : slots.baseAddress, lengths: lengths.baseAddress,
              group_bytes: layout.groupBytes, group_shift: UInt32(layout.groupShift),
              slot_step: layout.slotStep, line_step: layout.lineStep)
            unsafe withUnsafePointer(to: all, body)
          }
        }
      }
    }
  }

  @unsafe
  private static func store(
    _ frame: borrowing FrameSpan, tiles: TiledLayout, slot: SlitScanSlot,
    workers: borrowing Workers
  ) {
    let strides = frame.strides
    let pool = unsafe workers.pool
    unsafe frame.withUnsafeStarts { starts in
      guard let first = unsafe starts[0] else { return }
      let planes = unsafe InlineArray<4, SlitScanSource> { index in
        let plane = min(index, tiles.grids.count - 1)
        let start = unsafe starts[plane] ?? first
        return unsafe SlitScanSource(
          rows: start.assumingMemoryBound(to: UInt8.self), stride: strides[plane],
          tiling: tiles.grids[plane].tiling)
      }
      unsafe planes.span.withUnsafeBufferPointer { planes in
        guard let planes = planes.baseAddress else { return }
        unsafe slit_scan_store(planes, tiles.grids.count, slot, pool)
      }
    }
  }

  /// Takes over what of a frame has g > `frozen` into its lines.
  ///
  /// - Parameter surfaces: The values of the map, prepared for cells.
  static func sweep(
    _ frame: borrowing FrameSpan, tiles: TiledLayout, surfaces: borrowing MapSurfaces,
    curve: SlitScanCurve, frozen: Float, into memory: inout LineMemory,
    workers: borrowing Workers
  ) {
    let values = surfaces.allValues
    let starts = InlineArray<4, Int> { index in
      surfaces.place(of: tiles.grids[min(index, tiles.grids.count - 1)].plane).start
    }
    let fits = tiles.grids.indices.allSatisfy { index in
      let cells = tiles.grids[index].plane.cellCount
      return cells > 0 && starts[index] >= 0 && starts[index] <= values.count - cells
    }
    guard fits, frame.fits(tiles.layout), memory.byteCount >= tiles.byteCount else { return }
    let strides = frame.strides
    let pool = unsafe workers.pool
    unsafe values.withUnsafeBufferPointer { values in
      unsafe frame.withUnsafeStarts { planes in
        guard let memory = unsafe memory.start, let values = values.baseAddress,
          let first = unsafe planes[0]
        else { return }
        let sweepings = unsafe InlineArray<4, SlitScanSweeping> {
          (index: Int) -> SlitScanSweeping in
          let number = min(index, tiles.grids.count - 1)
          let grid = tiles.grids[number]
          let start = unsafe planes[number] ?? first
          var map = unsafe SlitScanMapping()
          unsafe map.f = values + starts[number]
          unsafe map.cells_wide = grid.plane.cellsWide
          unsafe map.cells_high = grid.plane.cellsHigh
          unsafe map.cell_bytes = Int32(grid.shape.cellBytes)
          unsafe map.curve = curve
          return unsafe SlitScanSweeping(
            source: SlitScanSource(
              rows: start.assumingMemoryBound(to: UInt8.self), stride: strides[number],
              tiling: grid.tiling),
            map: map)
        }
        unsafe sweepings.span.withUnsafeBufferPointer { sweepings in
          guard let sweepings = sweepings.baseAddress else { return }
          unsafe slit_scan_sweep(
            sweepings, tiles.grids.count, frozen, memory.assumingMemoryBound(to: UInt8.self), pool
          )
        }
      }
    }
  }

  /// Copies the lines of a frame of history into a frame.
  ///
  /// - Parameter offset: Where the frame's first line is in `memory`.
  static func load(
    _ memory: RawSpan, at offset: Int, tiles: TiledLayout, into frame: inout MutableFrameSpan,
    workers: borrowing Workers
  ) {
    guard frame.fits(tiles.layout), offset >= 0, offset % TileLine.byteCount == 0,
      memory.byteCount - offset >= tiles.byteCount
    else { return }
    let pool = unsafe workers.pool
    unsafe memory.withUnsafeBytes { memory in
      guard let base = memory.baseAddress else { return }
      unsafe withTargets(&frame, tiles: tiles) { targets in
        guard let planes = targets.baseAddress else { return }
        unsafe slit_scan_load(
          (base + offset).assumingMemoryBound(to: UInt8.self), planes, targets.count, pool)
      }
    }
  }

  /// Copies the newest frame of history into lines, the first of them at `offset`.
  @unsafe
  static func copyNewest(
    of frames: SlitScanHistoryFrames, tiles: TiledLayout, to lines: inout LineMemory,
    at offset: Int
  ) {
    guard offset >= 0, offset % TileLine.byteCount == 0,
      lines.byteCount - offset >= tiles.byteCount
    else { return }
    let tilings = InlineArray<4, SlitScanTiling> { index in
      tiles.grids[min(index, tiles.grids.count - 1)].tiling
    }
    unsafe tilings.span.withUnsafeBufferPointer { tilings in
      guard let base = unsafe lines.start, let first = tilings.baseAddress else { return }
      unsafe withUnsafePointer(to: frames) { frames in
        unsafe slit_scan_copy_newest(
          frames, first, tiles.grids.count, (base + offset).assumingMemoryBound(to: UInt8.self))
      }
    }
  }

  /// Gives `body` the planes of a frame, as the kernels know them.
  @unsafe
  static func withTargets(
    _ frame: inout MutableFrameSpan, tiles: TiledLayout,
    _ body: (UnsafeBufferPointer<SlitScanTarget>) -> Void
  ) {
    let strides = frame.strides
    unsafe frame.withUnsafeStarts { starts in
      guard let first = unsafe starts[0] else { return }
      let planes = unsafe InlineArray<4, SlitScanTarget> { index in
        let plane = min(index, tiles.grids.count - 1)
        let start = unsafe starts[plane] ?? first
        return unsafe SlitScanTarget(
          rows: start.assumingMemoryBound(to: UInt8.self), stride: strides[plane],
          tiling: tiles.grids[plane].tiling)
      }
      unsafe planes.span.extracting(first: tiles.grids.count).withUnsafeBufferPointer(body)
    }
  }

  /// Makes the delays of planes, see ``DelayMap``.
  ///
  /// - Parameters:
  ///   - planes: The planes, and where their values start in `values`, unless they are `raster`'s.
  ///   - ages: The ages of the frames held, as parts of the longest delay; empty if delays count
  ///     frames.
  /// - Returns: The largest level that any line shows something of.
  static func map(
    _ planes: [MappedPlane], values: Span<Float>, raster: borrowing Raster, curve: SlitScanCurve,
    ages: Span<Double>, slack: Double, into lanes: inout DelayLanes, workers: borrowing Workers
  ) -> UInt32 {
    let rasterCount = raster.width * raster.height
    let fits = planes.allSatisfy { plane in
      let cells = plane.grid.plane.cellCount
      return cells > 0 && plane.start >= 0
        && plane.start <= (plane.isFromRaster ? rasterCount : values.count) - cells
    }
    guard fits, lanes.fit(planes), 1...4 ~= planes.count else { return 0 }
    let pool = unsafe workers.pool
    let rasterValues = raster.values
    let samples = raster.samples
    var (black, scale): (Float, Float) = (0, 0)
    if case .samples(let first, let second) = raster.form { (black, scale) = (first, second) }
    var deepest: UInt32 = 0
    unsafe values.withUnsafeBufferPointer { values in
      unsafe rasterValues.withUnsafeBufferPointer { rasterValues in
        unsafe samples.withUnsafeBytes { samples in
          unsafe ages.withUnsafeBufferPointer { ages in
            guard let lines = unsafe lanes.lines.start, let wide = unsafe lanes.wide.start
            else { return }
            let mappings = unsafe InlineArray<4, SlitScanMapping> { index in
              let plane = planes[min(index, planes.count - 1)]
              var rule = unsafe plane.rule
              unsafe rule.ages = ages.isEmpty ? nil : ages.baseAddress
              unsafe rule.age_count = ages.count
              unsafe rule.age_slack = slack
              let f = plane.isFromRaster ? rasterValues.baseAddress : values.baseAddress
              let narrow = unsafe lanes.narrow.start.map {
                unsafe $0 + plane.firstLine * plane.narrowBytes
              }
              return unsafe SlitScanMapping(
                f: f.map { unsafe $0 + plane.start },
                samples: plane.isFromRaster && !samples.isEmpty
                  ? samples.baseAddress?.assumingMemoryBound(to: UInt8.self) : nil,
                black: black, scale: scale, cells_wide: plane.grid.plane.cellsWide,
                cells_high: plane.grid.plane.cellsHigh,
                cell_bytes: Int32(plane.grid.shape.cellBytes), tiling: plane.grid.tiling,
                curve: curve, rule: rule,
                lines: lines.assumingMemoryBound(to: LineDelay.self) + plane.firstLine,
                levels: narrow?.assumingMemoryBound(to: UInt8.self),
                narrow: narrow?.assumingMemoryBound(to: UInt16.self),
                wide: (wide + plane.firstLine * plane.wideBytes)
                  .assumingMemoryBound(to: UInt32.self))
            }
            unsafe mappings.span.withUnsafeBufferPointer { mappings in
              guard let mappings = mappings.baseAddress else { return }
              deepest = unsafe slit_scan_map(mappings, planes.count, pool)
            }
          }
        }
      }
    }
    return deepest
  }

  /// Draws a frame from history.
  ///
  /// - Parameters:
  ///   - planes: The planes and how they are read, in the frame's order.
  ///   - history: The history; holds at least one frame.
  ///   - skipped: The frames that are added to each delay.
  ///   - flow: The motion between its frames.
  ///   - alongMotion: Whether frames between those follow from it.
  ///   - rows: The delay of each row, plane after plane; empty where it is not the same all along.
  ///   - late: What is shown of frames older than the oldest.
  /// - Returns: false if history is on a disk that fails.
  static func read<Frames: HistoryFrames & ~Copyable>(
    _ planes: [MappedPlane], history: borrowing Frames, skipping skipped: Int,
    tiles: TiledLayout, flow: borrowing FlowFields, alongMotion: Bool, rows: Span<RowDelay>,
    lanes: borrowing DelayLanes, late: WarmupFill, into frame: inout MutableFrameSpan,
    workers: borrowing Workers
  ) -> Bool {
    guard lanes.fit(planes), planes.count == tiles.grids.count, frame.fits(tiles.layout),
      rows.isEmpty || rows.count == tiles.rowCount
    else { return true }
    var isDrawn = true
    let pool = unsafe workers.pool
    let isBigEndian = tiles.layout.isBigEndian
    unsafe history.withUnsafeFrames(skipping: skipped) { frames in
      unsafe late.withUnsafeColour { colour in
        unsafe rows.withUnsafeBufferPointer { rows in
          unsafe withTargets(&frame, tiles: tiles) { targets in
            guard let lines = unsafe lanes.lines.start, let wide = unsafe lanes.wide.start
            else { return }
            let firstRow = rows.isEmpty ? nil : rows.baseAddress
            let readings = unsafe InlineArray<4, SlitScanReading> { index in
              let number = min(index, planes.count - 1)
              let plane = planes[number]
              let narrow = unsafe lanes.narrow.start.map {
                unsafe $0 + plane.firstLine * plane.narrowBytes
              }
              return unsafe SlitScanReading(
                target: targets[number],
                delays: lines.assumingMemoryBound(to: LineDelay.self) + plane.firstLine,
                levels: narrow?.assumingMemoryBound(to: UInt8.self),
                narrow: narrow?.assumingMemoryBound(to: UInt16.self),
                wide: (wide + plane.firstLine * plane.wideBytes)
                  .assumingMemoryBound(to: UInt32.self),
                kind: plane.readKind(isBigEndian: isBigEndian),
                unused_bits: UInt32(plane.grid.plane.unusedBits), late: late.kind,
                colour: colour?[number],
                rows: firstRow.map { unsafe $0 + plane.grid.firstRow })
            }
            unsafe readings.span.withUnsafeBufferPointer { readings in
              guard let readings = readings.baseAddress else { return }
              unsafe withUnsafePointer(to: frames) { frames in
                if alongMotion, !flow.isEmpty {
                  isDrawn = unsafe slit_scan_page_in(frames, readings, planes.count)
                  unsafe flow.warp(frames, readings, count: planes.count, pool: pool)
                } else {
                  isDrawn = unsafe slit_scan_read(frames, readings, planes.count, pool)
                }
              }
            }
          }
        }
      }
    }
    return isDrawn
  }
}
