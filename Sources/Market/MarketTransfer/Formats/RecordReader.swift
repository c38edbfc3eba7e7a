import Glibc
import MarketModel
import TextCoding

/// Reader of table records (RFC 4180), as spreadsheets and people write them: with any separator, and
/// with line feeds, carriage returns or both.
///
/// A quote within an unquoted field is a character of it; another misplaced one invalidates only its
/// own record.
struct RecordReader {
  /// Record of a table.
  struct Record {
    /// Lines of the file, from 1.
    let lines: ClosedRange<Int>
    /// The bytes of the record, without its line end.
    let bytes: [UInt8]
    /// Its fields without their quotes, or the reason why it is invalid.
    let fields: Result<[ArraySlice<UInt8>], ImportProblem.Reason>
    /// Whether it has only separators and blanks.
    let isBlank: Bool
  }

  static let comma = UInt8(ascii: ",")
  static let tab = UInt8(ascii: "\t")
  private static let separators = [comma, UInt8(ascii: ";"), tab, UInt8(ascii: "|")]
  /// Maximum length of a record in bytes.
  static let maxLength = 8 << 20
  /// Maximum length of a quoted text in bytes, the longest description with its quotes doubled; a quote
  /// that is not closed so far is never.
  static let maxQuoted = TextLimit.description.bytes + TextLimit.description.scalars + 2
  /// Maximum number of fields; records with more are invalid.
  private static let maxFields = 1_000

  private var text: DecodedFile
  private var buffer: [UInt8] = []
  /// Offset of the next record in the buffer.
  private var position = 0
  private var isAtEnd = false
  private var line = 1
  private var separator = comma

  /// A reader; nil guesses the encoding.
  init(_ file: InputFile, _ encoding: TextEncoding? = nil) { text = DecodedFile(file, encoding) }

  var guessedEncoding: TextEncoding? { text.guessed }

  /// The encoding that the file may have; nil where naming one would not help.
  var likelyEncoding: TextEncoding? { text.likely }

  /// The next record; nil at the end.
  /// - Throws: what `DecodedFile.next()` throws.
  mutating func next() throws(TransferError) -> Record? {
    guard let span = try nextSpan() else { return nil }
    guard !span.isTooLong else { return try passLine() }
    let next = line(after: span)
    let record = record(span, upTo: next)
    line = next
    position = span.next
    return record
  }

  /// Reads the first record, with the separator for which `columns` accepts its fields.
  /// - Throws: `.noColumns` where it accepts none; `.unknownEncoding` where the record is not UTF-8; what
  ///   `columns` and `DecodedFile.next()` throw.
  mutating func header<Columns>(
    _ columns: ([String]) throws(TransferError) -> Columns?
  ) throws(TransferError) -> Columns {
    try passSeparatorLine()
    try passBlankLines()
    var (found, problem): ([String], TransferError?) = ([], nil)
    for candidate in Self.separators {
      separator = candidate
      guard let (span, fields) = try headings() else { continue }
      let isBest = fields.count > found.count
      if isBest { found = fields }
      do throws(TransferError) {
        guard let columns = try columns(fields) else { continue }
        line = line(after: span)
        position = span.next
        return columns
      } catch .noColumn(let heading, let among) {
        // Another separator may have it.
        if isBest {
          problem = .noColumn(heading, among: among)
        }
      }
    }
    if let problem { throw problem }
    var missing = TableColumns.missing(found)
    missing.headingLine = try headingLine(columns)
    throw .noColumns(missing)
  }

  /// The fields of the next record, without consuming it; nil where it has none.
  private mutating func headings() throws(TransferError) -> (RecordSpan, [String])? {
    guard let span = try nextSpan(), !span.isTooLong else { return nil }
    let record = record(span, upTo: line)
    guard record.bytes.isUTF8 else { throw .unknownEncoding(text.likely) }
    guard let fields = try? record.fields.get() else { return nil }
    return (span, fields.map { String(decoding: $0, as: UTF8.self) })
  }

  /// The line among the next ones that `columns` accepts.
  private mutating func headingLine<Columns>(
    _ columns: ([String]) throws(TransferError) -> Columns?
  ) throws(TransferError) -> Int? {
    separator = Self.comma
    for _ in 0..<5 {
      guard let span = try nextSpan(), !span.isTooLong else { return nil }
      line = line(after: span)
      position = span.next
      for candidate in Self.separators {
        separator = candidate
        guard let (_, fields) = try? headings() else { continue }
        if (try? columns(fields)) ?? nil != nil { return line }
      }
    }
    return nil
  }

