/// Decoder of the terminal's bytes to events.
///
/// Input may be split at any byte; incomplete sequences are kept until the next call. Escape sequences
/// follow ECMA-48 and xterm's "Control Sequences". Undecodable bytes are dropped; replies of the
/// terminal never become keys.
///
/// Only time separates a lone Esc from the beginning of a sequence: while `timeout` is not nil, the
/// caller runs a timer of that length and calls `timeout(after:)` when no byte arrived meanwhile.
package struct KeyDecoder: Sendable {
  private enum State {
    case ground
    case character(PartialScalar, alt: Bool)
    case escape
    /// After `ESC [`, `ESC O` or the introducer of a control string; in eight bits, after the C1
    /// control.
    case sequence(Introducer, isEightBit: Bool)
    case paste(PasteCollector)
    /// After `CSI M`, with the received ones of its three bytes.
    case oldMouse([UInt8])
    /// After `CSI [`, before its letter (console_codes(4)).
    case consoleFunction
    /// After bytes that begin a sequence of the table.
    case listed([UInt8])
  }

  /// Keys that this terminal sends with its own sequences.
  private let table: KeyTable
  private var state = State.ground
  /// Bytes of the sequence being read, without its introducer.
  private var body: [UInt8] = []
  /// Whether the string ends if the next byte is a backslash.
  private var sawEscapeInString = false
  /// Bytes that the last timeout turned into keys; the rest of a reply may still follow.
  private var resolved: ResolvedPrefix?

  /// Maximum bytes of a sequence's body; the rest of a longer one is dropped.
  private static let maximumBody = 8192

  /// Maximum time between two bytes of one sequence.
  package static let sequenceTimeout = Duration.milliseconds(20)
  /// Maximum time between two reads of one reply, which slow connections split.
  private static let responseTimeout = Duration.seconds(2)
  /// Maximum time between two reads of one paste.
  private static let pasteTimeout = Duration.seconds(1)

  package init(_ table: KeyTable = KeyTable()) { self.table = table }

  /// Time after which `timeout(after:)` resolves the last bytes; nil where nothing is pending.
  package var timeout: Duration? {
    switch state {
    case .ground, .character: nil
    case .escape, .consoleFunction, .listed: Self.sequenceTimeout
    case .oldMouse(let report): report.isEmpty ? Self.sequenceTimeout : Self.responseTimeout
    case .sequence: body.isEmpty ? Self.sequenceTimeout : Self.responseTimeout
    case .paste(let paste): paste.mayBeInterrupted ? Self.sequenceTimeout : Self.pasteTimeout
    }
  }

  /// Whether no sequence is pending.
  var isIdle: Bool {
    if case .ground = state { true } else { false }
  }

  /// Decodes the next bytes and returns the completed events.
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
        decode(bytes[index], &events)
        index += 1
      }
    }
    return events
  }

  /// Resolves pending bytes after a pause, if it is as long as `timeout`: returns typed keys, or a
  /// paste without its end; drops an incomplete reply.
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

  /// Returns the key of the complete table sequence, or the events of the bytes without the table.
  private mutating func keys(listedBy bytes: [UInt8]) -> [InputEvent] {
    if let listed = table.keys[bytes] { return listed.map { [.key($0)] } ?? [] }
    var events: [InputEvent] = []
    decodeUnlisted(bytes, &events)
    return events + timeout()
  }

  private mutating func resume(_ prefix: ResolvedPrefix) {
    switch prefix {
    case .escape: state = .escape
    case .introducer(let introducer): startSequence(introducer)
    }
  }

  private mutating func decode(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch state {
    case .ground where !table.isEmpty: decodeListed([byte], &events)
    case .listed(let bytes): decodeListed(bytes + [byte], &events)
    default: decodeUnlisted(byte, &events)
    }
  }

  /// Takes bytes of which all but the last begin a sequence of the table.
  private mutating func decodeListed(_ bytes: [UInt8], _ events: inout [InputEvent]) {
    if table.begins(bytes) {
      state = .listed(bytes)
    } else if let listed = table.keys[bytes] {
      state = .ground
      if let key = listed { events.append(.key(key)) }
    } else {
      state = .ground
      decodeUnlisted(bytes, &events)
    }
  }

  /// Takes bytes that are not in the table: first its longest sequence that is a prefix of them, if
  /// any, then the rest.
  private mutating func decodeUnlisted(_ bytes: [UInt8], _ events: inout [InputEvent]) {
    let known = bytes.indices.reversed().first { table.keys[Array(bytes[..<$0])] != nil }
    guard let known, let listed = table.keys[Array(bytes[..<known])] else {
      for byte in bytes { decodeUnlisted(byte, &events) }
      return
    }
    if let key = listed { events.append(.key(key)) }
    for byte in bytes[known...] { decode(byte, &events) }
  }

  private mutating func decodeUnlisted(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch state {
    case .ground, .paste, .listed: decodeText(byte, alt: false, &events)
    case .character(let partial, let alt): decode(byte, into: partial, alt: alt, &events)
    case .escape: decodeAfterEscape(byte, &events)
    case .oldMouse(let report): takeOldMouse(report + [byte], &events)
    case .consoleFunction: takeConsoleFunction(byte, &events)
    case .sequence(.control, _): takeControl(byte, &events)
    case .sequence(.single, _): takeSingle(byte, &events)
    case .sequence(let introducer, let isEightBit):
      takeString(byte, of: introducer, isEightBit: isEightBit, &events)
    }
  }

  private mutating func decodeText(_ byte: UInt8, alt: Bool, _ events: inout [InputEvent]) {
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
        startSequence(introducer, isEightBit: true)
      }
    }
  }

  private mutating func decode(
    _ byte: UInt8, into partial: PartialScalar, alt: Bool, _ events: inout [InputEvent]
  ) {
    var partial = partial
    switch partial.append(byte) {
    case .incomplete: state = .character(partial, alt: alt)
    case .invalid: decodeText(byte, alt: false, &events)
    case .complete(let scalar):
      state = .ground
      if scalar.value >= 0xA0 {
        events.append(.key(KeyPress(Character(scalar), alt: alt)))
      } else if let introducer = Introducer(eightBit: UInt8(scalar.value)) {
        startSequence(introducer, isEightBit: true)
      }
    }
  }

  private mutating func startSequence(_ introducer: Introducer, isEightBit: Bool = false) {
    state = .sequence(introducer, isEightBit: isEightBit)
    body = []
    sawEscapeInString = false
  }

  private mutating func decodeAfterEscape(_ byte: UInt8, _ events: inout [InputEvent]) {
    if byte == 0x1B {
      events.append(.key(.escape))
    } else if let introducer = Introducer(rawValue: byte) {
      startSequence(introducer)
    } else {
      decodeText(byte, alt: true, &events)
    }
  }

  private mutating func takeControl(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch byte {
    case 0x24 where ControlSequence(body: body, final: byte)?.key != nil:
      // rxvt ends keys with Shift by `$`, which ECMA-48 reserves for intermediate bytes.
      finishControl(byte, &events)
    case 0x20..<0x40: append(byte)
    case 0x40..<0x7F: finishControl(byte, &events)
    default: decodeText(byte, alt: false, &events)
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

  /// Reads the last byte of F1 to F5 as sent by the Linux console and Konsole.
  private mutating func takeConsoleFunction(_ byte: UInt8, _ events: inout [InputEvent]) {
    guard byte >= 0x20 else { return decodeText(byte, alt: false, &events) }
    state = .ground
    guard UInt8(ascii: "A")...UInt8(ascii: "E") ~= byte else { return }
    events.append(.key(.function(Int(byte) - 0x40)))
  }

  /// Reads a mouse report of mode 1000: button and position in three bytes, which would otherwise be
  /// read as keys.
  private mutating func takeOldMouse(_ report: [UInt8], _ events: inout [InputEvent]) {
    guard let last = report.last, last >= 0x20 else {
      return decodeText(report.last ?? 0, alt: false, &events)
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
    default: decodeText(byte, alt: false, &events)
    }
  }

  /// Reads a control string up to BEL, `ESC \`, or in eight bits ST.
  ///
  /// Any other control character was typed after an incomplete reply and also ends the string.
  private mutating func takeString(
    _ byte: UInt8, of introducer: Introducer, isEightBit: Bool, _ events: inout [InputEvent]
  ) {
    if sawEscapeInString {
      guard byte == UInt8(ascii: "\\") else {
        state = .escape
        return decodeAfterEscape(byte, &events)
      }
      return finishString(of: introducer, &events)
    }
    switch byte {
    case 0x1B: sawEscapeInString = true
    case 0x07: finishString(of: introducer, &events)
    case 0x9C where isEightBit:
      // In UTF-8, ST is preceded by 0xC2.
      if body.last == 0xC2 { body.removeLast() }
      finishString(of: introducer, &events)
    case 0..<0x20: decodeText(byte, alt: false, &events)
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

  /// Byte after ESC that begins a sequence, not a key with Alt.
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

    /// Converts a C1 control character of ECMA-48 (5.3); nil for other bytes.
    init?(eightBit byte: UInt8) {
      guard 0x80..<0xA0 ~= byte else { return nil }
      self.init(rawValue: byte - 0x40)
    }
  }

  /// Bytes that were turned into keys after a timeout.
  private enum ResolvedPrefix {
    case escape
    case introducer(Introducer)

    /// Whether the bytes look like the rest of a reply that arrived in parts; a user does not type
    /// three such characters between two reads.
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

    /// Returns the state after these bytes became keys too, because a reply may pause twice.
    func afterKey(_ bytes: [UInt8]) -> ResolvedPrefix? {
      guard case .escape = self, bytes.count == 1 else { return nil }
      return Introducer(rawValue: bytes[0]).map { .introducer($0) }
    }
  }
}

/// Incomplete UTF-8 sequence (RFC 3629).
private struct PartialScalar {
  enum Progress: Equatable {
    case incomplete
    case complete(Unicode.Scalar)
    /// The byte does not belong to the sequence, which is dropped; the byte begins a new one.
    case invalid
  }

  private var value: UInt32
  private var missing: Int
  /// Minimum value; smaller ones are overlong encodings, which are invalid.
  private let minimum: UInt32

  /// Returns nil for a byte that begins no sequence of two to four.
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

/// Collector of pasted bytes up to `ESC [ 201 ~`, in any number of reads.
private struct PasteCollector {
  private var bytes: [UInt8] = []
  /// Number of bytes of the end marker matched so far.
  private var matched = 0
  /// Whether the last read was Ctrl-C alone, which belongs to the paste only if more follows at once.
  private(set) var mayBeInterrupted = false

  private static let endMarker = Array("\u{1B}[201~".utf8)
  /// Maximum bytes of a paste; what follows is dropped.
  private static let maximumCount = 16 << 20

  /// Takes bytes from `index` on and moves the index behind them; returns the text once the end marker
  /// is complete.
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

  /// Takes all bytes up to the next ESC at once, because pastes may be large.
  private mutating func skipText(_ input: [UInt8], _ index: inout Int) {
    let end = input[index...].firstIndex(of: Self.endMarker[0]) ?? input.count
    append(input[index..<end])
    index = end
  }

  private mutating func append(_ more: some Collection<UInt8>) {
    bytes.append(contentsOf: more.prefix(Self.maximumCount - bytes.count))
  }

  /// Pasted text with `\n` for every line end, without control characters other than tabs.
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
