// A film reader is closed once it is not needed any more.

/// Reads something of one film.
protocol FilmReader {
  /// Closes the film, and returns once it is closed.
  func close() async
}

extension FilmReader {
  /// Reads, and closes the film then, also where that fails: nothing of it goes on when this returns.
  consuming func read<Value>(
    _ body: (inout Self) async throws -> Value
  ) async throws -> Value {
    var reader = self
    do {
      let value = try await body(&reader)
      await reader.close()
      return value
    } catch {
      await reader.close()
      throw error
    }
  }
}
