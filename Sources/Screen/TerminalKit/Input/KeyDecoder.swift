/// Decoder of the bytes that a terminal sends, which turns them into events.
///
/// It keeps what is incomplete, so the bytes may be cut anywhere, inside a character too. Escape
/// sequences follow ECMA-48 and xterm's "Control Sequences". What cannot be decoded is dropped;
/// what a terminal answers never turns into keys.
///
/// A lone Esc is told from the beginning of a sequence by time alone: while `isPending` is true,
/// the caller runs a timer of some milliseconds and calls `timeout()` when nothing came meanwhile.
package struct KeyDecoder: Sendable {
  private enum State {
    case ground
    case character(PartialScalar, alt: Bool)
    case escape
    /// After `ESC [`, `ESC O`, or what introduces a string.
    case sequence(Introducer)
    case paste(PasteCollector)
    /// After `CSI M`, with what has come of the three bytes that follow it.
    case oldMouse([UInt8])
  }

  private var state = State.ground
  /// Bytes of the sequence being read, without its introducer.
  private var body: [UInt8] = []
  /// A string has ended if a backslash follows.
  private var sawEscapeInString = false
  /// The bytes that the last `timeout()` took for keys, in case the rest of an answer follows them.
  private var resolved: ResolvedPrefix?

  /// Longer sequences are read to their end and dropped.
  private static let maximumBody = 8192

  package init() {}

  /// Whether the last byte may be a key of its own or the beginning of something longer.
  package var isPending: Bool {
    switch state {
    case .ground, .character, .paste, .oldMouse: false
    case .escape: true
    case .sequence: body.isEmpty
    }
  }

  /// Takes bytes in order and gives the events that are complete now.
  package mutating func feed(_ bytes: [UInt8]) -> [InputEvent] {
    var events: [InputEvent] = []
    guard !bytes.isEmpty else { return events }
    if let resolved, resolved.isContinued(by: bytes) { resume(resolved) }
    resolved = nil
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

  /// Learns that nothing followed in time, and gives the keys that are pending: they were typed.
  package mutating func timeout() -> [InputEvent] {
    guard isPending else { return [] }
    defer { state = .ground }
    switch state {
    case .sequence(let introducer):
      resolved = .introducer(introducer)
      return [.key(.alt(introducer.character))]
    default:
      resolved = .escape
      return [.key(.escape)]
    }
  }

  private mutating func resume(_ prefix: ResolvedPrefix) {
    switch prefix {
    case .escape: state = .escape
    case .introducer(let introducer): begin(introducer)
    }
  }

  private mutating func take(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch state {
    case .ground, .paste: takeText(byte, alt: false, &events)
    case .character(let partial, let alt): take(byte, into: partial, alt: alt, &events)
    case .escape: takeAfterEscape(byte, &events)
    case .oldMouse(let report): takeOldMouse(report + [byte], &events)
    case .sequence(.control): takeControl(byte, &events)
    case .sequence(.single): takeSingle(byte, &events)
    case .sequence(let introducer): takeString(byte, of: introducer, &events)
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
      if let partial = PartialScalar(first: byte) { state = .character(partial, alt: alt) }
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
      // C1 controls are no text, and no terminal sends them for a key.
      guard scalar.value >= 0xA0 else { return }
      events.append(.key(KeyPress(Character(scalar), alt: alt)))
    }
  }

  private mutating func begin(_ introducer: Introducer) {
    state = .sequence(introducer)
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
    case 0x20..<0x40: append(byte)
    case 0x40..<0x7F:
      state = .ground
      if body.isEmpty, byte == UInt8(ascii: "M") {
        state = .oldMouse([])
        return
      }
      guard let sequence = ControlSequence(body: body, final: byte) else { return }
      if sequence.beginsPaste {
        state = .paste(PasteCollector())
      } else if let event = sequence.event {
        events.append(event)
      }
    default: takeText(byte, alt: false, &events)
    }
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

  /// Reads a string up to BEL or `ESC \`.
  ///
  /// Any other control character was typed into an answer that stayed incomplete, and ends it too.
  private mutating func takeString(
    _ byte: UInt8, of introducer: Introducer, _ events: inout [InputEvent]
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
  }

  /// Bytes that were taken for keys because nothing followed them in time.
  private enum ResolvedPrefix {
    case escape
    case introducer(Introducer)

    /// Whether the bytes look like the rest of an answer that arrived in two pieces.
    ///
    /// Nobody types three such characters between two reads.
    func isContinued(by bytes: [UInt8]) -> Bool {
      var rest = bytes[...]
      if case .escape = self {
        guard let first = rest.popFirst(), Introducer(rawValue: first) != nil else { return false }
      }
      guard rest.count >= 2, let first = rest.first else { return false }
      return UInt8(ascii: "0")...UInt8(ascii: "?") ~= first
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

  private static let endMarker = Array("\u{1B}[201~".utf8)
  /// What is pasted beyond 16 MB is dropped.
  private static let maximumCount = 16 << 20

  /// Takes bytes from `index` on, leaves the index at the first byte that is not of the paste, and
  /// gives the text when its end was found.
  mutating func feed(_ input: [UInt8], from index: inout Int) -> String? {
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
  private var text: String {
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
