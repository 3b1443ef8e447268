// Tests of the file in which the places of windows are kept.

import Foundation
import SlitScanWindow
import TemporaryFolder
import Testing

@testable import SlitScanStage

@Suite struct KeptWindowsTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/a/b/windows" }
  private let screen = StageDisplay(number: 1, name: "eDP-1 13\"", width: 0, height: 0)
  private let wall = StageDisplay(number: 2, name: "HDMI: on 2", width: 0, height: 0)

  @Test func theNextShowFindsTheWindowsOfEachDisplayTheLatestFirst() throws {
    var kept = KeptWindows(path: path)
    let frames = [(screen, 1), (wall, 2), (screen, -3), (wall, 4)].map { display, x in
      WindowFrame(display: display, x: x, y: 2 * x, width: 640, height: 360)
    }
    for frame in frames { kept.keep(frame, of: 1, among: 2) }
    kept.keep(frames[0], of: 1, among: 1)
    try kept.write()
    let read = KeptWindows(path: path)
    #expect(read.frames(of: 1, among: 2) == [frames[3], frames[2]])
    #expect(read.frames(of: 1, among: 1) == [frames[0]])
    #expect(read.frames(of: 2, among: 2) == [])
  }

  @Test func aFileThatWouldStayTheSameIsNotWritten() throws {
    var kept = KeptWindows(path: path)
    let frame = WindowFrame(
      display: StageDisplay(number: 1, name: "eDP-1", width: 1920, height: 1080), x: 1, y: 2,
      width: 640, height: 360, isFullScreen: true)
    kept.keep(frame, of: 1, among: 1)
    try kept.write()
    try FileManager.default.removeItem(atPath: path)
    var later = kept
    later.keep(frame, of: 1, among: 1)
    try later.write()
    #expect(!FileManager.default.fileExists(atPath: path))
    later.keep(frame, of: 2, among: 2)
    try later.write()
    #expect(KeptWindows(path: path).frames(of: 1, among: 1).count == 1)
  }

  @Test func whatIsNoLineOfItIsLeftOut() throws {
    let file = folder.path + "/windows"
    let line = "1 of 1: 640x360+1+2 on 1 eDP-1"
    try "\n1 of\n1 of 1: 99999999999999999999x1+1+1 on 1 a\n\(line)\n\u{0}".write(
      toFile: file, atomically: true, encoding: .utf8)
    #expect(KeptWindows(path: file).frames(of: 1, among: 1).map(\.width) == [640])
  }

  @Test func aFolderThatCannotBeWrittenIsASentence() throws {
    try Data().write(to: URL(filePath: folder.path + "/a"))
    var kept = KeptWindows(path: path)
    kept.keep(
      WindowFrame(display: screen, x: 0, y: 0, width: 640, height: 360), of: 1, among: 1)
    let error = #expect(throws: StageError.self) { try kept.write() }
    #expect(error?.message.hasPrefix(path) == true, "\(error?.message ?? "")")
  }
}
