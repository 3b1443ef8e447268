// Tests of capture configurations as values, and of the difference of two.

import GStreamer
import Testing

@testable import SlitScanCapture

@Suite struct CaptureConfigurationTests {
  private func make(
    @CaptureBuilder _ parts: () -> [any CapturePart]
  ) throws(CaptureError) -> CaptureConfiguration {
    try CaptureConfiguration(parts())
  }

  private func difference(
    _ old: CaptureConfiguration, _ new: CaptureConfiguration
  ) -> CaptureDifference {
    CaptureDifference(from: old, to: new)
  }

  @Test func theSamePartsInAnotherOrderAreTheSame() throws {
    let one = try make {
      TestPattern()
      Scan(["map": "radial"])
      Preview()
      Record(to: "a.mp4")
    }
    let other = try make {
      Record(to: "a.mp4")
      Preview()
      Scan(["map": "radial"])
      TestPattern()
    }
    #expect(one == other)
    let nothing = difference(one, other)
    #expect(!nothing.changesVideo && !nothing.changesScan && !nothing.changesSound)
    #expect(nothing.opened.isEmpty && nothing.closed.isEmpty)
    #expect(nothing.begun.isEmpty && nothing.ended.isEmpty)
  }

  @Test(arguments: [true, false]) func conditionsAndLoopsMakeParts(isRecording: Bool) throws {
    let configuration = try make {
      if isRecording { Camera() } else { TestPattern() }
      if isRecording { Record(to: "a.mp4") }
      for number in 0..<3 { Preview("fakesink", id: "screen \(number)") }
    }
    #expect(configuration.recordings.count == (isRecording ? 1 : 0))
    #expect(configuration.previews.count == 3)
    #expect(configuration.video == (isRecording ? .camera(Camera()) : .pattern(TestPattern())))
  }

  @Test func contradictoryConfigurationsAreErrors() {
    func code(@CaptureBuilder _ parts: () -> [any CapturePart]) -> CaptureError.Code? {
      do {
        _ = try CaptureConfiguration(parts())
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code {} == nil)
    #expect(code { Preview() } == .badConfiguration)
    #expect(
      code {
        Camera()
        TestPattern()
      } == .badConfiguration)
    #expect(
      code {
        Camera()
        Microphone()
        TestTone()
      } == .badConfiguration)
    #expect(
      code {
        Camera()
        Scan()
        Scan()
      } == .badConfiguration)
    #expect(
      code {
        Camera()
        Record(to: "a.mp4")
        Record(to: "a.mp4")
      } == .badConfiguration)
    #expect(
      code {
        Camera()
        Preview(id: "a")
        Preview(id: "a")
      } == .badConfiguration)
    #expect(
      code {
        Camera()
        Preview()
        Preview()
      } == nil)
  }

  @Test func aPreviewThatGoesIsTheOneThatWentAndTheOthersStay() throws {
    let both = try make {
      TestPattern()
      Preview("glimagesink")
      Preview("fakesink")
    }
    let one = try make {
      TestPattern()
      Preview("fakesink")
    }
    #expect(difference(both, one).closed.map(\.sink) == ["glimagesink"])
    #expect(difference(both, one).opened.isEmpty)
    #expect(difference(one, both).opened.map(\.sink) == ["glimagesink"])
  }

  @Test func aRecordingWithOtherSettingsBeginsAnew() throws {
    let old = try make {
      TestPattern()
      Record(to: "a.mp4")
      Record(to: "b.mp4")
    }
    let new = try make {
      TestPattern()
      Record(to: "a.mp4", video: VideoSettings(bitRate: 1_000_000))
      Record(to: "b.mp4")
    }
    #expect(difference(old, new).ended == ["a.mp4"])
    #expect(difference(old, new).begun == ["a.mp4"])
  }

  @Test func aSourceOfOnesOwnIsTheSameIfItIsTheSameObject() throws {
    let (one, other) = (InMemorySource([]), InMemorySource([]))
    #expect(try make { CustomVideo(from: one) } == make { CustomVideo(from: one) })
    #expect(try make { CustomVideo(from: one) } != make { CustomVideo(from: other) })
    let (tone, otherTone) = (TestToneSource(), TestToneSource())
    func sound(_ source: TestToneSource) throws -> CaptureConfiguration {
      try make {
        TestPattern()
        CustomSound(from: source)
      }
    }
    #expect(try sound(tone) == sound(tone))
    #expect(try difference(sound(tone), sound(otherTone)).changesSound)
  }
}
