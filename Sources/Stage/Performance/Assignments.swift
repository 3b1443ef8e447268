// Assignments say what the controls of MIDI devices do, and are changed by moves.

/// A control of a MIDI device that does something.
public struct ControlAssignment: Sendable, Hashable {
  /// The name of the device.
  public let device: String
  /// The control, as the file of the device has it: `channel 1 cc 7`.
  public let control: String
  /// The action, as the file has it: `fader depth`.
  public let action: String
  /// The property that it moves; nil where it does something else.
  public let property: String?

  /// An assignment.
  public init(device: String, control: String, action: String, property: String?) {
    self.device = device
    self.control = control
    self.action = action
    self.property = property
  }
}

/// The input whose controls can be assigned: that of MIDI.
public protocol ControlAssigner: Actor {
  /// Has the next control that is moved move a property, in the place of another control if one is named.
  ///
  /// - Parameter device: The device of the other control; nil for all.
  func learn(
    _ property: String, replacing control: String?, of device: String?
  ) async throws(StageError)

  /// Looks for no control any more.
  func cancelLearning() async

  /// Has a control do nothing any more.
  ///
  /// - Parameter device: Its device; nil for all.
  func remove(_ control: String, of device: String?) async throws(StageError)
}

extension Performance {
  /// Takes assignments from an input from now on; nil for none any more.
  package func setAssigner(_ assigner: (any ControlAssigner)?) {
    self.assigner = assigner
    if assigner == nil { show(assignments: nil, learning: nil) }
  }

  /// Announces the assignments there are, and the property that looks for its control.
  package func show(assignments: [ControlAssignment]?, learning: String?) {
    guard (assignments, learning) != (state.assignments, state.learning) else { return }
    (state.assignments, state.learning) = (assignments, learning)
    broadcast.tell(.assignments(assignments, learning: learning))
  }

  func requireAssigner() throws(StageError) -> any ControlAssigner {
    guard let assigner else {
      throw StageError(.badMove, "There is no MIDI. Start with it, such as --midi alsa.")
    }
    return assigner
  }
}
