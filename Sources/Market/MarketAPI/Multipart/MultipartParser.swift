/// Lenient parser of multipart forms, for what clients send beyond RFC 2046.
///
/// It accepts a preamble, a missing last delimiter, a last delimiter without its dashes, line feeds
/// without carriage returns, and blanks around header values. The numbers of parts and header bytes are
/// limited, so that the memory stays close to the size of the body.
package struct MultipartParser {
  package static let maximumParts = 64
  package static let maximumHeaderBytes = 8 * 1_024

  private let body: [UInt8]
  /// Two dashes and the boundary.
  private let delimiter: [UInt8]

  /// Reads the parts of a body in order; where the content type has no boundary, the body's first line is
  /// the delimiter.
  /// - Throws: `.noBoundary`, `.noParts`, `.tooManyParts` above 64, `.headersTooLong` above 8 KB;
  ///   `.brokenHeaders` or `.headersNotUTF8` for a part.
  package static func parts(
    of body: [UInt8], contentType: String?
  ) throws(MultipartError) -> [MultipartPart] {
    let declared = contentType.flatMap { HeaderParameters(parsing: $0)["boundary"] }
    let delimiter = declared.map { Array("--".utf8) + Array($0.utf8) } ?? firstLine(of: body)
    guard (3...202).contains(delimiter.count), delimiter.starts(with: [0x2D, 0x2D]) else {
      throw .noBoundary
    }
    return try MultipartParser(body: body, delimiter: delimiter).parts()
  }

  private func parts() throws(MultipartError) -> [MultipartPart] {
    guard var current = nextDelimiter(from: 0) else { throw .noParts }
    var parts: [MultipartPart] = []
    while !current.isLast, hasContent(from: current.end) {
      guard parts.count < Self.maximumParts else {
        throw .tooManyParts(maximum: Self.maximumParts)
      }
      let next = nextDelimiter(from: current.end)
      let contentEnd = next?.start ?? endWithoutDelimiter(from: current.end)
      parts.append(try part(in: current.end..<contentEnd))
      guard let next else { break }
      current = next
    }
    return withoutBlankLines(parts)
  }

  private func part(in range: Range<Int>) throws(MultipartError) -> MultipartPart {
    var headers = HTTPHeaders()
    var lineStart = range.lowerBound
    while true {
      guard let lineFeed = body[lineStart..<range.upperBound].firstIndex(of: 0x0A) else {
        throw .brokenHeaders
      }
      guard lineFeed - range.lowerBound <= Self.maximumHeaderBytes else {
        throw .headersTooLong(maximumBytes: Self.maximumHeaderBytes)
      }
      guard let line = String(validating: body[lineStart..<lineFeed], as: UTF8.self)?.trimmed
      else { throw .headersNotUTF8 }
      lineStart = lineFeed + 1
      if line.isEmpty { break }
      let pieces = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard pieces.count == 2 else { throw .brokenHeaders }
      headers.add(String(pieces[1]), for: String(pieces[0]).trimmed)
      // The line break of an empty line may be the one that belongs to the delimiter.
      if lineStart == range.upperBound { break }
    }
    let disposition = HeaderParameters(parsing: headers["Content-Disposition"] ?? "")
    guard let name = disposition["name"] else { throw .brokenHeaders }
    return MultipartPart(
      name: name, filename: disposition["filename"], contentType: headers["Content-Type"],
      bytes: Array(body[lineStart..<range.upperBound]))
  }

  /// Some senders add an empty line after the data of every part; where all parts end in one, it is
  /// removed.
  private func withoutBlankLines(_ parts: [MultipartPart]) -> [MultipartPart] {
    guard parts.allSatisfy({ $0.bytes.suffix(2) == [0x0D, 0x0A] }) else { return parts }
    return parts.map { part in
      var part = part
      part.bytes.removeLast(2)
      return part
    }
  }

  private static func firstLine(of body: [UInt8]) -> [UInt8] {
    let start = body.firstIndex { !$0.isASCIIWhitespace } ?? body.endIndex
    return Array(body[start...].prefix(203).prefix { !$0.isASCIIWhitespace })
  }
}

// MARK: - Delimiters

extension MultipartParser {
  /// Delimiter line with the line break before it.
  private struct Delimiter {
    /// End of the preceding data.
    var start: Int
    /// Start of the following data.
    var end: Int
    /// Whether it closes the form.
    var isLast: Bool
  }

  /// The next delimiter at the start of a line; nil where there is none.
  private func nextDelimiter(from start: Int) -> Delimiter? {
    var lineStart = start
    while true {
      if let delimiter = delimiter(at: lineStart, notBefore: start) { return delimiter }
      guard let lineFeed = body[lineStart...].firstIndex(of: 0x0A) else { return nil }
      lineStart = lineFeed + 1
    }
  }

  /// The delimiter at the start of a line; nil where the line only begins with the boundary, as is common
  /// for short boundaries.
  private func delimiter(at lineStart: Int, notBefore start: Int) -> Delimiter? {
    let end = lineStart + delimiter.count
    guard end <= body.count, body[lineStart..<end].elementsEqual(delimiter) else { return nil }
    var dataEnd = lineStart
    if dataEnd > start { dataEnd -= 1 }
    if dataEnd > start, body[dataEnd - 1] == 0x0D { dataEnd -= 1 }
    if body[end...].starts(with: [0x2D, 0x2D]) {
      return Delimiter(start: dataEnd, end: end + 2, isLast: true)
    }
    let rest = body[end...].drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    guard let first = rest.first else {
      return Delimiter(start: dataEnd, end: body.count, isLast: true)
    }
    guard first == 0x0A else { return nil }
    return Delimiter(start: dataEnd, end: rest.startIndex + 1, isLast: false)
  }

  /// Whether anything but white space follows.
  private func hasContent(from start: Int) -> Bool {
    body[start...].contains { !$0.isASCIIWhitespace }
  }

  /// The end of the data of a last part without a delimiter.
  private func endWithoutDelimiter(from start: Int) -> Int {
    body[start...].suffix(2) == [0x0D, 0x0A] ? body.count - 2 : body.count
  }
}

/// Reason why a body is not a form.
package enum MultipartError: Error, Hashable, Sendable {
  /// Neither the content type nor the body has a boundary.
  case noBoundary
  /// The boundary does not occur in the body.
  case noParts
  case tooManyParts(maximum: Int)
  case headersTooLong(maximumBytes: Int)
  /// A part's headers do not end, or do not name the part.
  case brokenHeaders
  /// A part's headers are not UTF-8.
  case headersNotUTF8

  /// One sentence for the sender.
  package var reason: String {
    switch self {
    case .noBoundary: "the form has no boundary"
    case .noParts: "the boundary does not occur in the form"
    case .tooManyParts(let maximum): "the form has more than \(maximum) parts"
    case .headersTooLong(let maximum): "the headers of a part are longer than \(maximum) bytes"
    case .brokenHeaders: "the headers of a part are malformed"
    case .headersNotUTF8: "the headers of a part are not UTF-8"
    }
  }
}
