// GL is OpenGL as this module uses it: targets are covered by one triangle, textures are read by place.

import COpenGL
import SlitScan

/// The functions of one context, and the few objects that all drawing needs.
///
/// - Important: To be used on the context's thread alone, where it is current.
@safe
final class GL {
  fileprivate let functions: OpenGL
  /// Whether shaders are of OpenGL ES.
  let isES: Bool
  /// The most layers of a texture array, and the longest side of a texture.
  let mostLayers: Int
  let longestSide: Int
  /// The bytes of memory of the GPU, nil where the driver does not say.
  let memory: Int?
  private var drawFramebuffer: UInt32 = 0
  private var readFramebuffer: UInt32 = 0
  private var vertexArray: UInt32 = 0
  /// The viewport that ``begin()`` found.
  private var viewport: (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)

  /// The functions of a `GstGLContext`, which must be current.
  ///
  /// - Throws: ``ScanError`` where it is older than OpenGL 3.3 or OpenGL ES 3.0.
  init(_ context: UnsafeMutableRawPointer) throws(ScanError) {
    let loaded = unsafe withUnsafeTemporaryAllocation(of: OpenGL.self, capacity: 1) { memory in
      guard let functions = memory.baseAddress, unsafe opengl_load(functions, context) else {
        return nil as OpenGL?
      }
      return unsafe functions.pointee
    }
    guard let functions = loaded else { throw .tooOld }
    self.functions = functions
    isES = unsafe opengl_is_es(context)
    func number(_ name: Int32) -> Int {
      var value: Int32 = 0
      unsafe functions.GetIntegerv(UInt32(name), &value)
      return Int(value)
    }
    guard unsafe opengl_is_new_enough(context), number(GL_MAX_TEXTURE_IMAGE_UNITS) >= 16 else {
      throw .tooOld
    }
    mostLayers = max(1, number(GL_MAX_ARRAY_TEXTURE_LAYERS))
    longestSide = max(1, number(GL_MAX_TEXTURE_SIZE))
    var known = functions
    let memory = unsafe opengl_memory(&known, context)
    self.memory = memory > 0 ? Int(clamping: memory) : nil
    unsafe functions.GenFramebuffers(1, &drawFramebuffer)
    unsafe functions.GenFramebuffers(1, &readFramebuffer)
    unsafe functions.GenVertexArrays(1, &vertexArray)
  }

  /// Deletes what all drawing needs.
  func close() {
    unsafe functions.DeleteFramebuffers(1, &drawFramebuffer)
    unsafe functions.DeleteFramebuffers(1, &readFramebuffer)
    unsafe functions.DeleteVertexArrays(1, &vertexArray)
  }

  // MARK: Around a frame

  /// Takes over the context.
  ///
  /// - Throws: ``ScanError`` where that is lost.
  func begin() throws(ScanError) {
    guard Self.forgetErrors({ functions.GetError() }) else { throw .lostContext }
    unsafe withUnsafeMutableBytes(of: &viewport) { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe functions.GetIntegerv(
        UInt32(GL_VIEWPORT), base.assumingMemoryBound(to: Int32.self))
    }
    functions.BindFramebuffer(UInt32(GL_DRAW_FRAMEBUFFER), drawFramebuffer)
    functions.BindFramebuffer(UInt32(GL_READ_FRAMEBUFFER), readFramebuffer)
    functions.BindVertexArray(vertexArray)
    functions.Disable(UInt32(GL_BLEND))
    functions.Disable(UInt32(GL_SCISSOR_TEST))
    functions.Disable(UInt32(GL_DEPTH_TEST))
    functions.Disable(UInt32(GL_CULL_FACE))
  }

  /// Takes the errors of others off the context, each of which is there once.
  ///
  /// - Parameter next: Takes one off; 0 where there is none.
  /// - Returns: Whether the context works. One that is lost may give an error for ever.
  static func forgetErrors(_ next: () -> UInt32) -> Bool {
    for _ in 0..<mostErrors {
      switch next() {
      case 0: return true
      case contextLost: return false
      default: break
      }
    }
    return false
  }

