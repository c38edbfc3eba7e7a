import MarketModel

/// Form to be sent, in the one spelling that all servers accept: every part with its name in quotes,
/// files with a file name, CRLF throughout, a boundary that needs no quotes.
package struct MultipartForm {
  package var parts: [MultipartPart]

  package init(parts: [MultipartPart]) { self.parts = parts }

  /// The form as a body, with its content type.
  package func encoded() -> (contentType: String, body: [UInt8]) {
    let boundary = unusedBoundary()
    var body: [UInt8] = []
    body.reserveCapacity(parts.reduce(64) { $0 + $1.bytes.count + 192 })
    for part in parts {
      body.append(contentsOf: "--\(boundary)\r\n\(headers(of: part))\r\n".utf8)
      body.append(contentsOf: part.bytes)
      body.append(contentsOf: "\r\n".utf8)
    }
    body.append(contentsOf: "--\(boundary)--\r\n".utf8)
    return ("multipart/form-data; boundary=\(boundary)", body)
  }

  private func headers(of part: MultipartPart) -> String {
    var text = "Content-Disposition: form-data; name=\"\(part.name)\""
    if let filename = part.filename { text += "; filename=\"\(filename)\"" }
    text += "\r\n"
    if let contentType = part.contentType { text += "Content-Type: \(contentType)\r\n" }
    return text
  }

  /// A boundary that occurs in no part.
  private func unusedBoundary() -> String {
    var number = 0
    while true {
      let boundary = "open-market-form-\(number)"
      let bytes = Array(boundary.utf8)
      if !parts.contains(where: { $0.bytes.contains(sequence: bytes) }) { return boundary }
      number += 1
    }
  }
}

extension [UInt8] {
  fileprivate func contains(sequence: [UInt8]) -> Bool {
    guard let first = sequence.first else { return true }
    var rest = self[...]
    while let index = rest.firstIndex(of: first) {
      rest = rest[index...]
      if rest.starts(with: sequence) { return true }
      rest.removeFirst()
    }
    return false
  }
}

/// One part of a form (RFC 7578).
package struct MultipartPart: Hashable, Sendable {
  package var name: String
  /// The sender's name of the file; nil where the part is not marked as a file.
  package var filename: String?
  /// The sender's type of the content, which is often wrong.
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

  package init(name: String, text: String) { self.init(name: name, bytes: Array(text.utf8)) }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Picture files as parts of one name, with numbers as file names and types by their bytes.
  static func pictures(_ files: [[UInt8]], named name: StaticString) -> [MultipartPart] {
    files.enumerated().map { index, bytes in
      let format = PictureFormat(sniffing: bytes) ?? .jpeg
      return MultipartPart(
        name: name.description, filename: "\(index + 1).\(format.fileExtension)",
        contentType: format.mediaType, bytes: bytes)
    }
  }
}
