// Setting and reading single properties of the effect while a capture runs.

import GStreamer

extension CapturePipeline {
  /// Sets one property of the effect with the next frame, however many changes wait for their turn.
  ///
  /// - Throws: ``CaptureError/Code/badScan``; the effect goes on as before then.
  package func set(_ property: String, to value: Value) throws(CaptureError) {
    var changed = scan
    changed.properties[property] = value
    guard let stream else {
      _ = try ValidatedScan(changed)
      take(property, value)
      return
    }
    if pendingChange?.contains(property) == true {
      let settled = try ValidatedScan(changed)
      let isLate = pendingChange?.replace(property, with: settled.value(of: property) ?? value)
      if isLate == false { try? stream.scan.set(property, to: value) }
    } else {
      do throws(GStreamerError) {
        try stream.scan.set(property, to: value)
      } catch {
        throw CaptureError(.badScan, error.message, underlying: error)
      }
    }
    take(property, value)
    if property == "mode" || property == "canvas" { changePhotos() }
  }

  private func take(_ property: String, _ value: Value) {
    scan.properties[property] = value
    setCount += 1
    lastSets[property] = setCount
  }

  /// Sets several properties of the effect with the same frame; all others stay what they are at that moment.
  ///
  /// Those that are set by themselves while this waits for its turn have newer values, which stay.
  ///
  /// - Throws: ``CaptureError/Code/badScan``; the effect goes on as before then.
  package func set(_ properties: [String: Value]) async throws(CaptureError) {
    let count = setCount
    try await changing { _ throws(CaptureError) in
      let properties = properties.filter { lastSets[$0.key, default: 0] <= count }
      let before = scan
      var changed = scan
      changed.properties.merge(properties) { _, new in new }
      let settled = try ValidatedScan(changed)
      scan = changed
      guard let stream else { return }
      let change = PropertyChange(
        Dictionary(
          uniqueKeysWithValues: properties.map { ($0.key, settled.value(of: $0.key) ?? $0.value) }))
      pendingChange = change
      defer { pendingChange = nil }
      do throws(CaptureError) {
        try await stream.set(change)
      } catch {
        let newer = change.cancel()
        for (name, value) in newer { try? stream.scan.set(name, to: value) }
        for name in properties.keys where newer[name] == nil {
          scan.properties[name] = before.properties[name]
        }
        throw error
      }
      changePhotos()
    }
  }

  /// Lets a property move by itself, or ends that, see ``CaptureSession/move(_:_:)``.
  package func move(_ property: String, _ motion: Motion?) throws(CaptureError) {
    do throws(GStreamerError) {
      let element: Element
      if let stream { element = stream.scan } else { element = try Element("slitscan") }
      if let motion { try element.move(property, motion) } else { try element.hold(property) }
    } catch {
      throw CaptureError(.badScan, error.message, underlying: error)
    }
    motions[property] = motion
    if motion == nil, let value = value(of: property) { take(property, value) }
  }

  /// The value of a property at this moment; nil where nothing is open, or there is no such property.
  package func value(of property: String) -> Value? {
    guard let stream else { return scan.properties[property] }
    return try? stream.scan.get(property)
  }

  /// The time, in what is played, of the newest frame that has reached the effect.
  package var streamTime: ClockTime { stream?.streamTime.value ?? .zero }

  /// The size of the frames that come, nil where nothing has come yet.
  package var frameSize: (width: Int, height: Int)? {
    guard let caps = try? stream?.effect.element.pad("sink").caps,
      let info = try? VideoInfo(caps)
    else {
      return nil
    }
    return (info.width, info.height)
  }

  /// Shows black, or the video again, see ``CaptureSession/setBlack(_:)``.
  package func setBlack(_ isBlack: Bool) { blackout.isOn = isBlack }

  package var isBlack: Bool { blackout.isOn }

  /// The keys that are pressed in windows of previews, see ``CaptureSession/keyPresses``.
  package nonisolated var keyPresses: AsyncStream<String> { keys.listen(limit: 100) }

  /// The previews whose windows are asked to be closed, from now on; they stay open.
  package nonisolated var closeRequests: AsyncStream<PreviewID> { closing.listen(limit: 100) }

  /// The loudness of the sound, see ``CaptureSession/soundLevels``.
  package nonisolated var soundLevels: AsyncStream<SoundLevel> { levels.listen(limit: 1) }
}
