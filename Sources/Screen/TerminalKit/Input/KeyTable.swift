/// Keys that one terminal sends otherwise than ECMA-48 and xterm have them, by their bytes.
///
/// It is made of the terminal's entry in terminfo(5), as of Wyse's `^A @ CR` for F1. What `KeyDecoder`
/// reads by itself is left out, so that the tables of most terminals are empty.
package struct KeyTable: Sendable {
  /// The keys; nil within for a sequence that has no meaning here.
  private(set) var keys: [[UInt8]: KeyPress?] = [:]
  /// Beginnings of the sequences, without the whole ones.
  private var beginnings: Set<[UInt8]> = []

  /// The empty table.
  package init() {}

  /// Takes the string capabilities of an entry whose names begin with `k`.
  package init(_ capabilities: [(name: String, bytes: [UInt8])]) {
    for (bytes, named) in Dictionary(grouping: capabilities, by: \.bytes) where Self.isKey(bytes) {
      let decoded = Self.decoded(bytes)
      let isKnown = decoded.map { events in
        events.isEmpty || events.count == 1 && named.contains { Self.is(events[0], $0.name) }
      }
      if isKnown == true { continue }
      let wanted = named.compactMap { Self.key(named: $0.name) }
      // The entries of many terminals name one sequence for two keys.
      let key = wanted.first { $0 == .backspace } ?? wanted.first
      // A control character is also what Ctrl with a letter sends.
      if key != nil || bytes.count > 1 { add(key, for: bytes) }
    }
    // What goes on where another key ends has to be read from here as well.
    for (name, bytes) in capabilities
    where keys.keys.contains(where: { $0.count < bytes.count && bytes.starts(with: $0) }) {
      add(Self.key(named: name), for: bytes)
    }
  }

  /// Whether an event is the key of a capability; function keys count on with modifiers from F12.
  package static func `is`(_ event: InputEvent, _ name: String) -> Bool {
    guard case .key(let key) = event else { return false }
    if key == Self.key(named: name) { return true }
    guard case .function(let number) = key.key, !key.modifiers.isEmpty else { return false }
    return name.hasPrefix("kf") && name != "kf\(number)"
  }

  /// Whether the terminal sends all of its keys as `KeyDecoder` knows them.
  package var isEmpty: Bool { keys.isEmpty }

  /// Whether bytes are the beginning of a longer sequence.
  func begins(_ bytes: [UInt8]) -> Bool { beginnings.contains(bytes) }

  /// The key of a capability (terminfo(5), user_caps(5)); nil for keys that have no meaning here.
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

  /// Whether bytes may be those of a key: text is typed, and Tab, Enter, Esc and Ctrl-C stay what
  /// they are on every keyboard.
  private static func isKey(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first, !(0x20..<0x7F ~= first) else { return false }
    return bytes.count > 1 || ![0x03, 0x09, 0x0D, 0x1B].contains(first)
  }

  /// The events of a sequence without any table; nil where it stays open and takes what follows.
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
