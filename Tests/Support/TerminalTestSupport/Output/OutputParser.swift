/// Cuts a program's output into units, independently of the pieces in which it arrives.
package struct OutputParser: Sendable {
  private enum State {
    case ground
    case escape
    case controlSequence
    case string(OutputToken.Kind)
  }

  private var state = State.ground
  private var pending: [UInt8] = []
  private var tokens: [OutputToken] = []

  package init() {}

  /// Takes the next piece.
  ///
  /// - Parameter bytes: what arrived.
  /// - Returns: the units that are complete; the beginning of the next one is kept.
  package mutating func parse(_ bytes: [UInt8]) -> [OutputToken] {
    for byte in bytes { take(byte) }
    if case .ground = state { finishWholeCharacters() }
    defer { tokens = [] }
    return tokens
  }

  /// The bytes of a sequence that has not ended.
  package var unfinished: [UInt8] { pending }

  private mutating func take(_ byte: UInt8) {
    switch state {
    case .ground: takeGround(byte)
    case .escape: takeEscape(byte)
    case .controlSequence: takeControlSequence(byte)
    case .string(let kind): takeString(byte, kind)
    }
  }

  private mutating func takeGround(_ byte: UInt8) {
    guard byte < 0x20 || byte == 0x7f else { return pending.append(byte) }
    finish(.text)
    pending = [byte]
    if byte == 0x1b { state = .escape } else { finish(.control) }
  }

  private mutating func takeEscape(_ byte: UInt8) {
    pending.append(byte)
    switch byte {
    case UInt8(ascii: "[") where pending.count == 2: state = .controlSequence
    case UInt8(ascii: "]") where pending.count == 2: state = .string(.operatingSystemCommand)
    case UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
      if pending.count == 2 { state = .string(.controlString) } else { finish(.escape) }
    case 0x20...0x2f: break
    default: finish(.escape)
    }
  }

  private mutating func takeControlSequence(_ byte: UInt8) {
    pending.append(byte)
    if !(0x20...0x3f).contains(byte) { finish(.controlSequence) }
  }

  private mutating func takeString(_ byte: UInt8, _ kind: OutputToken.Kind) {
    let endsByEscape = byte == UInt8(ascii: "\\") && pending.last == 0x1b && pending.count > 2
    pending.append(byte)
    if endsByEscape || (byte == 0x07 && kind == .operatingSystemCommand) { finish(kind) }
  }

  /// Ends the text before a character of which bytes are still to come (RFC 3629, section 3): nothing
  /// that is written meanwhile may come between them.
  private mutating func finishWholeCharacters() {
    let start = pending.lastIndex { $0 & 0xc0 != 0x80 } ?? 0
    let bytes = pending[start...]
    let isWhole =
      switch bytes.first ?? 0 {
      case 0xf0...: bytes.count >= 4
      case 0xe0...: bytes.count >= 3
      case 0xc0...: bytes.count >= 2
      default: true
      }
    guard !isWhole else { return finish(.text) }
    pending.removeSubrange(start...)
    finish(.text)
    pending = Array(bytes)
  }

  private mutating func finish(_ kind: OutputToken.Kind) {
    if !pending.isEmpty { tokens.append(OutputToken(kind, pending)) }
    pending = []
    state = .ground
  }
}
