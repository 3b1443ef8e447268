// Signals of an element: handlers for those it emits, and calls of its action signals.

import CGStreamer
import StreamingThread

/// A handler that stays connected until ``disconnect()`` or the end of its element.
public final class SignalConnection: Sendable {
  private let object: ObjectReference
  private let handler: Lock<gulong>

  init(_ object: ObjectReference, _ handler: gulong) {
    self.object = object
    self.handler = Lock(handler)
  }

  /// Ends it.
  ///
  /// A call that is under way goes on.
  public func disconnect() {
    let handler = handler.withLock { handler in
      defer { handler = 0 }
      return handler
    }
    guard handler != 0 else { return }
    unsafe object.withPointer { unsafe g_signal_handler_disconnect($0, handler) }
  }
}

private typealias SignalHandler = Box<@Sendable ([Value]) -> Value?>

/// A `GClosureMarshal`: brings the arguments to Swift and what is returned back.
private func marshal(
  _ closure: UnsafeMutablePointer<GClosure>?, _ result: UnsafeMutablePointer<GValue>?,
  _ count: guint, _ arguments: UnsafePointer<GValue>?, _ hint: gpointer?, _ data: gpointer?
) {
  guard let closure = unsafe closure, let arguments = unsafe arguments,
    let handler = unsafe CallbackContext<SignalHandler>.object(closure.pointee.data)
  else { return }
  // The first argument is the element itself.
  let values = (1..<max(1, Int(count))).map { unsafe Value(arguments + $0) }
  guard let value = handler.content(values), let result = unsafe result,
    unsafe result.pointee.g_type != 0
  else { return }
  var item = unsafe GenericValue(type: result.pointee.g_type)
  guard (try? item.set(value)) != nil else { return }
  unsafe g_value_copy(&item.raw, result)
}

extension Element {
  /// Runs `handler` whenever the element emits a signal, as `pad-added`.
  ///
  /// - Parameters:
  ///   - signal: The name of the signal.
  ///   - handler: Gets the arguments, without the element; what it returns goes back to the element,
  ///     where the signal wants something.
  /// - Throws: ``GStreamerError/Code/noSuchSignal``.
  /// - Important: `handler` runs on whichever thread emits, often a streaming thread: it must not
  ///   wait and must not change states. It may link pads.
  @discardableResult
  public func connect(
    _ signal: String, _ handler: @escaping @Sendable (_ arguments: [Value]) -> Value?
  ) throws(GStreamerError) -> SignalConnection {
    let (id, detail) = try parse(signal)
    let context = unsafe CallbackContext.retain(SignalHandler(handler))
    let connection = unsafe object.withPointer { element in
      let closure = unsafe g_closure_new_simple(guint(MemoryLayout<GClosure>.size), context)
      unsafe g_closure_add_finalize_notifier(closure, context, releaseClosureContext)
      unsafe g_closure_set_marshal(closure, marshal)
      return unsafe g_signal_connect_closure_by_id(element, id, detail, closure, 0)
    }
    return SignalConnection(object, connection)
  }

  /// Emits an action signal, as `snapshot`, and returns what the element answers.
  ///
  /// - Parameters:
  ///   - signal: The name of the signal.
  ///   - arguments: Must fit the signal's, in number and type.
  /// - Throws: ``GStreamerError/Code/noSuchSignal`` where there is none, or it is not an action;
  ///   ``GStreamerError/Code/wrongType`` where the arguments do not fit.
  /// - Important: Runs the element's code here. What can take long belongs into ``Pipeline/run(_:)``.
  @discardableResult
  public func emit(_ signal: String, _ arguments: Value...) throws(GStreamerError) -> Value {
    let (id, detail) = try parse(signal)
    var query = unsafe GSignalQuery()
    unsafe g_signal_query(id, &query)
    guard unsafe query.signal_flags.rawValue & G_SIGNAL_ACTION.rawValue != 0 else {
      throw GStreamerError(
        .noSuchSignal, "The signal \(signal) can be emitted by the element only.", source: name)
    }
    guard unsafe Int(query.n_params) == arguments.count else {
      throw unsafe GStreamerError(
        .wrongType,
        "The signal \(signal) takes \(query.n_params) arguments, not \(arguments.count).",
        source: name)
    }
    // The low bit of a type says how its values are handed over.
    let plain = { (type: GType) in type & ~1 }
    let types = (0..<arguments.count).map { unsafe plain(query.param_types[$0]) }
    return try unsafe emit(
      signal, id, detail, arguments, types, returning: plain(query.return_type))
  }

  private func emit(
    _ signal: String, _ id: guint, _ detail: GQuark, _ arguments: [Value], _ types: [GType],
    returning resultType: GType
  ) throws(GStreamerError) -> Value {
    let values = UnsafeMutableBufferPointer<GValue>.allocate(capacity: arguments.count + 1)
    unsafe values.initialize(repeating: GValue())
    defer {
      for value in values.indices where unsafe values[value].g_type != 0 {
        unsafe g_value_unset(&values[value])
      }
      unsafe values.deallocate()
    }
    for (index, argument) in arguments.enumerated() {
      var item = GenericValue(type: types[index])
      do throws(GenericValue.Misfit) {
        try item.set(argument)
      } catch {
        throw GStreamerError(
          .wrongType,
          "Argument \(index) of the signal \(signal) must be a \(typeName(types[index])), not "
            + "\(argument).", source: name)
      }
      unsafe g_value_init(&values[index + 1], types[index])
      unsafe g_value_copy(&item.raw, &values[index + 1])
    }
    return unsafe object.withPointer { element in
      unsafe g_value_init(&values[0], cgst_type_of(element))
      unsafe g_value_set_object(&values[0], element)
      guard resultType != CGST_TYPE_NONE else {
        unsafe g_signal_emitv(values.baseAddress, id, detail, nil)
        return Value.none
      }
      var result = GenericValue(type: resultType)
      unsafe g_signal_emitv(values.baseAddress, id, detail, &result.raw)
      return unsafe Value(&result.raw)
    }
  }

  /// A signal's number and detail.
  private func parse(_ signal: String) throws(GStreamerError) -> (guint, GQuark) {
    var id: guint = 0
    var detail: GQuark = 0
    let isKnown = unsafe object.withPointer { element in
      unsafe g_signal_parse_name(signal, cgst_type_of(element), &id, &detail, 1) != 0
    }
    guard isKnown else {
      throw GStreamerError(.noSuchSignal, "There is no signal \(signal).", source: name)
    }
    return (id, detail)
  }
}
