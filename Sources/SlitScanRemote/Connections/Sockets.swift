// Sockets that are awaited.

import FlyingSocks
import Foundation
import SlitScanStage

/// Where sockets of remotes wait, all in one place: FlyingFox's pool, which has a thread in `epoll_wait`.
actor Sockets {
  /// The one of this process; it never ends, as a pool that does leaves a descriptor open.
  static let shared = Sockets()

  private let pool: any AsyncSocketPool = SocketPool.make()
  /// Can always be written to.
  private var anchor: Socket?
  private var starting: Task<Socket, any Error>?

  /// Begins to watch sockets, the first time.
  ///
  /// - Throws: What the system says; the next one tries again then.
  private func start() async throws {
    guard anchor == nil else { return }
    let pool = pool
    let starting =
      starting
      ?? Task {
        let anchor = try Socket(domain: AF_INET, type: .datagram)
        Self.closeWhenExecuting(anchor)
        try await pool.prepare()
        Task.detached { try await pool.run() }
        return anchor
      }
    self.starting = starting
    do {
      anchor = try await starting.value
    } catch {
      self.starting = nil
      throw error
    }
  }

  /// Listens.
  ///
  /// - Parameter address: An address in digits, or `localhost`.
  /// - Throws: ``StageError/Code/inputFailed``.
  func listen(on address: String, port: UInt16) async throws(StageError) -> AsyncSocket {
    do {
      try await start()
      let socket = try Self.bound(to: address, port: port)
      do {
        Self.closeWhenExecuting(socket)
        return try AsyncSocket(socket: socket, pool: pool)
      } catch {
        try? socket.close()
        throw error
      }
    } catch {
      throw Self.explain(error, address, port)
    }
  }

  private static func bound(to address: String, port: UInt16) throws -> Socket {
    let address = address == "localhost" ? "127.0.0.1" : address
    if address.contains(":") {
      return try bound(to: sockaddr_in6.inet6(ip6: address, port: port), AF_INET6)
    }
    return try bound(to: sockaddr_in.inet(ip4: address, port: port), AF_INET)
  }

  private static func bound(to address: some SocketAddress, _ family: Int32) throws -> Socket {
    let socket = try Socket(domain: family, type: .stream)
    do {
      try socket.setValue(true, for: .localAddressReuse)
      try socket.bind(to: address)
    } catch {
      try? socket.close()
      throw error
    }
    // Closes it where it fails.
    try socket.listen()
    return socket
  }

  private static func explain(
    _ error: any Error, _ address: String, _ port: UInt16
  ) -> StageError {
    guard case SocketError.failed(let call, let number, let message) = error else {
      return StageError(.inputFailed, "The remote cannot listen: \(error).")
    }
    guard !call.hasPrefix("inet_pton") else {
      return StageError(
        .inputFailed, "\(address) is no address. Write it in digits, as 127.0.0.1 or 0.0.0.0.")
    }
    switch number {
    case EADDRINUSE:
      return StageError(
        .inputFailed, "Port \(port) is in use. Give the remote another one, or 0 for any.")
    case EADDRNOTAVAIL:
      return StageError(.inputFailed, "This machine has no address \(address).")
    case EACCES:
      return StageError(
        .inputFailed, "Port \(port) is for the system alone. Give the remote one from 1024 on.")
    default:
      return StageError(
        .inputFailed, "The remote cannot listen on \(address), port \(port): \(message).")
    }
  }

  /// Closes a socket that nobody waits for any more.
  func close(_ socket: AsyncSocket) async {
    let (pool, anchor) = (pool, anchor)
    // Who waited for the socket goes on before the pool has forgotten that somebody did; closed now, the
    // next socket of its number would never be waited for. When another wait has come and gone, it has.
    await Task {
      if let anchor { try? await pool.suspendSocket(anchor, untilReadyFor: .write) }
      try? socket.close()
    }.value
  }

  /// Keeps a socket out of programs that this one starts.
  static func closeWhenExecuting(_ socket: Socket) {
    _ = fcntl(socket.file.rawValue, F_SETFD, FD_CLOEXEC)
  }
}

/// Does something, but not for longer than this.
///
/// - Returns: Nil where the time was over first.
func within<Result: Sendable>(
  _ duration: Duration, _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result? {
  try await withThrowingTaskGroup(of: Result?.self) { group in
    group.addTask { try await body() }
    group.addTask {
      try await Task.sleep(for: duration)
      return nil
    }
    defer { group.cancelAll() }
    return try await group.next() ?? nil
  }
}
