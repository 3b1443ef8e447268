// A map folder is a folder of images, one of which is the map `image` at a time.

import FoundationEssentials
import GStreamer
import SlitScanCapture

/// A folder of images for the map `image`, see ``DrawingMove/image(_:)``.
///
/// It is read again with each step, so images can be put there while a show goes on.
public struct MapFolder: Sendable {
  /// The endings of images that the effect reads.
  static let endings: Set<String> = ["png", "jpg", "jpeg", "pgm"]

  private let folder: URL

  /// A folder by its path.
  ///
  /// - Throws: ``StageError/Code/badFile`` where there is no folder that may be read.
  public init(_ path: String) throws(StageError) {
    folder = URL(filePath: path, directoryHint: .isDirectory).absoluteURL
    guard (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) != nil else {
      throw StageError(.badFile, "\(path) is not a folder, or may not be read.")
    }
  }

  /// The names of its images now, in the order of their names, numbers by what they count.
  var names: [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return all.filter { name in
      !name.hasPrefix(".") && Self.endings.contains(name.fileEnding.lowercased())
    }.sorted { $0.precedes($1) }
  }

  /// An image of the folder as it was at a moment.
  package struct Image: Sendable, Hashable {
    package let name: String
    package let path: String
    /// When it was written last, and how many bytes it has.
    private let version: [Int]

    init(_ name: String, at path: String) {
      self.name = name
      self.path = path
      version =
        path.fileStatus.map { [$0.st_mtim.tv_sec, $0.st_mtim.tv_nsec, Int($0.st_size)] } ?? []
    }
  }

  func image(_ name: String) -> Image { Image(name, at: path(of: name)) }

  func path(of name: String) -> String { folder.appending(component: name).path }

  /// The name of the image that a path leads to; nil for one that is not here.
  func name(of path: String) -> String? {
    let url = URL(filePath: path)
    guard url.deletingLastPathComponent().path == folder.path else { return nil }
    return url.lastPathComponent
  }

  /// The name of the image that a word stands for: its name, also without its ending, or its number from 1 on.
  ///
  /// - Throws: ``StageError/Code/badFile``.
  func find(_ word: String) throws(StageError) -> String {
    let names = names
    if let match = Spelling(word, in: names).match { return match }
    let stems = names.map(\.fileStem)
    if let match = Spelling(word, in: stems).match, let index = stems.firstIndex(of: match) {
      return names[index]
    }
    if let number = Int(word), number > 0, names.indices.contains(number - 1) {
      return names[number - 1]
    }
    throw StageError(
      .badFile,
      names.isEmpty
        ? "There is no image in the folder of maps. It takes PNG, JPEG and PGM files."
        : "There is no image \(word) in the folder of maps. There are 1 to \(names.count).")
  }

  /// The reason why the effect cannot have an image as its map; nil where it can.
  package static func problem(with path: String) async -> String? {
    do throws(CaptureError) {
      try await ValidatedScan.requireMapImage(at: path)
      return nil
    } catch {
      // Phones are told no folders.
      return error.message.replacing(path, with: path.fileName)
    }
  }
}

extension Performance {
  /// Has the image some places later in the folder be the map, round at the ends; those that cannot be read are
  /// told and left out.
  ///
  /// - Parameter step: 1 for the next, -1 for the one before.
  /// - Returns: The move that comes to the same without the folder.
  func showMapImage(after step: Int) async throws(StageError) -> Move {
    try await mapTurns.run { () async throws(StageError) in
      let folder = try mapFolder()
      let names = names(in: folder)
      let now = currentMapImage(in: folder)
      // Where that is gone, from where it would be.
      let index =
        now.map { now in
          names.firstIndex(of: now)
            ?? (names.count { $0.precedes(now) }
              - (step > 0 ? 1 : 0))
        } ?? (step > 0 ? -1 : names.count)
      for count in 1..<(names.count + 1) {
        let place = ((index + step * count) % names.count + names.count) % names.count
        let path = folder.path(of: names[place])
        guard let problem = await MapFolder.problem(with: path) else {
          return try await show(names[place], at: path)
        }
        broadcast.tell(.warning("\(names[place]) is left out. \(problem)"))
        leaveOut(folder.image(names[place]))
      }
      throw StageError(
        .badFile,
        "There is no image that can be read in the folder of maps. It takes PNG, JPEG and PGM files."
      )
    }
  }

  /// Has an image of the folder be the map.
  ///
  /// - Parameter word: Its name, with or without its ending, or its number from 1 on.
  /// - Returns: The move that comes to the same without the folder.
  func showMapImage(_ word: String) async throws(StageError) -> Move {
    try await mapTurns.run { () async throws(StageError) in
      let folder = try mapFolder()
      _ = names(in: folder)
      let name = try folder.find(word)
      let path = folder.path(of: name)
      if let problem = await MapFolder.problem(with: path) {
        leaveOut(folder.image(name))
        throw StageError(.badFile, problem)
      }
      return try await show(name, at: path)
    }
  }

  private func show(_ name: String, at path: String) async throws(StageError) -> Move {
    let values: [String: Value] = [
      "map": try parameters.find("map").fit(.string("image")),
      "map-location": try parameters.find("map-location").fit(.string(path)),
    ]
    if state.quantize > 0 {
      wait("map", for: name) { performance throws(StageError) in
        try await performance.put(values, standsAlone: true)
      }
    } else {
      try await put(values, standsAlone: true)
    }
    return .setAll(["map": .string("image"), "map-location": .string(path)])
  }

  private func mapFolder() throws(StageError) -> MapFolder {
    guard let maps else {
      throw StageError(
        .badMove, "There is no folder of maps. Start with one, such as --maps FOLDER.")
    }
    return maps
  }

  /// The names of the images; a change of those that can be chosen is announced to all inputs.
  private func names(in folder: MapFolder) -> [String] {
    let names = folder.names
    unreadable = unreadable.filter { $0 == folder.image($0.name) }
    let left = Set(unreadable.map(\.name))
    let choices = names.filter { !left.contains($0) }
    if choices != state.mapImages {
      state.mapImages = choices
      broadcast.tell(.mapImages(choices))
    }
    return names
  }

  /// The images of the folder now, without those that could not be read.
  package func mapImages() -> [MapFolder.Image] {
    guard let maps else { return [] }
    _ = names(in: maps)
    return state.mapImages.map { maps.image($0) }
  }

  /// An image could not be read: it is no choice until its file is another.
  package func leaveOut(_ image: MapFolder.Image) {
    guard let maps else { return }
    unreadable.insert(image)
    _ = names(in: maps)
  }

  private func currentMapImage(in folder: MapFolder) -> String? {
    guard case .string(let path)? = state.values["map-location"] else { return nil }
    return folder.name(of: path)
  }
}