  /// Passes the line `sep=;`, by which a table tells Excel its separator.
  private mutating func passSeparatorLine() throws(TransferError) {
    separator = 0
    guard let span = try nextSpan(), !span.isTooLong else { return }
    let text = String(decoding: buffer[position..<span.end], as: UTF8.self).lowercased()
    guard text.hasPrefix("sep="), text.utf8.count <= 5 else { return }
    line = line(after: span)
    position = span.next
  }

  /// Passes lines of blanks and separators above the names of the columns.
  private mutating func passBlankLines() throws(TransferError) {
    separator = 0
    while let span = try nextSpan(), !span.isTooLong,
      buffer[position..<span.end].allSatisfy({ $0 == 0x20 || Self.separators.contains($0) })
    {
      line = line(after: span)
      position = span.next
    }
  }

  /// Extent of the next record, without consuming it; nil at the end.
  private mutating func nextSpan() throws(TransferError) -> RecordSpan? {
    while true {
      if position < buffer.count {
        if let span = scannedSpan() { return span }
        if buffer.count - position > RecordReader.maxLength { return .tooLong }
      } else if isAtEnd {
        return nil
      }
      try fill()
    }
  }

  private func scannedSpan() -> RecordSpan? {
    buffer.withUnsafeBufferPointer { bytes in
      var scan = RecordScan(bytes, from: position, separator: separator, isAtEnd: isAtEnd)
      return scan.span()
    }
  }

  /// Reads at least as much as is buffered, so that a long record is not rescanned for every piece.
  private mutating func fill() throws(TransferError) {
    buffer.removeFirst(position)
    position = 0
    let wanted = buffer.count * 2
    repeat {
      let piece = try text.next()
      isAtEnd = piece.isEmpty
      buffer += piece
    } while !isAtEnd && buffer.count < wanted
  }

  /// Skips a line that is too long.
  private mutating func passLine() throws(TransferError) -> Record {
    let record = tooLong
    while true {
      let end = buffer[position...].firstIndex { $0 == 0x0A || $0 == 0x0D }
      position = end ?? buffer.count
      guard end == nil || position + 1 == buffer.count, !isAtEnd else { break }
      try fill()
    }
    if position < buffer.count {
      position += buffer[position...].starts(with: [0x0D, 0x0A]) ? 2 : 1
      line += 1
    }
    return record
  }

  private var tooLong: Record {
    Record(
      lines: line...line, bytes: [], fields: .failure(.tooLong(Self.maxLength)), isBlank: false)
  }

  private func line(after span: RecordSpan) -> Int { line + lineEnds(in: position..<span.next) }

  private func lineEnds(in places: Range<Int>) -> Int {
    buffer.withUnsafeBufferPointer { bytes in
      places.reduce(0) { count, place in
        let isEnd =
          bytes[place] == 0x0A
          || bytes[place] == 0x0D && !(place + 1 < bytes.count && bytes[place + 1] == 0x0A)
        return isEnd ? count + 1 : count
      }
    }
  }

  /// The record of a span before the line `next`.
  private func record(_ span: RecordSpan, upTo next: Int) -> Record {
    guard span.end - position <= RecordReader.maxLength else { return tooLong }
    let bytes = Array(buffer[position..<span.end])
    let isBlank = bytes.allSatisfy { $0 == separator || $0 == 0x20 || $0 == 0x09 }
    let fields: Result<[ArraySlice<UInt8>], ImportProblem.Reason> =
      span.isMisquoted ? .failure(.badQuotes) : fields(of: bytes[...])
    return Record(
      lines: line...max(line, span.next > span.end ? next - 1 : next), bytes: bytes,
      fields: fields, isBlank: isBlank)
  }

  /// Splits a record with matching quotes.
  private func fields(
    of content: ArraySlice<UInt8>
  ) -> Result<[ArraySlice<UInt8>], ImportProblem.Reason> {
    var fields: [ArraySlice<UInt8>] = []
    var count = 0
    var rest = content
    while true {
      let field = takeField(of: &rest)
      count += 1
      if count <= Self.maxFields { fields.append(field) }
      guard rest.popFirst() != nil else { break }
    }
    return count <= Self.maxFields ? .success(fields) : .failure(.columnCount(count))
  }