  /// Each kind of error is there once at most, in each of the driver's threads.
  private static let mostErrors = 64
  /// `GL_CONTEXT_LOST`, of OpenGL 4.5 and ES 3.2.
  private static let contextLost: UInt32 = 0x0507

  /// Gives the context back as GStreamer's elements expect it.
  func end() {
    for unit in 0..<TextureUnit.count {
      functions.ActiveTexture(UInt32(GL_TEXTURE0) + UInt32(unit))
      functions.BindTexture(UInt32(GL_TEXTURE_2D), 0)
      functions.BindTexture(UInt32(GL_TEXTURE_2D_ARRAY), 0)
    }
    functions.ActiveTexture(UInt32(GL_TEXTURE0))
    functions.UseProgram(0)
    functions.BindVertexArray(0)
    // Textures that others own must not stay attached.
    detach(UInt32(GL_DRAW_FRAMEBUFFER))
    detach(UInt32(GL_READ_FRAMEBUFFER))
    functions.BindFramebuffer(UInt32(GL_FRAMEBUFFER), 0)
    functions.Viewport(viewport.0, viewport.1, viewport.2, viewport.3)
  }

  private func detach(_ framebuffer: UInt32) {
    functions.FramebufferTexture2D(
      framebuffer, UInt32(GL_COLOR_ATTACHMENT0), UInt32(GL_TEXTURE_2D), 0, 0)
  }

  // MARK: Textures

  /// A texture's name for a unit of the program in use.
  func bind(_ name: UInt32, to unit: TextureUnit) {
    functions.ActiveTexture(UInt32(GL_TEXTURE0) + UInt32(unit.number))
    functions.BindTexture(UInt32(GL_TEXTURE_2D), name)
  }

  /// A texture for a unit of the program in use, or for one after it, as a block of history is.
  func bind(_ texture: Texture, to unit: TextureUnit, block: Int = 0) {
    functions.ActiveTexture(UInt32(GL_TEXTURE0) + UInt32(unit.number + block))
    functions.BindTexture(texture.target, texture.name)
  }

  /// Makes a texture whose content is open.
  ///
  /// - Parameter layers: nil for one that is no array.
  /// - Returns: nil if there is no memory for it, or the format is none for this context.
  func makeTexture(
    _ format: TexelFormat, width: Int, height: Int, layers: Int? = nil
  ) -> Texture? {
    var name: UInt32 = 0
    let target = UInt32(layers == nil ? GL_TEXTURE_2D : GL_TEXTURE_2D_ARRAY)
    unsafe functions.GenTextures(1, &name)
    functions.ActiveTexture(UInt32(GL_TEXTURE0))
    functions.BindTexture(target, name)
    let texture = Texture(
      self, name: name, target: target, format: format, width: width, height: height)
    functions.TexParameteri(target, UInt32(GL_TEXTURE_MIN_FILTER), GL_NEAREST)
    functions.TexParameteri(target, UInt32(GL_TEXTURE_MAG_FILTER), GL_NEAREST)
    functions.TexParameteri(target, UInt32(GL_TEXTURE_WRAP_S), GL_CLAMP_TO_EDGE)
    functions.TexParameteri(target, UInt32(GL_TEXTURE_WRAP_T), GL_CLAMP_TO_EDGE)
    _ = Self.forgetErrors { functions.GetError() }
    if let layers {
      functions.TexImage3D(
        target, 0, Int32(format.internalFormat), Int32(clamping: width), Int32(clamping: height),
        Int32(clamping: layers), 0, format.format, format.type, nil)
    } else {
      functions.TexImage2D(
        target, 0, Int32(format.internalFormat), Int32(clamping: width), Int32(clamping: height), 0,
        format.format, format.type, nil)
    }
    return functions.GetError() == 0 ? texture : nil
  }

