// The window system opens windows on displays with SDL.

import CSDL
import GStreamer
import SlitScanCapture

/// The windows of this process, and the displays that they can be on.
///
/// ```swift
/// let window = try await WindowSystem.shared.open(
///   WindowPlace(isFullScreen: true, display: .number(2)), title: "A show")
/// try await capture.openPreview("xvimagesink", in: window)
/// ```
///
/// Windows of X11, as GStreamer's sinks draw into those: under Wayland, by Xwayland. While one is open,
/// no screen saver comes. A double click makes a window full screen, or a window again; over a full screen,
/// the pointer hides where it rests.
///
/// X11 can destroy a window at any time, as `xkill` does. That ends the window's events with
/// `PreviewWindowEvent.destroyed`, and neither the other windows nor the process.
///
/// An actor on a thread of its own, for SDL wants to be on one alone, and waits there.
public actor WindowSystem {
  /// The one of this process, as SDL is.
  public static let shared = WindowSystem()

  @safe
  private struct Window {
    let window: OpaquePointer
    let stage: StageWindow
    let events: AsyncStream<PreviewWindowEvent>.Continuation
  }

  /// SDL's connection to the X server.
  private enum Connection {
    case closed, open
    /// Closed by the server. SDL cannot end it, as it would wait for answers, and so cannot begin anew.
    case lost
  }

  private let thread = WindowThread()
  /// Those that are open, by SDL's numbers.
  private var windows: [UInt32: Window] = [:]
  private var connection = Connection.closed
  /// The window that had the focus last.
  private var lastFocus: UInt32?
  /// When a pointer that rests is hidden; nil where it is hidden, or nowhere over a full screen.
  private var hidesPointer: ContinuousClock.Instant?

  /// The time that a pointer over a full screen rests before it is hidden.
  private static let patience = Duration.seconds(2)

  private init() { thread.start() }

  /// The thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  // MARK: Displays and windows

  /// The displays that there are.
  ///
  /// - Throws: `noWindows`.
  public func displays() throws(CaptureError) -> [StageDisplay] {
    try begin()
    defer { endIfUnused() }
    return listDisplays()
  }

  /// Opens a window.
  ///
  /// - Parameters:
  ///   - place: Where.
  ///   - title: What the desktop writes over it.
  ///   - frames: The size of what it is to show, which it has as far as that fits the display.
  ///   - last: Where it was, the latest first: it opens where the first of these is on a display that is meant.
  ///   - others: The places of the windows that it is to be beside, those that come before it and after it.
  /// - Throws: `noWindows`, `noSuchDisplay`.
  public func open(
    _ place: WindowPlace, title: String, frames: (width: Int, height: Int)? = nil,
    last: [WindowFrame] = [],
    beside others: (before: [WindowPlace], after: [WindowPlace]) = ([], [])
  ) throws(CaptureError) -> StageWindow {
    try begin()
    defer { endIfUnused() }
    let displays = listDisplays()
    let index = try place.index(in: displays)
    let display = index ?? 0
    guard displays.indices.contains(display) else { throw Self.failure }
    let count = { (places: [WindowPlace]) in
      places.count { ((try? $0.index(in: displays)) ?? 0) == display }
    }
    let (before, after) = (count(others.before), count(others.after))
    let last = try place.frame(among: last, on: displays)
    var frame =
      last
      ?? WindowFrame(
        before, of: before + 1 + after, showing: frames ?? (960, 540), on: displays[display],
        in: Self.usableArea(of: Int32(clamping: display)))
    if last == nil { frame.isFullScreen = place.isFullScreen }
    // One that is nowhere in particular is where the desktop puts it.
    let isAnywhere =
      last == nil && index == nil && before + after == 0 && !place.isFullScreen
    let corner = Self.bounds(of: Int32(clamping: frame.display.number - 1))
    let anywhere = Int32(bitPattern: SDL_WINDOWPOS_UNDEFINED_MASK)
    var flags = SDL_WINDOW_RESIZABLE.rawValue
    if frame.isFullScreen { flags |= SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue }
    guard
      let window = unsafe SDL_CreateWindow(
        title, isAnywhere ? anywhere : corner.x + Int32(clamping: frame.x),
        isAnywhere ? anywhere : corner.y + Int32(clamping: frame.y), Int32(clamping: frame.width),
        Int32(clamping: frame.height), flags)
    else { throw Self.failure }
    let handle = unsafe UInt(csdl_x11_window(window))
    guard handle != 0 else {
      unsafe SDL_DestroyWindow(window)
      throw Self.failure
    }
    // The last of many is what counts, and a wish to close is the last.
    let (events, tell) = AsyncStream.makeStream(
      of: PreviewWindowEvent.self, bufferingPolicy: .bufferingNewest(200))
    unsafe csdl_x11_survive_loss(window)
    let number = unsafe SDL_GetWindowID(window)
    let stage = StageWindow(number, handle: handle, frame: frame, events: events)
    unsafe windows[number] = Window(window: window, stage: stage, events: tell)
    if frame.isFullScreen { rest() }
    expose(number)
    return stage
  }

  /// Closes a window that is still there.
  func close(_ stage: StageWindow) {
    guard windows[stage.number]?.stage === stage else { return }
    close(stage.number)
  }

  private func close(_ number: UInt32) {
    guard let window = windows.removeValue(forKey: number) else { return }
    window.events.finish()
    unsafe SDL_DestroyWindow(window.window)
    endIfUnused()
  }

  /// Makes the window that has the focus, or had it last, full screen, or a window again.
  ///
  /// - Returns: Whether there is one.
  @discardableResult
  public func toggleFullScreen() -> Bool {
    guard isBegun else { return false }
    let focused = unsafe SDL_GetKeyboardFocus().map { unsafe SDL_GetWindowID($0) }
    let candidates = [focused, lastFocus, windows.keys.max()].compactMap(\.self)
    guard let number = candidates.first(where: { windows[$0] != nil }) else { return false }
    toggleFullScreen(number)
    return true
  }

  /// Makes the full screens windows again.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public func leaveFullScreen() -> Bool {
    let numbers = windows.keys.filter { isFullScreen($0) }
    for number in numbers { toggleFullScreen(number) }
    return !numbers.isEmpty
  }

  private func toggleFullScreen(_ number: UInt32) {
    guard let window = unsafe windows[number]?.window else { return }
    let flags = isFullScreen(number) ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue
    unsafe SDL_SetWindowFullscreen(window, flags)
    expose(number)
    locate(number)
    if flags == 0 { showPointer() } else { rest() }
  }

  private func isFullScreen(_ number: UInt32) -> Bool {
    guard let window = unsafe windows[number]?.window else { return false }
    return unsafe SDL_GetWindowFlags(window) & SDL_WINDOW_FULLSCREEN.rawValue != 0
  }

  private func listDisplays() -> [StageDisplay] {
    (0..<max(0, SDL_GetNumVideoDisplays())).map { index in
      let bounds = Self.bounds(of: index)
      let name = unsafe SDL_GetDisplayName(index).map { unsafe String(cString: $0) }
      return StageDisplay(
        number: Int(index) + 1, name: name ?? "", width: Int(bounds.w), height: Int(bounds.h))
    }
  }

  /// The place of a display on the desktop.
  private static func bounds(of display: Int32) -> SDL_Rect {
    var bounds = SDL_Rect()
    unsafe SDL_GetDisplayBounds(display, &bounds)
    return bounds
  }

  /// The part of a display that panels leave free.
  private static func usableArea(
    of display: Int32
  ) -> (x: Int, y: Int, width: Int, height: Int) {
    var area = SDL_Rect()
    unsafe SDL_GetDisplayUsableBounds(display, &area)
    let corner = bounds(of: display)
    return (Int(area.x - corner.x), Int(area.y - corner.y), Int(area.w), Int(area.h))
  }

  /// Notes where a window is; of a full screen, only on which display.
  private func locate(_ number: UInt32) {
    guard let (window, stage) = unsafe windows[number].map({ unsafe ($0.window, $0.stage) }) else {
      return
    }
    let index = unsafe SDL_GetWindowDisplayIndex(window)
    let displays = listDisplays()
    guard displays.indices.contains(Int(index)) else { return }
    var frame = stage.frame
    frame.display = displays[Int(index)]
    frame.isFullScreen = isFullScreen(number)
    if !frame.isFullScreen {
      let corner = Self.bounds(of: index)
      var (x, y, width, height): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
      unsafe SDL_GetWindowPosition(window, &x, &y)
      unsafe SDL_GetWindowSize(window, &width, &height)
      // A window opens with the desktop's border around it at its place.
      var (top, left): (Int32, Int32) = (0, 0)
      unsafe SDL_GetWindowBordersSize(window, &top, &left, nil, nil)
      (frame.x, frame.y) = (Int(x - left - corner.x), Int(y - top - corner.y))
      (frame.width, frame.height) = (Int(width), Int(height))
    }
    stage.frame = frame
  }

  // MARK: Begin and end

  private var isBegun: Bool { connection == .open }

  private func begin() throws(CaptureError) {
    guard !isBegun else { return }
    guard connection != .lost else {
      throw CaptureError(
        .noWindows,
        "The X server has closed the connection, which comes back when the program is restarted."
      )
    }
    let hints = [
      // GStreamer's sinks draw into windows of X11.
      (SDL_HINT_VIDEODRIVER, "x11"),
      // A show is ended by what the program makes of a signal.
      (SDL_HINT_NO_SIGNAL_HANDLERS, "1"),
      (SDL_HINT_QUIT_ON_LAST_WINDOW_CLOSE, "0"),
      // A full-screen projection goes on while another window has the focus.
      (SDL_HINT_VIDEO_MINIMIZE_ON_FOCUS_LOSS, "0"),
      // Windows are no reason for a desktop to change how it draws.
      (SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0"),
      (SDL_HINT_APP_NAME, "slitscan"),
    ]
    for (name, value) in hints {
      unsafe SDL_SetHintWithPriority(name, value, SDL_HINT_OVERRIDE)
    }
    // Before SDL's own handler, which calls this one, and puts it back at the end.
    csdl_x11_survive_errors()
    guard SDL_InitSubSystem(SDL_INIT_VIDEO) == 0 else { throw Self.failure }
    // SDL keeps to itself that a window was destroyed.
    SDL_EventState(SDL_SYSWMEVENT.rawValue, SDL_ENABLE)
    SDL_DisableScreenSaver()
    connection = .open
  }

  /// Without windows, nothing is kept: displays that come are seen anew, and screen savers come.
  private func endIfUnused() {
    guard isBegun, windows.isEmpty else { return }
    SDL_QuitSubSystem(SDL_INIT_VIDEO)
    connection = .closed
    hidesPointer = nil
    lastFocus = nil
  }

  private static var failure: CaptureError {
    let reason = unsafe String(cString: SDL_GetError())
    return CaptureError(.noWindows, "No X11 window can be opened: \(reason).")
  }

  // MARK: Events

  /// Sleeps until something happens, or is to be done.
  func waitForEvent() {
    var event = unsafe SDL_Event()
    if unsafe SDL_WaitEventTimeout(&event, milliseconds) != 0 { unsafe handle(event) }
  }

  /// The longest sleep; -1 for as long as nothing happens.
  private var milliseconds: Int32 {
    guard let hidesPointer else { return -1 }
    let left = (hidesPointer - .now) / .milliseconds(1)
    return Int32(min(max(left.rounded(.up), 1), 60_000))
  }

  /// Handles what has happened.
  ///
  /// - Returns: Whether there are windows.
  func handleEvents() -> Bool {
    guard isBegun else { return false }
    var event = unsafe SDL_Event()
    while isBegun, unsafe SDL_PollEvent(&event) != 0 { unsafe handle(event) }
    if let due = hidesPointer, due <= .now {
      hidesPointer = nil
      SDL_ShowCursor(SDL_DISABLE)
    }
    return isBegun
  }

  private func handle(_ event: SDL_Event) {
    guard unsafe event.type != UInt32(CSDL_CONNECTION_LOST) else {
      return loseConnection()
    }
    switch unsafe SDL_EventType(event.type) {
    case SDL_WINDOWEVENT: handle(unsafe event.window)
    case SDL_SYSWMEVENT:
      var event = unsafe event.syswm
      let handle = unsafe UInt(csdl_x11_destroyed_window(&event))
      if let lost = windows.first(where: { $1.stage.handle == handle }) { lose(lost.key) }
    case SDL_KEYDOWN:
      let key = unsafe event.key
      if let name = KeyNames.name(of: key.keysym.sym) { press(name, in: key.windowID) }
    case SDL_TEXTINPUT:
      var text = unsafe event.text
      let characters = unsafe withUnsafeBytes(of: &text.text) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      for character in characters.unicodeScalars {
        press(KeyNames.name(of: character), in: text.windowID)
      }
    case SDL_MOUSEMOTION:
      let motion = unsafe event.motion
      showPointer()
      if isFullScreen(motion.windowID) { rest() }
      tell(motion.windowID, .pointer(.moves, x: Double(motion.x), y: Double(motion.y)))
    case SDL_MOUSEBUTTONDOWN:
      let press = unsafe event.button
      tell(
        press.windowID,
        .pointer(.presses(button: Int32(press.button)), x: Double(press.x), y: Double(press.y)))
      if press.button == SDL_BUTTON_LEFT, press.clicks > 0, press.clicks.isMultiple(of: 2) {
        toggleFullScreen(press.windowID)
      }
    case SDL_MOUSEBUTTONUP:
      let release = unsafe event.button
      tell(
        release.windowID,
        .pointer(
          .releases(button: Int32(release.button)), x: Double(release.x), y: Double(release.y)))
    default: break
    }
  }

  private func handle(_ event: SDL_WindowEvent) {
    switch SDL_WindowEventID(UInt32(event.event)) {
    case SDL_WINDOWEVENT_EXPOSED: expose(event.windowID)
    case SDL_WINDOWEVENT_SIZE_CHANGED:
      expose(event.windowID)
      locate(event.windowID)
    case SDL_WINDOWEVENT_MOVED: locate(event.windowID)
    case SDL_WINDOWEVENT_FOCUS_GAINED: lastFocus = event.windowID
    case SDL_WINDOWEVENT_LEAVE: showPointer()
    case SDL_WINDOWEVENT_CLOSE: tell(event.windowID, .closeRequested)
    default: break
    }
  }

  /// Forgets a window that is gone.
  ///
  /// At once, as SDL is woken by messages to one of its windows.
  private func lose(_ number: UInt32) {
    tell(number, .destroyed)
    if let window = unsafe windows[number]?.window { unsafe csdl_x11_report_unmapped(window) }
    close(number)
  }

  /// Forgets all windows, and leaves SDL alone.
  private func loseConnection() {
    connection = .lost
    for window in windows.values {
      window.events.yield(.destroyed)
      window.events.finish()
    }
    windows = [:]
    hidesPointer = nil
  }

  private func expose(_ number: UInt32) {
    guard let window = unsafe windows[number]?.window else { return }
    var (width, height): (Int32, Int32) = (0, 0)
    unsafe SDL_GetWindowSize(window, &width, &height)
    tell(number, .exposed(width: Int(width), height: Int(height)))
  }

  private func press(_ key: String, in number: UInt32) {
    lastFocus = number
    tell(number, .key(key))
  }

  private func tell(_ number: UInt32, _ event: PreviewWindowEvent) {
    windows[number]?.events.yield(event)
  }

  // MARK: The pointer

  /// A pointer over a full screen may rest from now on.
  private func rest() { hidesPointer = .now + Self.patience }

  private func showPointer() {
    hidesPointer = nil
    SDL_ShowCursor(SDL_ENABLE)
  }
}