  /// Consumes a field, up to the separator after it.
  private func takeField(of rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var quoted = rest.drop { $0 == 0x20 }
    // The guard of a spreadsheet.
    if quoted.starts(with: [0x3D, 0x22]) { quoted.removeFirst() }
    guard quoted.first == 0x22 else {
      let end = rest.firstIndex(of: separator) ?? rest.endIndex
      defer { rest = rest[end...] }
      return rest[..<end]
    }
    rest = quoted.dropFirst()
    var field: [UInt8] = []
    while let end = rest.firstIndex(of: 0x22) {
      field += rest[..<end]
      rest = rest[(end + 1)...]
      // Two quotes are an escaped one.
      guard rest.first == 0x22 else { break }
      field.append(0x22)
      rest.removeFirst()
    }
    rest = rest.drop { $0 == 0x20 }
    return field[...]
  }

  /// Writes a record with the line end of RFC 4180.
  static func bytes(_ fields: [String], separator: UInt8) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, field) in fields.enumerated() {
      if index > 0 { bytes.append(separator) }
      append(field, separator, to: &bytes)
    }
    return bytes + [0x0D, 0x0A]
  }

  private static func append(_ field: String, _ separator: UInt8, to bytes: inout [UInt8]) {
    let needsQuotes = field.utf8.contains {
      $0 == 0x22 || $0 == separator || $0 == 0x0A || $0 == 0x0D
    }
    guard needsQuotes else {
      bytes += field.utf8
      return
    }
    bytes.append(0x22)
    for byte in field.utf8 {
      if byte == 0x22 { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(0x22)
  }
}

/// Extent of a record in a buffer.
private struct RecordSpan {
  /// End of its fields.
  var end: Int
  /// Offset of the next record.
  var next: Int
  /// Whether it has a misplaced quote.
  var isMisquoted = false
  var isTooLong = false

  static let tooLong = RecordSpan(end: 0, next: 0, isTooLong: true)
}

/// Scanner for the end of one record.
private struct RecordScan {
  private enum Quoted {
    case closed
    /// Text follows the closing quote, or there is none.
    case stray
    case unfinished
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let separator: UInt8
  private let isAtEnd: Bool
  private var index: Int
  private var isMisquoted = false

  init(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, separator: UInt8, isAtEnd: Bool
  ) {
    (self.bytes, index) = (bytes, start)
    (self.separator, self.isAtEnd) = (separator, isAtEnd)
  }

  /// The extent of the record; nil where more bytes are needed.
  mutating func span() -> RecordSpan? {
    while true {
      passBlanks()
      if index + 1 < bytes.count, bytes[index] == 0x3D, bytes[index + 1] == 0x22 { index += 1 }
      if index < bytes.count, bytes[index] == 0x22 {
        let opening = index
        switch passQuoted() {
        case .closed: break
        case .unfinished: return nil
        case .stray:
          // The following text may or may not be quoted: only this line is rejected.
          isMisquoted = true
          index = opening
          while index < bytes.count, !isLineEnd(bytes[index]) { index += 1 }
        }
      } else {
        passPlain()
      }
      guard index < bytes.count else { return isAtEnd ? span(before: index) : nil }
      guard bytes[index] == separator else { return spanAtLineEnd() }
      index += 1
    }
  }

  private func span(before next: Int) -> RecordSpan {
    RecordSpan(end: index, next: next, isMisquoted: isMisquoted)
  }

  private func spanAtLineEnd() -> RecordSpan? {
    guard bytes[index] == 0x0D else { return span(before: index + 1) }
    guard index + 1 < bytes.count || isAtEnd else { return nil }
    let isBeforeLineFeed = index + 1 < bytes.count && bytes[index + 1] == 0x0A
    return span(before: index + (isBeforeLineFeed ? 2 : 1))
  }

  private mutating func passBlanks() {
    while index < bytes.count, bytes[index] == 0x20 { index += 1 }
  }

  private mutating func passPlain() {
    while index < bytes.count, bytes[index] != separator, !isLineEnd(bytes[index]) { index += 1 }
  }

  /// Skips a quoted field, and the blanks after its closing quote.
  private mutating func passQuoted() -> Quoted {
    let opening = index
    index += 1
    while let quote = nextQuote() {
      guard quote - opening <= RecordReader.maxQuoted else { return .stray }
      index = quote + 1
      guard index < bytes.count || isAtEnd else { return .unfinished }
      if index < bytes.count, bytes[index] == 0x22 {
        index += 1
        continue
      }
      passBlanks()
      guard index < bytes.count else { return isAtEnd ? .closed : .unfinished }
      return bytes[index] == separator || isLineEnd(bytes[index]) ? .closed : .stray
    }
    return isAtEnd || bytes.count - opening > RecordReader.maxQuoted ? .stray : .unfinished
  }

  private func nextQuote() -> Int? {
    guard let base = bytes.baseAddress, index < bytes.count,
      let found = memchr(base + index, 0x22, bytes.count - index)
    else { return nil }
    return UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
  }

  private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