  fileprivate func delete(_ texture: Texture) {
    var name = texture.name
    unsafe functions.DeleteTextures(1, &name)
  }

  /// Fills rows of a texture; between rows of values there is nothing.
  func upload<Value: BitwiseCopyable>(_ values: Span<Value>, to texture: Texture, rows: Int) {
    unsafe upload(values.bytes, to: texture, x: 0, y: 0, width: texture.width, rows: rows)
  }

  /// Fills a rectangle of a texture; between rows of values there is nothing.
  func upload(_ values: RawSpan, to texture: Texture, x: Int, y: Int, width: Int, rows: Int) {
    guard x >= 0, y >= 0, width >= 1, rows >= 1, x + width <= texture.width,
      y + rows <= texture.height, values.byteCount >= width * rows * texture.format.texelBytes
    else { return }
    functions.ActiveTexture(UInt32(GL_TEXTURE0))
    functions.BindTexture(texture.target, texture.name)
    functions.PixelStorei(UInt32(GL_UNPACK_ALIGNMENT), 1)
    // Others in the context may have left one, as GStreamer 1.26 does.
    functions.PixelStorei(UInt32(GL_UNPACK_ROW_LENGTH), 0)
    // As everyone else expects it.
    defer { functions.PixelStorei(UInt32(GL_UNPACK_ALIGNMENT), 4) }
    unsafe values.withUnsafeBytes { values in
      unsafe functions.TexSubImage2D(
        texture.target, 0, Int32(x), Int32(y), Int32(width), Int32(rows), texture.format.format,
        texture.format.type, values.baseAddress)
    }
  }

  // MARK: Drawing

  /// Sets the target of the next draws.
  func target(_ name: UInt32, width: Int, height: Int) {
    functions.FramebufferTexture2D(
      UInt32(GL_DRAW_FRAMEBUFFER), UInt32(GL_COLOR_ATTACHMENT0), UInt32(GL_TEXTURE_2D), name, 0)
    functions.Viewport(0, 0, Int32(width), Int32(height))
  }

  func target(_ texture: Texture) {
    target(texture.name, width: texture.width, height: texture.height)
  }

  /// Sets the part of the target for the next draws.
  func viewport(x: Int, y: Int, width: Int, height: Int) {
    functions.Viewport(Int32(x), Int32(y), Int32(width), Int32(height))
  }

  /// Whether the target can be drawn to.
  var isTargetComplete: Bool {
    functions.CheckFramebufferStatus(UInt32(GL_DRAW_FRAMEBUFFER)) == UInt32(GL_FRAMEBUFFER_COMPLETE)
  }

  /// Runs the program in use for each texel of the target.
  func draw() { functions.DrawArrays(UInt32(GL_TRIANGLES), 0, 3) }

  /// A rectangle of texels in a layer of a texture.
  struct Place {
    var name: UInt32
    /// nil for a texture that is no array.
    var layer: Int?
    var x = 0
    var y = 0
  }

  /// Copies texels.
  func copy(width: Int, height: Int, from source: Place, to target: Place) {
    attach(source, UInt32(GL_READ_FRAMEBUFFER))
    attach(target, UInt32(GL_DRAW_FRAMEBUFFER))
    functions.BlitFramebuffer(
      Int32(source.x), Int32(source.y), Int32(source.x + width), Int32(source.y + height),
      Int32(target.x), Int32(target.y), Int32(target.x + width), Int32(target.y + height),
      UInt32(GL_COLOR_BUFFER_BIT), UInt32(GL_NEAREST))
  }

