/// Decoder of the bytes that a terminal sends, which turns them into events.
///
/// It keeps what is incomplete, so the bytes may be cut anywhere, inside a character too. Escape
/// sequences follow ECMA-48 and xterm's "Control Sequences". What cannot be decoded is dropped;
/// what a terminal answers never turns into keys.
///
/// A lone Esc is told from the beginning of a sequence by time alone: while `patience` is not nil, the
/// caller runs a timer of that length and calls `timeout()` when nothing came meanwhile.
package struct KeyDecoder: Sendable {
  private enum State {
    case ground
    case character(PartialScalar, alt: Bool)
    case escape
    /// After `ESC [`, `ESC O`, or what introduces a string; in eight bits, after the control character
    /// that says the same.
    case sequence(Introducer, isEightBit: Bool)
    case paste(PasteCollector)
    /// After `CSI M`, with what has come of the three bytes that follow it.
    case oldMouse([UInt8])
    /// After `CSI [`, which one letter follows (console_codes(4)).
    case consoleFunction
    /// After bytes that begin a sequence of the table.
    case listed([UInt8])
  }

  /// The keys that this terminal sends in its own way.
  private let table: KeyTable
  private var state = State.ground
  /// Bytes of the sequence being read, without its introducer.
  private var body: [UInt8] = []
  /// A string has ended if a backslash follows.
  private var sawEscapeInString = false
  /// The bytes that the last `timeout()` took for keys, in case the rest of an answer follows them.
  private var resolved: ResolvedPrefix?

  /// Longer sequences are read to their end and dropped.
  private static let maximumBody = 8192

  /// Longest time between two bytes of one sequence.
  package static let sequenceTimeout = Duration.milliseconds(20)
  /// Longest time between two reads of one answer, which slow lines cut.
  private static let responseTimeout = Duration.seconds(2)
  /// Longest time between two reads of one paste.
  private static let pasteTimeout = Duration.seconds(1)

  package init(_ table: KeyTable = KeyTable()) { self.table = table }

  /// The time after which `timeout()` decides what the last bytes were; nil where nothing is open.
  package var timeout: Duration? {
    switch state {
    case .ground, .character: nil
    case .escape, .consoleFunction, .listed: Self.sequenceTimeout
    case .oldMouse(let report): report.isEmpty ? Self.sequenceTimeout : Self.responseTimeout
    case .sequence: body.isEmpty ? Self.sequenceTimeout : Self.responseTimeout
    case .paste(let paste): paste.mayBeInterrupted ? Self.sequenceTimeout : Self.pasteTimeout
    }
  }

  /// Whether nothing is open that the next bytes would belong to.
  var isIdle: Bool {
    if case .ground = state { true } else { false }
  }

  /// Takes bytes in order and gives the events that are complete now.
  package mutating func feed(_ bytes: [UInt8]) -> [InputEvent] {
    var events: [InputEvent] = []
    guard !bytes.isEmpty else { return events }
    if let resolved, resolved.isContinued(by: bytes) { resume(resolved) }
    resolved = resolved?.afterKey(bytes)
    var index = 0
    while index < bytes.count {
      if case .paste(var paste) = state {
        state = .ground
        if let text = paste.feed(bytes, from: &index) {
          events.append(.paste(text))
        } else {
          state = .paste(paste)
        }
      } else {
        take(bytes[index], &events)
        index += 1
      }
    }
    return events
  }

  /// Learns that nothing followed for a while, and gives the events that are open if that is long enough:
  /// keys were typed, a paste whose end was lost is over, and an answer without an end is none.
  package mutating func timeout(after pause: Duration = sequenceTimeout) -> [InputEvent] {
    guard let timeout, pause >= timeout else { return [] }
    let open = state
    let isBegun = !body.isEmpty
    state = .ground
    body = []
    sawEscapeInString = false
    switch open {
    case .paste(let paste): return [.paste(paste.text)]
    case .escape:
      resolved = .escape
      return [.key(.escape)]
    case .sequence where isBegun: return []
    case .sequence(let introducer, isEightBit: false):
      resolved = .introducer(introducer)
      return [.key(.alt(introducer.character))]
    case .listed(let bytes): return keys(listedBy: bytes)
    case .ground, .character, .sequence, .oldMouse, .consoleFunction: return []
    }
  }

  /// The key of the table that has been typed whole, or what the bytes mean without it.
  private mutating func keys(listedBy bytes: [UInt8]) -> [InputEvent] {
    if let listed = table.keys[bytes] { return listed.map { [.key($0)] } ?? [] }
    var events: [InputEvent] = []
    takeUnlisted(bytes, &events)
    return events + timeout()
  }

  private mutating func resume(_ prefix: ResolvedPrefix) {
    switch prefix {
    case .escape: state = .escape
    case .introducer(let introducer): begin(introducer)
    }
  }

  private mutating func take(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch state {
    case .ground where !table.isEmpty: takeListed([byte], &events)
    case .listed(let bytes): takeListed(bytes + [byte], &events)
    default: takeUnlisted(byte, &events)
    }
  }

  /// Takes bytes of which all but the last begin a sequence of the table.
  private mutating func takeListed(_ bytes: [UInt8], _ events: inout [InputEvent]) {
    if table.begins(bytes) {
      state = .listed(bytes)
    } else if let listed = table.keys[bytes] {
      state = .ground
      if let key = listed { events.append(.key(key)) }
    } else {
      state = .ground
      takeUnlisted(bytes, &events)
    }
  }

  /// Takes bytes that the table does not have: its longest sequence that they begin with, if any, then
  /// the others.
  private mutating func takeUnlisted(_ bytes: [UInt8], _ events: inout [InputEvent]) {
    let known = bytes.indices.reversed().first { table.keys[Array(bytes[..<$0])] != nil }
    guard let known, let listed = table.keys[Array(bytes[..<known])] else {
      for byte in bytes { takeUnlisted(byte, &events) }
      return
    }
    if let key = listed { events.append(.key(key)) }
    for byte in bytes[known...] { take(byte, &events) }
  }

  private mutating func takeUnlisted(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch state {
    case .ground, .paste, .listed: takeText(byte, alt: false, &events)
    case .character(let partial, let alt): take(byte, into: partial, alt: alt, &events)
    case .escape: takeAfterEscape(byte, &events)
    case .oldMouse(let report): takeOldMouse(report + [byte], &events)
    case .consoleFunction: takeConsoleFunction(byte, &events)
    case .sequence(.control, _): takeControl(byte, &events)
    case .sequence(.single, _): takeSingle(byte, &events)
    case .sequence(let introducer, let isEightBit):
      takeString(byte, of: introducer, isEightBit: isEightBit, &events)
    }
  }

  private mutating func takeText(_ byte: UInt8, alt: Bool, _ events: inout [InputEvent]) {
    state = .ground
    switch byte {
    case 0x1B: state = .escape
    case 0..<0x20, 0x7F:
      let key = KeyPress(controlByte: byte)
      events.append(.key(alt ? key.adding(.alt) : key))
    case 0x20..<0x7F:
      events.append(.key(KeyPress(Character(Unicode.Scalar(byte)), alt: alt)))
    default:
      if let partial = PartialScalar(first: byte) {
        state = .character(partial, alt: alt)
      } else if let introducer = Introducer(eightBit: byte) {
        begin(introducer, isEightBit: true)
      }
    }
  }

  private mutating func take(
    _ byte: UInt8, into partial: PartialScalar, alt: Bool, _ events: inout [InputEvent]
  ) {
    var partial = partial
    switch partial.append(byte) {
    case .incomplete: state = .character(partial, alt: alt)
    case .invalid: takeText(byte, alt: false, &events)
    case .complete(let scalar):
      state = .ground
      if scalar.value >= 0xA0 {
        events.append(.key(KeyPress(Character(scalar), alt: alt)))
      } else if let introducer = Introducer(eightBit: UInt8(scalar.value)) {
        begin(introducer, isEightBit: true)
      }
    }
  }

  private mutating func begin(_ introducer: Introducer, isEightBit: Bool = false) {
    state = .sequence(introducer, isEightBit: isEightBit)
    body = []
    sawEscapeInString = false
  }

  private mutating func takeAfterEscape(_ byte: UInt8, _ events: inout [InputEvent]) {
    if byte == 0x1B {
      events.append(.key(.escape))
    } else if let introducer = Introducer(rawValue: byte) {
      begin(introducer)
    } else {
      takeText(byte, alt: true, &events)
    }
  }

  private mutating func takeControl(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch byte {
    case 0x24 where ControlSequence(body: body, final: byte)?.key != nil:
      // rxvt ends keys with Shift by what ECMA-48 lets stand before the end alone.
      finishControl(byte, &events)
    case 0x20..<0x40: append(byte)
    case 0x40..<0x7F: finishControl(byte, &events)
    default: takeText(byte, alt: false, &events)
    }
  }

  private mutating func finishControl(_ final: UInt8, _ events: inout [InputEvent]) {
    state = .ground
    switch final {
    case UInt8(ascii: "M") where body.isEmpty: state = .oldMouse([])
    case UInt8(ascii: "[") where body.isEmpty: state = .consoleFunction
    default:
      guard let sequence = ControlSequence(body: body, final: final) else { return }
      if sequence.beginsPaste {
        state = .paste(PasteCollector())
      } else if let event = sequence.event {
        events.append(event)
      }
    }
  }

  /// Reads the last byte of F1 to F5 as the Linux console and Konsole send them.
  private mutating func takeConsoleFunction(_ byte: UInt8, _ events: inout [InputEvent]) {
    guard byte >= 0x20 else { return takeText(byte, alt: false, &events) }
    state = .ground
    guard UInt8(ascii: "A")...UInt8(ascii: "E") ~= byte else { return }
    events.append(.key(.function(Int(byte) - 0x40)))
  }

  /// Reads what terminals without mode 1006 report: a button and a place as three bytes, which would
  /// be keys otherwise.
  private mutating func takeOldMouse(_ report: [UInt8], _ events: inout [InputEvent]) {
    guard let last = report.last, last >= 0x20 else {
      return takeText(report.last ?? 0, alt: false, &events)
    }
    state = .oldMouse(report)
    guard report.count == 3 else { return }
    state = .ground
    if let mouse = ControlSequence(oldMouse: report)?.mouse { events.append(.mouse(mouse)) }
  }

  private mutating func takeSingle(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch byte {
    case 0x30..<0x3C where body.count < 8: append(byte)
    case 0x40..<0x7F:
      state = .ground
      if let key = ControlSequence(body: body, final: byte)?.key { events.append(.key(key)) }
    default: takeText(byte, alt: false, &events)
    }
  }

  /// Reads a string up to BEL, `ESC \`, or in eight bits ST.
  ///
  /// Any other control character was typed into an answer that stayed incomplete, and ends it too.
  private mutating func takeString(
    _ byte: UInt8, of introducer: Introducer, isEightBit: Bool, _ events: inout [InputEvent]
  ) {
    if sawEscapeInString {
      guard byte == UInt8(ascii: "\\") else {
        state = .escape
        return takeAfterEscape(byte, &events)
      }
      return finishString(of: introducer, &events)
    }
    switch byte {
    case 0x1B: sawEscapeInString = true
    case 0x07: finishString(of: introducer, &events)
    case 0x9C where isEightBit:
      // Where control characters come as UTF-8, one more byte belongs to it.
      if body.last == 0xC2 { body.removeLast() }
      finishString(of: introducer, &events)
    case 0..<0x20: takeText(byte, alt: false, &events)
    default: append(byte)
    }
  }

  private mutating func finishString(
    of introducer: Introducer, _ events: inout [InputEvent]
  ) {
    state = .ground
    events.append(.reply(TerminalReply(introducer: introducer, body: body)))
  }

  private mutating func append(_ byte: UInt8) {
    if body.count < Self.maximumBody { body.append(byte) }
  }

  /// The byte after an escape that begins something longer than a key with Alt.
  enum Introducer: UInt8 {
    /// CSI
    case control = 0x5B
    /// SS3: one final byte follows.
    case single = 0x4F
    /// DCS
    case device = 0x50
    /// OSC
    case system = 0x5D
    /// APC
    case application = 0x5F
    /// PM
    case privacy = 0x5E
    /// SOS
    case start = 0x58

    var character: Character { Character(Unicode.Scalar(rawValue)) }

    /// The same as one control character of ECMA-48 (5.3).
    init?(eightBit byte: UInt8) {
      guard 0x80..<0xA0 ~= byte else { return nil }
      self.init(rawValue: byte - 0x40)
    }
  }

  /// Bytes that were taken for keys because nothing followed them in time.
  private enum ResolvedPrefix {
    case escape
    case introducer(Introducer)

    /// Whether the bytes look like the rest of an answer that arrived in pieces.
    ///
    /// Nobody types three such characters between two reads.
    func isContinued(by bytes: [UInt8]) -> Bool {
      var rest = bytes[...]
      var introducer: Introducer?
      switch self {
      case .escape: introducer = rest.popFirst().flatMap { Introducer(rawValue: $0) }
      case .introducer(let resolved): introducer = resolved
      }
      guard let introducer, rest.count >= 2, let first = rest.first else { return false }
      if introducer == .application { return first == UInt8(ascii: "G") }
      return UInt8(ascii: "0")...UInt8(ascii: "?") ~= first
    }

    /// What is resolved once these bytes are keys too: an answer may pause twice.
    func afterKey(_ bytes: [UInt8]) -> ResolvedPrefix? {
      guard case .escape = self, bytes.count == 1 else { return nil }
      return Introducer(rawValue: bytes[0]).map { .introducer($0) }
    }
  }
}

