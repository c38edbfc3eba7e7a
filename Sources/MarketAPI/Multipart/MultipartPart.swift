/// One part of a form (RFC 7578).
package struct MultipartPart: Hashable, Sendable {
  package var name: String
  /// What the sender calls the file; nil where it does not say that it is one.
  package var filename: String?
  /// What the sender says of the content; often wrong.
  package var contentType: String?
  package var bytes: [UInt8]

  package init(
    name: String, filename: String? = nil, contentType: String? = nil, bytes: [UInt8]
  ) {
    self.name = name
    self.filename = filename
    self.contentType = contentType
    self.bytes = bytes
  }

  package init(name: String, text: String) {
    self.init(name: name, bytes: Array(text.utf8))
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }
}
