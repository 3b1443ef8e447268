// The remote's web page, with its style and script in one document.

import CSoup

/// The page, of the files beside this one: everything it needs is in it, and it may load nothing else.
enum Page {
  static func response() -> Response {
    let nonce = (0..<4).map { _ in String(UInt32.random(in: .min ... .max), radix: 36) }.joined()
    let html = template.replacing("{{nonce}}", with: nonce)
    let policy = [
      "default-src 'none'", "script-src 'nonce-\(nonce)'", "style-src 'nonce-\(nonce)'",
      "connect-src 'self'", "img-src data: blob:", "base-uri 'none'", "form-action 'none'",
      "frame-ancestors 'none'",
    ]
    return Response(
      status: SOUP_STATUS_OK,
      fields: [("Content-Security-Policy", policy.joined(separator: "; "))],
      type: "text/html; charset=utf-8", body: html)
  }

  private static let template = text(PackageResources.page_html)
    .replacing("{{style}}", with: text(PackageResources.page_css))
    .replacing(
      "{{script}}",
      with: [
        PackageResources.page_js, PackageResources.tiles_js, PackageResources.crossfader_js,
        PackageResources.drawing_js, PackageResources.midi_js,
      ].map { text($0) }.joined(separator: "\n") + "\nconnect();\n")

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
