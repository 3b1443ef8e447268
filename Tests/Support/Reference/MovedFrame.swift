// The reference of feedback that moves: the last output, scaled, turned and moved, in whole numbers.

/// The picture that is fed back.
struct MovedFrame {
  /// As `Frame.samples`; nil where there is no picture.
  private(set) var samples: [[UInt16?]] = []

  init(_ frame: Frame, _ settings: Settings, format: FormatDescription) {
    let isStill =
      (settings.feedbackZoom, settings.feedbackRotation, settings.feedbackX, settings.feedbackY)
      == (1, 0, 0, 0)
    let (sine, cosine) = DelayMap.direction(settings.feedbackRotation)
    for (number, component) in format.components.enumerated() {
      let words = frame.samples[number]
      guard !isStill else {
        samples.append(words)
        continue
      }
      let columns = component.columns(ofWidth: frame.width)
      let rows = component.rows(ofHeight: frame.height)
      let (width, height) = (Double(frame.width), Double(frame.height))
      let (sx, sy) = (Double(component.columnsPerSample), Double(component.rowsPerSample))
      let (cx, cy) = (settings.centerX * width, settings.centerY * height)
      let zoom = settings.feedbackZoom
      func whole(_ number: Double) -> Int { Int((256 * number + 0.5).rounded(.down)) }
      func word(_ i: Int, _ j: Int) -> Int {
        let at = min(max(j, 0), rows - 1) * columns + min(max(i, 0), columns - 1)
        return Int(words[at]) >> component.shift
      }
      samples.append(
        (0..<columns * rows).map { at in
          let x = (Double(at % columns) + 0.5) * sx - cx - settings.feedbackX * width
          let y = (Double(at / columns) + 0.5) * sy - cy - settings.feedbackY * height
          let u = whole((cx + x / zoom * cosine) / sx - 0.5) + whole(y / zoom * sine / sx)
          let v = whole(-x / zoom * sine / sy) + whole((cy + y / zoom * cosine) / sy - 0.5)
          guard min(u, v) >= -128, u < 256 * columns - 128, v < 256 * rows - 128 else {
            return nil
          }
          let (i, across) = u.floorDivided(by: 256)
          let (j, down) = v.floorDivided(by: 256)
          let sum =
            (word(i, j) * (256 - across) + word(i + 1, j) * across) * (256 - down)
            + (word(i, j + 1) * (256 - across) + word(i + 1, j + 1) * across) * down
          return UInt16((sum + 32_768) / 65_536) << UInt16(component.shift)
        })
    }
  }
}
