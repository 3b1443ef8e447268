// Tests of photos, as other programs read them.

import Foundation
import Footage
import GStreamer
import LibC
import TemporaryFolder
import Testing

@testable import SlitScanCapture

@Suite(.serialized) struct PhotoTests {
  private let folder = TemporaryFolder()

  /// Frames of one colour in YUV, and the colour in RGB: the ranges and matrices of SD, HD and JPEG.
  @Test(arguments: [
    ("bt601", [16, 128, 128], [0, 0, 0]),
    ("bt601", [235, 128, 128], [255, 255, 255]),
    ("bt601", [81, 90, 240], [255, 0, 0]),
    ("bt709", [63, 102, 240], [255, 0, 0]),
    ("1:4:0:0", [76, 85, 255], [255, 0, 0]),
  ])
  func filesHaveTheColoursOfTheFrame(
    colorimetry: String, yuv: [UInt8], rgb: [Int]
  ) async throws {
    let caps = try Caps(
      "video/x-raw,format=I420,width=32,height=16,framerate=25/1,colorimetry=\(colorimetry)")
    let info = try VideoInfo(caps)
    var buffer = try WritableBuffer(info)
    try buffer.withVideoFrame(info) { frame in
      for plane in 0..<3 {
        for row in 0..<(plane == 0 ? 16 : 8) {
          var samples = frame.mutableRow(row, ofPlane: plane)
          for index in samples.indices { samples[index] = yuv[plane] }
        }
      }
    }
    let photo = Photo(Sample(buffer.finish(), caps: caps))
    for name in ["photo.png", "photo.jpg"] {
      try await photo.write(to: "\(folder)/\(name)")
      let colour = try await DecodedFile(path: "\(folder)/\(name)").meanColour()
      for (value, expected) in zip(colour, rgb) {
        #expect(abs(Int(value) - expected) <= 4, "\(name): \(colour), not \(rgb)")
      }
    }
  }

  @Test func aPipeIsNotReplaced() async throws {
    let photo = Photo(try Footage().frame(0))
    let path = "\(folder)/photo.png"
    try #require(mkfifo(path, 0o600) == 0)
    let error = await #expect(throws: CaptureError.self) { try await photo.write(to: path) }
    #expect(error?.code == .notWritable)
    #expect(error?.message.contains("is no file") == true)
    #expect(try folder.files == ["photo.png"])
    // A link is written behind.
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/link.png", withDestinationPath: "still.png")
    try Data().write(to: URL(filePath: "\(folder)/still.png"))
    try await photo.write(to: "\(folder)/link.png")
    #expect(try await DecodedFile(path: "\(folder)/still.png").stream("v").frames == 1)
  }
}