/// First bytes of a UTF-8 sequence (RFC 3629) whose rest has not arrived.
private struct PartialScalar {
  enum Progress: Equatable {
    case incomplete
    case complete(Unicode.Scalar)
    /// The byte does not belong to the sequence, which is lost; the byte begins something new.
    case invalid
  }

  private var value: UInt32
  private var missing: Int
  /// Smaller values would have taken fewer bytes, which is forbidden.
  private let minimum: UInt32

  /// Nil for a byte that begins no sequence of two to four.
  init?(first: UInt8) {
    switch first {
    case 0xC2..<0xE0: (value, missing, minimum) = (UInt32(first & 0x1F), 1, 0x80)
    case 0xE0..<0xF0: (value, missing, minimum) = (UInt32(first & 0x0F), 2, 0x800)
    case 0xF0..<0xF5: (value, missing, minimum) = (UInt32(first & 0x07), 3, 0x1_0000)
    default: return nil
    }
  }

  mutating func append(_ byte: UInt8) -> Progress {
    guard byte & 0xC0 == 0x80 else { return .invalid }
    value = value << 6 | UInt32(byte & 0x3F)
    missing -= 1
    guard missing == 0 else { return .incomplete }
    guard value >= minimum, let scalar = Unicode.Scalar(value) else { return .invalid }
    return .complete(scalar)
  }
}

