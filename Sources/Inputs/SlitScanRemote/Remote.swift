// The remote serves a web page from which phones control a performance.

import CSoup
import FoundationEssentials
import GStreamer
import SlitScanStage

/// A remote: serves one page, with which any number of phones play along.
///
/// ```swift
/// let remote = Remote(performance, feed: .frames(of: session), bind: "0.0.0.0")
/// let address = try await remote.start()
/// print("Open \(address.url) and type \(address.code ?? "nothing").")
/// // and at the end
/// await remote.stop()
/// ```
///
/// Every fader on the page is made from the table of properties when it is opened. All phones show the
/// same state, no matter what changes it, and the current frame.
///
/// By default only this machine can connect. With any other address, a phone has to give the pairing
/// code once; a cookie proves it from then on, until the remote stops. A code that is given is always asked
/// for, and is the same when the show begins anew. The page comes over HTTP: the code can be read by anything that
/// can read the traffic, so keep to networks you trust.
///
/// Clients can do what moves can, with names of files left out. One that floods, sends malformed messages,
/// vanishes or is slow does not affect the others or the show.
public actor Remote {
  /// The address of a remote.
  public struct Address: Sendable, Hashable {
    /// The URL for a browser, such as `http://192.168.1.20:8420/`.
    public let url: String
    /// The same under every address of this machine.
    public let urls: [String]
    /// The port, also where any was asked for.
    public let port: UInt16
    /// The pairing code for phones; nil where only this machine can connect.
    public let code: String?
  }

  /// The port unless another is given.
  public static let standardPort: UInt16 = 8420

  /// The thread of libsoup.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe WebThread.shared.asUnownedSerialExecutor()
  }

  private let performance: Performance
  private let feed: PreviewFeed?
  private let bind: String
  private let port: UInt16
  private let code: String?
  private let limits: Limits
  private let clock: any SteadyClock
  private let surface: JSON

  private var address: Address?
  private var server: WebServer?
  private var following: Task<Void, Never>?
  private var showing: Task<Void, Never>?
  private var drawing: Task<Void, Never>?
  private var thumbnails: [Thumbnail: Data] = [:]
  private var accessControl = AccessControl(isLoopback: true, machine: "")
  private var pairing: Pairing?
  /// The state, as far as changes have been heard of.
  private var now = Update()
  /// The tasks that wait for the end of each visit.
  private var visits: [UInt64: Task<Void, Never>] = [:]
  /// The waits until there are no more visits than a number.
  private var waits: [(count: Int, end: AsyncStream<Never>.Continuation)] = []
  private var lastNumber: UInt64 = 0
  private var unpairedClients: UnpairedClients
  private var clients: [UInt64: LiveClient] = [:]
  private var lastFile: ContinuousClock.Instant?
  private var lastStill = 0
  /// The number of the still that is being taken.
  private var still: Int?
  private var hasComplained = false

  /// A remote; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - feed: Gives the frames that phones show; nil for none.
  ///   - bind: The address to listen on, in digits; `0.0.0.0` is every network there is.
  ///   - port: The port; 0 for any that is free.
  ///   - code: The pairing code, six digits; nil for a new one with each start, where one is needed.
  public init(
    _ performance: Performance, feed: PreviewFeed? = nil, bind: String = "127.0.0.1",
    port: UInt16 = standardPort, code: String? = nil
  ) {
    self.init(performance, feed: feed, bind: bind, port: port, code: code, Limits())
  }

  /// Whether something can be a pairing code: six digits.
  public static func isCode(_ text: String) -> Bool { Pairing.isCode(text) }

  init(
    _ performance: Performance, feed: PreviewFeed? = nil, bind: String = "127.0.0.1",
    port: UInt16 = 0, code: String? = nil, _ limits: Limits,
    clock: any SteadyClock = ContinuousClock()
  ) {
    self.performance = performance
    self.feed = feed
    self.bind = bind
    self.port = port
    self.code = code
    self.limits = limits
    self.clock = clock
    unpairedClients = UnpairedClients(limit: limits.connections)
    surface = ControlSurface.description(
      of: performance.parameters, presets: performance.presets, sources: performance.sources)
  }

  isolated deinit {
    following?.cancel()
    showing?.cancel()
    drawing?.cancel()
    for visit in visits.values { visit.cancel() }
    server?.close(butFor: clients.keys)
    for client in clients.values {
      client.assumeIsolated { $0.close(SOUP_WEBSOCKET_CLOSE_GOING_AWAY) }
    }
  }

  /// The number of connected phones.
  public var clientCount: Int { clients.count }

  // MARK: Start and stop

  /// Listens.
  ///
  /// - Returns: Where; the same while it runs already.
  /// - Throws: ``StageError/Code/inputFailed``, as where the port is in use.
  public func start() async throws(StageError) -> Address {
    if let address { return address }
    // Changes from here on come after the state.
    let changes = performance.changes
    let state = await performance.state
    // Another caller may have started it meanwhile.
    if let address { return address }
    // A client that connects is told the state.
    now = Update(state, at: clock.now)
    let server = try WebServer(on: bind, port: port, for: self, clock: clock)
    self.server = server
    let isLoopback = LocalHost.isLoopback(bind)
    accessControl = AccessControl(isLoopback: isLoopback, machine: LocalHost.name)
    pairing = isLoopback && code == nil ? nil : Pairing(code: code)
    let address = makeAddress(server.port)
    self.address = address
    endWaits(from: 0)
    following = Task { [weak self] in
      for await change in changes { await self?.handle(change) }
    }
    return address
  }

  private func makeAddress(_ port: UInt16) -> Address {
    let urls = LocalHost.reachable(bind).map { address in
      "http://\(address.contains(":") ? "[\(address)]" : address):\(port)/"
    }
    return Address(
      url: urls.first ?? "http://127.0.0.1:\(port)/", urls: urls, port: port, code: pairing?.code)
  }

  /// Lets all phones go, and listens no longer.
  ///
  /// ``start()`` begins anew, with another pairing code unless one was given.
  public func stop() async {
    guard address != nil else { return }
    address = nil
    following?.cancel()
    following = nil
    stopShowing()
    let (server, leaving) = (server, clients)
    server?.close(butFor: leaving.keys)
    for client in leaving.values { await client.close(SOUP_WEBSOCKET_CLOSE_GOING_AWAY) }
    // A client that does not take the farewell is not waited for any longer.
    await Deadline(in: .seconds(1), on: clock).wait { await self.wait(forVisits: 0) }
    // That needs no answer: their sockets are shut down here.
    server?.close(butFor: [])
    await wait(forVisits: 0)
  }

  /// Waits until there are no more visits than a number, the remote starts, or the task is cancelled.
  func wait(forVisits count: Int) async {
    guard visits.count > count else { return }
    let (isSo, end) = AsyncStream.makeStream(of: Never.self)
    waits.append((count, end))
    for await _ in isSo {}
  }

  private func endWaits(from count: Int) {
    for wait in waits where wait.count >= count { wait.end.finish() }
    waits.removeAll { $0.count >= count }
  }

  // MARK: Visits

  /// - Returns: The number of the visit.
  func admit(from address: String) -> UInt64 {
    lastNumber += 1
    let number = lastNumber
    visits[number] = Task { [weak self, limits, clock] in
      guard (try? await Deadline(in: limits.request, on: clock).wait()) != nil else { return }
      await self?.refuse(
        number, SOUP_STATUS_REQUEST_TIMEOUT, "The request was not complete in time.")
    }
    if let displaced = unpairedClients.add(number, from: address) {
      refuse(
        displaced, SOUP_STATUS_SERVICE_UNAVAILABLE, "Too many connections. Try again later.")
    }
    return number
  }

  private func refuse(_ number: UInt64, _ status: SoupStatus, _ sentence: String) {
    guard clients[number] == nil else { return }
    server?.turnAway(number, .refusal(status, sentence))
  }

  func listenAgain() { server?.watch() }

  func end(_ number: UInt64) {
    server?.forget(number)
    visits.removeValue(forKey: number)?.cancel()
    clients[number] = nil
    unpairedClients.remove(number)
    endWaits(from: visits.count)
    followLooks()
  }

  func answer(_ request: Request, _ number: UInt64) -> Reply {
    guard accessControl.allows(host: request.host) else {
      return .response(
        .refusal(
          SOUP_STATUS_FORBIDDEN,
          "Unknown host name. Use the address that slitscan prints."))
    }
    switch (request.method, request.path) {
    case ("GET", "/"): return .response(Page.response())
    case ("GET", "/session"):
      return .response(
        Response(status: isPaired(request) ? SOUP_STATUS_NO_CONTENT : SOUP_STATUS_UNAUTHORIZED))
    case ("POST", "/pair"): return .response(pair(request))
    case ("GET", "/live"): return open(request, number)
    case (_, "/"), (_, "/session"), (_, "/pair"), (_, "/live"):
      return .response(.refusal(SOUP_STATUS_METHOD_NOT_ALLOWED, "This method is not allowed here."))
    default: return .response(.refusal(SOUP_STATUS_NOT_FOUND, "Not found. The page is at /."))
    }
  }

  // MARK: Pairing

  /// Browsers keep cookies by host alone, and there may be two remotes.
  private var cookie: String { "slitscan-\(address?.port ?? 0)" }

  private func isPaired(_ request: Request) -> Bool {
    pairing.map { $0.knows(request.cookie(cookie)) } ?? true
  }

  private func pair(_ request: Request) -> Response {
    guard isFromPage(request) else { return Self.wrongOrigin }
    switch pairing?.pair(with: request.body, from: request.address, at: clock.now) {
    case .paired(let token):
      let fields = "\(cookie)=\(token); Path=/; Max-Age=86400; HttpOnly; SameSite=Strict"
      return Response(status: SOUP_STATUS_NO_CONTENT, fields: [("Set-Cookie", fields)])
    case .wrong: return .refusal(SOUP_STATUS_FORBIDDEN, "The code is wrong.")
    case .wait(let duration):
      var response = Response.refusal(.tooManyRequests, "Too many wrong codes. Wait and try again.")
      let seconds = max(1, Int((duration / .seconds(1)).rounded(.up)))
      response.fields.append(("Retry-After", "\(seconds)"))
      return response
    case nil: return Response(status: SOUP_STATUS_NO_CONTENT)
    }
  }

  private func isFromPage(_ request: Request) -> Bool {
    accessControl.allows(origin: request.origin, host: request.host)
  }

  private static let wrongOrigin = Response.refusal(
    SOUP_STATUS_FORBIDDEN, "The request comes from the page of another site.")

  // MARK: Clients

  private func open(_ request: Request, _ number: UInt64) -> Reply {
    guard isFromPage(request) else { return .response(Self.wrongOrigin) }
    guard isPaired(request) else {
      return .response(.refusal(SOUP_STATUS_UNAUTHORIZED, "The pairing code is missing."))
    }
    guard request.isHandshake else {
      return .response(
        .refusal(SOUP_STATUS_BAD_REQUEST, "A WebSocket request of version 13 is required here."))
    }
    guard clients.count < limits.clients, address != nil else {
      return .response(.refusal(SOUP_STATUS_SERVICE_UNAVAILABLE, "Too many phones are connected."))
    }
    let client = LiveClient(
      now, thumbnails, performance.parameters, surface, limits, clock: clock, of: self)
    clients[number] = client
    unpairedClients.remove(number)
    return .live(client)
  }

  func perform(_ move: Move) async throws(StageError) {
    try performance.check(move, from: .elsewhere)
    if writesFile(move) {
      let now = clock.now
      if let lastFile, now - lastFile < limits.files {
        throw StageError(
          .notWritten, "Stills and recordings were requested too fast. Wait a second.")
      }
      lastFile = now
    }
    guard case .snapshot = move else {
      return try await performance.perform(move, from: .elsewhere)
    }
    guard still == nil else {
      throw StageError(.notWritten, "A still is being taken already. Wait until it is written.")
    }
    lastStill += 1
    let number = lastStill
    still = number
    defer { if still == number { still = nil } }
    try await performance.perform(move, from: .elsewhere)
  }

  private func writesFile(_ move: Move) -> Bool {
    switch move {
    case .snapshot: true
    case .record(let turn, _): turn.applied(to: now.isRecording) && !now.isRecording
    default: false
    }
  }

  private func handle(_ change: Change) async {
    let moment = clock.now
    // A client that hears of a still may ask for the next one.
    if case .snapshot = change { still = nil }
    now.add(change, at: moment)
    // Notes are not repeated to clients that come later.
    now.forgetNotes()
    for client in clients.values { await client.tell { $0.add(change, at: moment) } }
  }

  // MARK: Frames

  /// Encodes frames as long as a client looks at them.
  func followLooks() {
    let isWatched = address != nil && clients.values.contains { $0.assumeIsolated { $0.looks } }
    guard isWatched else { return stopShowing() }
    if drawing == nil {
      let maker = ThumbnailMaker(performance, feed, limits, clock: clock) {
        [weak self] thumbnail, jpeg in await self?.show(thumbnail, jpeg)
      }
      drawing = Task { await maker.run() }
    }
    if showing == nil, let feed {
      showing = Task { [weak self, limits, clock] in
        while !Task.isCancelled, self != nil {
          do {
            try await Self.show(feed, limits, clock) { [weak self] in await self?.waiting ?? [] }
          } catch {
            // Encoding that ends because the last client looks away is no failure.
            guard !Task.isCancelled else { break }
            await self?.complain(error)
          }
          try? await clock.sleep(for: .milliseconds(500))
        }
      }
    }
  }

  private func stopShowing() {
    for task in [showing, drawing] { task?.cancel() }
    (showing, drawing) = (nil, nil)
  }

  private func show(_ thumbnail: Thumbnail, _ jpeg: Data) async {
    guard thumbnails.updateValue(jpeg, forKey: thumbnail) != jpeg else { return }
    for client in clients.values { await client.show(thumbnail, jpeg) }
  }

  private var waiting: [LiveClient] {
    clients.values.filter { $0.assumeIsolated { $0.wantsFrame } }
  }

  private static func show(
    _ feed: PreviewFeed, _ limits: Limits, _ clock: any SteadyClock,
    _ waiting: @Sendable () async -> [LiveClient]
  ) async throws {
    var encoder: PreviewEncoder?
    var due = clock.now
    try await feed.read { sample in
      try Task.checkCancellation()
      guard clock.now >= due else { return }
      let clients = await waiting()
      guard !clients.isEmpty else { return }
      due = clock.now + limits.frames
      // Only now: without video to show, none is needed.
      if encoder == nil { encoder = try await PreviewEncoder(size: limits.frameSize) }
      guard let jpeg = try await encoder?.encode(sample) else { return }
      for client in clients { await client.show(jpeg) }
    }
  }

  private func complain(_ error: any Error) {
    guard !hasComplained else { return }
    hasComplained = true
    performance.tell(.warning("The preview on phones failed: \(error)"))
  }
}
