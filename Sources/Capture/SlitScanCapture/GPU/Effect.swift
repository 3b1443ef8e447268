// The effect of a stream: one element, or a bin that goes on on the processor when the GPU fails.

import CEffectBin
import GStreamer

/// The effect in a pipeline, on the processor or on the GPU.
struct Effect: Sendable {
  /// The name of the element that has the properties.
  package static let name = "scan"
  /// The element to link into the pipeline: it has the pads `sink`, `src` and, on request, `map`.
  let element: Element
  private let onProcessor: Element
  private let onGPU: Element?

  /// The element that has the properties at the moment.
  var scan: Element {
    guard let onGPU, onProcessor.parent == nil else { return onProcessor }
    return onGPU
  }

  /// The effect on the processor, or on the GPU as long as that works.
  init(on device: EffectDevice) throws(CaptureError) {
    let onProcessor = try ValidatedScan.makeElement(name: Self.name)
    self.onProcessor = onProcessor
    guard case .gpu = device else {
      (element, onGPU) = (onProcessor, nil)
      return
    }
    do throws(GStreamerError) {
      let onGPU = try Element("glslitscan", name: Self.name)
      let bin = unsafe onGPU.withGstElement { gpu in
        unsafe onProcessor.withGstElement { processor in
          unsafe effect_bin_new("effect", gpu, processor).map { bin in
            let pointer = UnsafeMutableRawPointer(bin)
            return unsafe Element(retaining: pointer)
          }
        }
      }
      guard let bin else {
        throw GStreamerError(.noSuchElement, "Install the package gstreamer1.0-gl.")
      }
      GPU.offerDisplay(to: bin)
      (element, self.onGPU) = (bin, onGPU)
    } catch {
      throw CaptureError(.missingElement, error.message, underlying: error)
    }
  }
}

extension CaptureError {
  /// The effect's own error, whose message says what happened and what to do; nil where the error is another
  /// element's.
  package init?(ofEffect error: GStreamerError) {
    guard error.source == Effect.name, [.noSpaceLeft, .streamFormat].contains(error.code) else {
      return nil
    }
    self.init(.scanFailed, error.message, underlying: error)
  }
}