/// Collector of pasted bytes up to `ESC [ 2 0 1 ~`, however they are cut.
private struct PasteCollector {
  private var bytes: [UInt8] = []
  /// The number of bytes of the end marker that the last bytes were.
  private var matched = 0
  /// Whether the last read was Ctrl-C alone, which was pasted only where more follows at once.
  private(set) var mayBeInterrupted = false

  private static let endMarker = Array("\u{1B}[201~".utf8)
  /// What is pasted beyond 16 MB is dropped.
  private static let maximumCount = 16 << 20

  /// Takes bytes from `index` on, leaves the index at the first byte that is not of the paste, and
  /// gives the text when its end was found.
  mutating func feed(_ input: [UInt8], from index: inout Int) -> String? {
    mayBeInterrupted = input == [0x03]
    while index < input.count {
      if matched == 0 { skipText(input, &index) }
      guard index < input.count else { break }
      if input[index] == Self.endMarker[matched] {
        index += 1
        matched += 1
        if matched == Self.endMarker.count { return text }
      } else {
        append(Self.endMarker[..<matched])
        matched = 0
      }
    }
    return nil
  }

  /// Takes all up to the next escape at once, as pastes may be large.
  private mutating func skipText(_ input: [UInt8], _ index: inout Int) {
    let end = input[index...].firstIndex(of: Self.endMarker[0]) ?? input.count
    append(input[index..<end])
    index = end
  }

  private mutating func append(_ more: some Collection<UInt8>) {
    if bytes.count + more.count <= Self.maximumCount { bytes.append(contentsOf: more) }
  }

  /// The text with `\n` for every line end and without other control characters than tabs.
  var text: String {
    var scalars = String.UnicodeScalarView()
    var previous: Unicode.Scalar = " "
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0x0D: scalars.append("\n")
      case 0x0A: if previous != "\r" { scalars.append("\n") }
      case 0x09, 0x20..<0x7F, 0xA0...: scalars.append(scalar)
      default: break
      }
      previous = scalar
    }
    return String(scalars)
  }
}
