/// Key sequences of a terminal that differ from those of ECMA-48 and xterm.
///
/// Built from the terminfo(5) entry, as for Wyse's `^A @ CR` for F1. Sequences that `KeyDecoder` reads
/// by itself are left out, so the table of most terminals is empty.
package struct KeyTable: Sendable {
  /// Keys by sequence; a nil value is a sequence to ignore.
  private(set) var keys: [[UInt8]: KeyPress?] = [:]
  /// Proper prefixes of the sequences.
  private var beginnings: Set<[UInt8]> = []

  package init() {}

  /// Creates the table from string capabilities whose names begin with `k`.
  package init(_ capabilities: [(name: String, bytes: [UInt8])]) {
    for (bytes, named) in Dictionary(grouping: capabilities, by: \.bytes) where Self.isKey(bytes) {
      let decoded = Self.decoded(bytes)
      let isKnown = decoded.map { events in
        events.isEmpty || events.count == 1 && named.contains { Self.is(events[0], $0.name) }
      }
      if isKnown == true { continue }
      let wanted = named.compactMap { Self.key(named: $0.name) }
      // Many entries name one sequence for two keys.
      let key = wanted.first { $0 == .backspace } ?? wanted.first
      // Ctrl with a letter sends the control character too.
      if key != nil || bytes.count > 1 { add(key, for: bytes) }
    }
    // A sequence that extends another key's sequence has to be in the table as well.
    for (name, bytes) in capabilities
    where keys.keys.contains(where: { $0.count < bytes.count && bytes.starts(with: $0) }) {
      add(Self.key(named: name), for: bytes)
    }
  }

  /// Whether an event is the key of a capability; function keys beyond F12 count as modified ones.
  package static func `is`(_ event: InputEvent, _ name: String) -> Bool {
    guard case .key(let key) = event else { return false }
    if key == Self.key(named: name) { return true }
    guard case .function(let number) = key.key, !key.modifiers.isEmpty else { return false }
    return name.hasPrefix("kf") && name != "kf\(number)"
  }

  /// Whether `KeyDecoder` knows all keys of the terminal by itself.
  package var isEmpty: Bool { keys.isEmpty }

  /// Whether bytes are a proper prefix of a sequence.
  func begins(_ bytes: [UInt8]) -> Bool { beginnings.contains(bytes) }

  /// Returns the key of a capability (terminfo(5), user_caps(5)); nil for keys that are not used.
  package static func key(named name: String) -> KeyPress? {
    if let key = named[name] { return key }
    guard name.hasPrefix("kf"), let number = Int(name.dropFirst(2)), 1...20 ~= number else {
      return nil
    }
    return .function(number)
  }

  private mutating func add(_ key: KeyPress?, for bytes: [UInt8]) {
    keys[bytes] = .some(key)
    for count in bytes.indices.dropFirst() { beginnings.insert(Array(bytes[..<count])) }
  }

  /// Whether bytes may be a key's: not text, and not Tab, Enter, Esc or Ctrl-C, which keep their
  /// meaning on every keyboard.
  private static func isKey(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first, !(0x20..<0x7F ~= first) else { return false }
    return bytes.count > 1 || ![0x03, 0x09, 0x0D, 0x1B].contains(first)
  }

  /// Returns the events of a sequence without any table; nil where it is incomplete and takes further
  /// bytes.
  private static func decoded(_ bytes: [UInt8]) -> [InputEvent]? {
    var decoder = KeyDecoder()
    let events = decoder.feed(bytes)
    return decoder.isIdle ? events : nil
  }

  private static let named: [String: KeyPress] = [
    "kbs": .backspace, "kcuu1": .up, "kcud1": .down, "kcub1": .left, "kcuf1": .right,
    "khome": .home, "kend": .end, "kpp": .pageUp, "knp": .pageDown, "kdch1": .delete,
    "kich1": .insert, "kcbt": .backTab, "kent": .enter, "kri": KeyPress(.up, .shift),
    "kind": KeyPress(.down, .shift), "kLFT": KeyPress(.left, .shift),
    "kRIT": KeyPress(.right, .shift), "kHOM": KeyPress(.home, .shift),
    "kEND": KeyPress(.end, .shift), "kPRV": KeyPress(.pageUp, .shift),
    "kNXT": KeyPress(.pageDown, .shift), "kDC": KeyPress(.delete, .shift),
    "kIC": KeyPress(.insert, .shift),
  ]
}
