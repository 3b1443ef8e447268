// The OSC socket sends and receives UDP datagrams.

import GStreamer
import LibC
import SlitScanStage

/// A socket of UDP that is bound to one address, and the thread that reads it.
///
/// The thread has a descriptor of its own, so neither it nor a sender ever uses one that is closed.
final class OSCSocket: Sendable {
  /// The most bytes that UDP carries, and one more.
  private static let longest = 65_536

  private let descriptor: Int32
  private let family: Int32
  private let stopper: Stopper
  private let ended = AsyncStream.makeStream(of: Never.self)
  /// The endpoint to which it is bound; with the port that the system chose where 0 was asked for.
  let endpoint: OSCEndpoint

  /// - Throws: ``StageError/Code/inputFailed``, with what to do.
  init(bind host: String, port: UInt16) throws(StageError) {
    guard let wanted = OSCEndpoint(host, port: port) else {
      throw StageError(
        .inputFailed,
        "OSC cannot listen at \(host). Give an address of this machine in figures: 127.0.0.1 for "
          + "programs on this machine, 0.0.0.0 for everybody in the network.")
    }
    let family = wanted.isIPv4 ? AF_INET : AF_INET6
    let descriptor = socket(family, Int32(SOCK_DGRAM.rawValue) | Self.closedOnExec, 0)
    guard descriptor >= 0 else { throw Self.failure(wanted, errno) }
    let status = unsafe wanted.withAddress(for: family) { unsafe bind(descriptor, $0, $1) }
    guard status == 0,
      let (endpoint, _) = unsafe OSCEndpoint.said(by: {
        unsafe Int(getsockname(descriptor, $0, $1))
      })
    else {
      let error = errno
      close(descriptor)
      throw Self.failure(wanted, error)
    }
    // As much as the system allows, for clients that send everything at once.
    var size: Int32 = 4 << 20
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    guard let stopper = Stopper() else {
      let error = errno
      close(descriptor)
      throw Self.failure(wanted, error)
    }
    self.descriptor = descriptor
    self.family = family
    self.endpoint = endpoint
    self.stopper = stopper
  }

  deinit {
    close(descriptor)
    stopper.stop()
  }

  private static let atOnce = Int32(MSG_DONTWAIT)
  private static let closedOnExec = Int32(SOCK_CLOEXEC.rawValue)

  private static func failure(_ wanted: OSCEndpoint, _ error: Int32) -> StageError {
    let what =
      switch error {
      case EADDRINUSE:
        "another program listens there. End it, or give another port."
      case EADDRNOTAVAIL:
        "this machine has no such address. 127.0.0.1 is for programs on this machine, 0.0.0.0 for "
          + "everybody in the network."
      case EACCES:
        "the system does not allow it. Give a port from 1024 on."
      default: "\(unsafe String(cString: strerror(error)))."
      }
    return StageError(.inputFailed, "OSC cannot listen at \(wanted): \(what)")
  }

  /// Starts the thread, which hands on each datagram that comes.
  ///
  /// - Parameter take: Is called on that thread only. Holds the socket up while it runs.
  /// - Throws: ``StageError/Code/inputFailed`` where the system has no more descriptors.
  func receive(_ take: @escaping @Sendable ([UInt8], OSCEndpoint) -> Void) throws(StageError) {
    let descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { throw Self.failure(endpoint, errno) }
    let end = ended.continuation
    startThread("osc") { [stopper] in
      var buffer = [UInt8](repeating: 0, count: Self.longest)
      while stopper.wait(for: descriptor) != .stopped {
        let datagram = unsafe buffer.withUnsafeMutableBytes { bytes in
          unsafe OSCEndpoint.said {
            unsafe recvfrom(descriptor, bytes.baseAddress, bytes.count, Self.atOnce, $0, $1)
          }
        }
        guard let (sender, count) = datagram else { continue }
        take(Array(buffer.prefix(count)), sender)
      }
      close(descriptor)
      end.finish()
    }
  }

  /// Sends a datagram, without ever waiting.
  ///
  /// - Returns: Whether it has gone, or never will; false where it is worth trying again.
  func send(_ bytes: [UInt8], to receiver: OSCEndpoint) -> Bool {
    guard family == AF_INET6 || receiver.isIPv4 else { return true }
    let count = unsafe bytes.withUnsafeBytes { bytes in
      unsafe receiver.withAddress(for: family) { address, length in
        unsafe sendto(
          descriptor, bytes.baseAddress, bytes.count, Self.atOnce, address, length)
      }
    }
    return count >= 0 || (errno != EAGAIN && errno != ENOBUFS && errno != EINTR)
  }

  /// Ends the thread that ``receive(_:)`` has started, and waits for it.
  func end() async {
    stopper.stop()
    for await _ in ended.stream {}
  }
}
