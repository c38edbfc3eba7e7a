/// Incremental parser of server-sent events (WHATWG HTML, section 9.2).
///
/// The lengths of lines and events are limited, so that a server cannot exhaust the memory.
package struct EventStreamParser: Sendable {
  package struct Event: Hashable, Sendable {
    /// `message` where the server gives none.
    package var name = "message"
    package var data = ""
    /// The id of this event; nil where it has none.
    package var id: String?
  }

  /// Complete item of a stream.
  package enum Item: Hashable, Sendable {
    case event(Event)
    case comment
    /// Milliseconds after which the server wants clients to reconnect.
    case retry(Int)
  }

  /// A line exceeds 64 KB, or an event 256 KB.
  package struct TooLong: Error {}

  static let lineLimit = 64 << 10
  static let eventLimit = 256 << 10
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private var line: [UInt8] = []
  private var isFirstLine = true
  /// Whether the last byte was a carriage return, so that a line feed belongs to the same line end.
  private var isAfterReturn = false
  private var event = Event()
  private var hasData = false
  private var size = 0

  package init() {}

  /// Parses bytes, and returns the items completed by them.
  /// - Throws: `TooLong` beyond the limits.
  package mutating func feed(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [Item] {
    var items: [Item] = []
    for byte in bytes {
      defer { isAfterReturn = byte == 0x0D }
      if byte == 0x0A, isAfterReturn { continue }
      guard byte != 0x0A, byte != 0x0D else {
        if let item = endLine() { items.append(item) }
        continue
      }
      line.append(byte)
      size += 1
      guard line.count <= Self.lineLimit, size <= Self.eventLimit else { throw TooLong() }
    }
    return items
  }

  private mutating func endLine() -> Item? {
    defer { line.removeAll(keepingCapacity: line.capacity <= 4_096) }
    if isFirstLine {
      isFirstLine = false
      if line.starts(with: Self.byteOrderMark) { line.removeFirst(Self.byteOrderMark.count) }
    }
    guard !line.isEmpty else { return endEvent() }
    guard line[0] != 0x3A else { return .comment }
    let colon = line.firstIndex(of: 0x3A) ?? line.endIndex
    var value = line[colon...].dropFirst()
    if value.first == 0x20 { value = value.dropFirst() }
    return parse(
      String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
  }

  private mutating func parse(_ field: String, _ value: String) -> Item? {
    switch field {
    case "event": event.name = value.isEmpty ? "message" : value
    case "data":
      event.data += hasData ? "\n" + value : value
      hasData = true
    // An id with a NUL is ignored.
    case "id" where !value.utf8.contains(0): event.id = value
    case "retry":
      guard value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return Int(value).map { .retry($0) }
    default: break
    }
    return nil
  }

  private mutating func endEvent() -> Item? {
    defer {
      event = Event()
      hasData = false
      size = 0
    }
    return hasData ? .event(event) : nil
  }
}