  /// Reads a texture of four bytes a texel back, its rows without gaps; waits for the GPU.
  func read(_ texture: Texture, into bytes: inout MutableRawSpan) {
    guard texture.format == .fourBytes, bytes.byteCount >= texture.byteCount else { return }
    attach(Place(name: texture.name), UInt32(GL_READ_FRAMEBUFFER))
    functions.PixelStorei(UInt32(GL_PACK_ROW_LENGTH), 0)
    unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe functions.ReadPixels(
        0, 0, Int32(texture.width), Int32(texture.height), texture.format.format,
        texture.format.type, bytes.baseAddress)
    }
  }

  private func attach(_ place: Place, _ framebuffer: UInt32) {
    if let layer = place.layer {
      functions.FramebufferTextureLayer(
        framebuffer, UInt32(GL_COLOR_ATTACHMENT0), place.name, 0, Int32(layer))
    } else {
      functions.FramebufferTexture2D(
        framebuffer, UInt32(GL_COLOR_ATTACHMENT0), UInt32(GL_TEXTURE_2D), place.name, 0)
    }
  }

  // MARK: Queries

  /// A question whether anything is drawn; 0 if there can be none.
  func makeQuery() -> UInt32 {
    var query: UInt32 = 0
    unsafe functions.GenQueries(1, &query)
    return query
  }

  func delete(query: UInt32) {
    var query = query
    unsafe functions.DeleteQueries(1, &query)
  }

  func begin(query: UInt32) { functions.BeginQuery(UInt32(GL_ANY_SAMPLES_PASSED), query) }

  func endQuery() { functions.EndQuery(UInt32(GL_ANY_SAMPLES_PASSED)) }

  /// Whether anything was drawn; waits for it.
  func result(ofQuery query: UInt32) -> Bool {
    var result: UInt32 = 0
    unsafe functions.GetQueryObjectuiv(query, UInt32(GL_QUERY_RESULT), &result)
    return result != 0
  }

  // MARK: Programs

  func use(_ program: UInt32) { functions.UseProgram(program) }

  /// Compiles and links a program.
  ///
  /// - Parameters:
  ///   - locations: Is filled in with where the uniforms are.
  /// - Throws: ``ScanError`` with what the driver says.
  func makeProgram(
    vertex: String, fragment: String, locations: inout [Int32]
  ) throws(ScanError) -> UInt32 {
    let program = functions.CreateProgram()
    do throws(ScanError) {
      for (kind, text) in [(GL_VERTEX_SHADER, vertex), (GL_FRAGMENT_SHADER, fragment)] {
        let shader = try makeShader(UInt32(kind), text)
        functions.AttachShader(program, shader)
        functions.DeleteShader(shader)
      }
      functions.LinkProgram(program)
      var isLinked: Int32 = 0
      unsafe functions.GetProgramiv(program, UInt32(GL_LINK_STATUS), &isLinked)
      guard isLinked != 0 else {
        throw unsafe .notCompiled(log { unsafe functions.GetProgramInfoLog(program, $0, nil, $1) })
      }
    } catch {
      functions.DeleteProgram(program)
      throw error
    }
    functions.UseProgram(program)
    for unit in TextureUnit.allCases {
      for (index, name) in unit.samplers.enumerated() {
        let location = unsafe functions.GetUniformLocation(program, name)
        functions.Uniform1i(location, Int32(unit == .history ? unit.number + index : unit.number))
      }
    }
    locations = Uniform.allCases.map { unsafe functions.GetUniformLocation(program, "\($0)") }
    return program
  }

  func delete(program: UInt32) { functions.DeleteProgram(program) }

  private func makeShader(_ kind: UInt32, _ text: String) throws(ScanError) -> UInt32 {
    let shader = functions.CreateShader(kind)
    unsafe text.withCString { text in
      var text: UnsafePointer<CChar>? = unsafe text
      unsafe functions.ShaderSource(shader, 1, &text, nil)
    }
    functions.CompileShader(shader)
    var isCompiled: Int32 = 0
    unsafe functions.GetShaderiv(shader, UInt32(GL_COMPILE_STATUS), &isCompiled)
    guard isCompiled != 0 else {
      let text = unsafe log { unsafe functions.GetShaderInfoLog(shader, $0, nil, $1) }
      functions.DeleteShader(shader)
      throw .notCompiled(text)
    }
    return shader
  }

  private func log(_ read: (Int32, UnsafeMutablePointer<CChar>?) -> Void) -> String {
    var bytes = [CChar](repeating: 0, count: 256)
    unsafe bytes.withUnsafeMutableBufferPointer {
      unsafe read(Int32($0.count), $0.baseAddress)
    }
    return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// A texture, which is deleted with its last reference.
final class Texture {
  private let gl: GL
  let name: UInt32
  fileprivate let target: UInt32
  let format: TexelFormat
  let width: Int
  let height: Int

  fileprivate init(
    _ gl: GL, name: UInt32, target: UInt32, format: TexelFormat, width: Int, height: Int
  ) {
    self.gl = gl
    self.name = name
    self.target = target
    self.format = format
    self.width = width
    self.height = height
  }

  deinit { gl.delete(self) }

  /// Bytes of a layer.
  var byteCount: Int { width * height * format.texelBytes }
}

extension Program {
  /// Sets a uniform of the program in use.
  func set(_ uniform: Uniform, _ value: Int) {
    gl.functions.Uniform1i(location(of: uniform), Int32(clamping: value))
  }
  func set(_ uniform: Uniform, _ value: Bool) { set(uniform, value ? 1 : 0) }
  func set(_ uniform: Uniform, _ value: Float) {
    gl.functions.Uniform1f(location(of: uniform), value)
  }
  func set(_ uniform: Uniform, _ value: UInt32) {
    gl.functions.Uniform1ui(location(of: uniform), value)
  }
  func set(_ uniform: Uniform, _ x: Int, _ y: Int) {
    gl.functions.Uniform2i(location(of: uniform), Int32(clamping: x), Int32(clamping: y))
  }
  func set(_ uniform: Uniform, _ value: SIMD4<Float>) {
    gl.functions.Uniform4f(location(of: uniform), value.x, value.y, value.z, value.w)
  }
  func set(_ uniform: Uniform, _ value: SIMD4<Int32>) {
    gl.functions.Uniform4i(location(of: uniform), value.x, value.y, value.z, value.w)
  }
  func set(_ uniform: Uniform, _ value: SIMD4<UInt32>) {
    gl.functions.Uniform4ui(location(of: uniform), value.x, value.y, value.z, value.w)
  }
  func set(_ uniform: Uniform, _ values: [SIMD4<Int32>]) {
    unsafe values.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe gl.functions.Uniform4iv(
        location(of: uniform), Int32(values.count), base.assumingMemoryBound(to: Int32.self))
    }
  }
}

