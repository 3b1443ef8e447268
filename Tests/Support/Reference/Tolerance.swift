// The tolerances of the reference, each with its reason: all that the reference leaves open is here.

/// The tolerances, wherever rounding may decide.
enum Tolerance {
  /// Pixels, turns of a sweep, frames: both sides count in 64-bit floats.
  static let place = 1e-9

  /// f and g that follow from the place alone: a few roundings of 32-bit floats, of 6e-8 each.
  static let computedMap = 1e-6

  /// f of images, of motion and of smoothed maps: sums of many 32-bit floats, and the places
  /// between two pixels counted in such floats.
  static let imageMap = 2e-5

  /// L, where two frames are compared: one or two roundings of a 32-bit float.
  static let luma = 1e-6

  /// Ages of frames, nanoseconds: the definitions allow them one microsecond.
  static let age = 1_000.0

  /// How near to the oldest frame a blended delay may count as past it, frames: weights have 8 bits.
  static let lateness = 1.0 / 200

  /// How far weights may be rounded, frames: they have at least 8 bits.
  static let weight = 1.0 / 512

  /// How far exposures that follow the map may be rounded, frames: to 1/64 of one.
  static let exposure = 1.0 / 64

  /// How far what is fed back may be rounded, of full scale: the definitions say less than this.
  static let feedback = 1.0 / 100

  /// How far off a sum of 16-bit samples may be in 32-bit floats, of the last bit.
  static let feedbackSum = 1.0 / 100

  /// What blending may be off, in 255ths of full scale.
  static let blend = 1.0

  /// What the mean of several frames may be off more than these, in 255ths of full scale: it is rounded, too, in
  /// 32-bit floats.
  static let mean = 0.501

  /// What a colour may be off in Y, U and V, in 255ths: coefficients and both ranges are rounded.
  static let lineInYUV = 3.0
}
