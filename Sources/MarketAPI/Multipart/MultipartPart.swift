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

/// Why a body is no form.
package enum MultipartError: Error, Hashable, Sendable {
  /// Neither the content type nor the body names a boundary.
  case noBoundary
  /// The boundary does not occur in the body.
  case noParts
  case tooManyParts(maximum: Int)
  case headersTooLong(maximumBytes: Int)
  /// A part's headers do not end, or do not name the part.
  case brokenHeaders

  /// One sentence for the sender.
  package var reason: String {
    switch self {
    case .noBoundary: "the form has no boundary"
    case .noParts: "the boundary does not occur in the form"
    case .tooManyParts(let maximum): "the form has more than \(maximum) parts"
    case .headersTooLong(let maximum): "the headers of a part are longer than \(maximum) bytes"
    case .brokenHeaders: "the headers of a part are malformed"
    }
  }
}