extension ScanError {
  fileprivate static var tooOld: ScanError {
    ScanError(
      .unsupportedFormat,
      "This needs OpenGL 3.3 or OpenGL ES 3.0 with 16 texture units. Use slitscan instead, which "
        + "needs no GPU."
    )
  }

  fileprivate static func notCompiled(_ log: String) -> ScanError {
    ScanError(
      .unsupportedFormat,
      "The graphics driver does not compile a shader: \(log). Use slitscan instead, which needs no "
        + "GPU.")
  }

  /// The GPU was reset, or the driver has given up.
  fileprivate static var lostContext: ScanError {
    ScanError(
      .notConfigured,
      "The OpenGL context is lost: the GPU was reset, or its driver failed. Set the pipeline to READY and play "
        + "again, or use slitscan, which needs no GPU.")
  }

  /// A frame or a canvas beyond what a texture may be.
  static func tooLong(_ layout: FrameLayout, longest: Int) -> ScanError {
    ScanError(
      .unsupportedFormat,
      "This GPU takes frames of up to \(longest) pixels each way, and these have "
        + "\(layout.width)×\(layout.height). Use smaller frames, a shorter canvas-length, or slitscan, which "
        + "needs no GPU.")
  }

  /// The driver refused memory for `purpose`.
  static func refusedTexture(for purpose: String) -> ScanError {
    ScanError(
      .outOfMemory,
      "The graphics driver has no memory for \(purpose), or no textures of its format. Close other "
        + "programs, or use smaller frames.")
  }
}
