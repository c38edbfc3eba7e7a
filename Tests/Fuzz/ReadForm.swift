import MarketAPI

/// Reads libFuzzer's bytes as a form; the fields that were read must arrive again when they are sent.
///
/// The first line is the content type, the rest is the body.
package func readForm(_ bytes: [UInt8]) {
  let line = bytes.prefix { $0 != 0x0A }
  let body = Array(bytes.dropFirst(line.count + 1))
  let contentType = String(decoding: line, as: UTF8.self)
  guard let parts = try? MultipartParser.parts(of: body, contentType: contentType) else { return }
  precondition(parts.count <= MultipartParser.maximumParts)
  precondition(parts.reduce(0) { $0 + $1.bytes.count } <= body.count, "parts are larger than all")

  // The last part keeps the others from being taken for parts with an empty line behind each.
  let sent =
    parts.prefix(MultipartParser.maximumParts - 1)
    .map { MultipartPart(name: "images", bytes: $0.bytes) } + [MultipartPart(name: "a", text: "a")]
  let form = MultipartForm(parts: sent).encoded()
  let arrived = try? MultipartParser.parts(of: form.body, contentType: form.contentType)
  precondition(arrived == sent, "what is sent is not what arrives")
}
