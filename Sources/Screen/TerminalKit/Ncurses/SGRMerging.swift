/// Merger of SGR commands, of which ncurses writes one per attribute and colour pair: adjacent ones
/// become one, those before a reset are dropped, and redundant ones are left out.
///
/// The embedded terminfo entries encode a colour pair by its number between SOH and a semicolon,
/// because terminfo's own way to set two colours costs ncurses six times as much.
struct SGRMerging {
  /// Colours of the pairs by number, the terminal's default first; empty where a system entry sets
  /// colours.
  var pairs: [PairTable.Colors] = []

  private var bytes: [UInt8] = []
  /// Parameters of the next command, except those of the colour pair.
  private var numbers: [UInt8] = []
  /// Colours of the terminal at present, and those for the next character.
  private var (shown, next) = (PairTable.Colors.terminal, PairTable.Colors.terminal)
  /// Whether the terminal is known to have no attribute or colour set, so that no reset is needed.
  private var isBare = false

  /// Maximum parameters of a command; some terminals ignore further ones.
  private static let maxNumbers = 16
  /// Maximum parameters of two colours.
  private static let colorNumbers = 10
  private static let escape = UInt8(ascii: "\u{1B}")
  private static let pairStart: UInt8 = 0x01
  private static let separator = UInt8(ascii: ";")
  private static let zero = UInt8(ascii: "0")

  /// Forgets the terminal's attributes; call after other programs may have written to it.
  mutating func forget() {
    isBare = false
    numbers = [Self.zero]
    shown = .terminal
  }

  /// Returns the frame in fewer bytes; ncurses begins and ends each frame in the default colours.
  mutating func merged(_ frame: [UInt8]) -> [UInt8] {
    bytes = []
    bytes.reserveCapacity(frame.count * 2)
    // Index of the first byte not yet written.
    var start = 0
    var index = 0
    while index < frame.count {
      guard let parameters = Self.parameters(in: frame, at: index) else {
        index += 1
        continue
      }
      write(frame[start..<index])
      if frame[index] == Self.escape {
        merge(frame[parameters])
      } else {
        let number = frame[parameters].reduce(0) { $0 * 10 + Int($1) - 0x30 }
        if pairs.indices.contains(number) { next = pairs[number] }
      }
      start = parameters.upperBound + 1
      index = start
    }
    write(frame[start...])
    setLook()
    return bytes
  }

  /// Writes bytes other than SGR, after the pending command.
  private mutating func write(_ text: ArraySlice<UInt8>) {
    guard !text.isEmpty else { return }
    setLook()
    bytes += text
  }

  /// Takes the parameters of a command.
  private mutating func merge(_ parameters: ArraySlice<UInt8>) {
    if Self.resets(parameters) {
      (shown, next) = (.terminal, .terminal)
      numbers.removeAll(keepingCapacity: true)
      guard !isBare else {
        // Parameters after a reset follow a 0 and a semicolon.
        numbers += parameters.dropFirst(2)
        return
      }
      if parameters.isEmpty { numbers.append(Self.zero) }
    } else if !numbers.isEmpty {
      if Self.count(numbers) + Self.count(parameters) > Self.maxNumbers { setLook() }
      if !numbers.isEmpty { numbers.append(Self.separator) }
    }
    numbers += parameters
  }

  /// Writes one command for all changes since the last character.
  private mutating func setLook() {
    if next != shown, Self.count(numbers) > Self.maxNumbers - Self.colorNumbers {
      let wanted = next
      next = shown
      setLook()
      next = wanted
    }
    if next.foreground != shown.foreground { append(next.foreground, as: UInt8(ascii: "3")) }
    if next.background != shown.background { append(next.background, as: UInt8(ascii: "4")) }
    shown = next
    guard !numbers.isEmpty else { return }
    bytes += [Self.escape, UInt8(ascii: "[")]
    // A lone reset needs no parameter.
    isBare = numbers == [Self.zero]
    if !isBare { bytes += numbers }
    bytes.append(UInt8(ascii: "m"))
    numbers.removeAll(keepingCapacity: true)
  }

  /// Appends the parameters of an ncurses colour: default, one of 256, or 24-bit.
  private mutating func append(_ color: Int32, as ground: UInt8) {
    if !numbers.isEmpty { numbers.append(Self.separator) }
    numbers.append(ground)
    switch color {
    case ..<0: numbers.append(UInt8(ascii: "9"))
    case ..<256:
      numbers += "8;5".utf8
      append(color)
    default:
      numbers += "8;2".utf8
      for shift: Int32 in [16, 8, 0] { append(color >> shift & 255) }
    }
  }

  /// Appends a number below 256.
  private mutating func append(_ value: Int32) {
    numbers.append(Self.separator)
    if value >= 100 { numbers.append(Self.zero + UInt8(value / 100)) }
    if value >= 10 { numbers.append(Self.zero + UInt8(value / 10 % 10)) }
    numbers.append(Self.zero + UInt8(value % 10))
  }

  /// Returns the range of a command's parameters, or of a pair's digits; nil where neither begins at
  /// `index`.
  private static func parameters(in frame: [UInt8], at index: Int) -> Range<Int>? {
    let isPair = frame[index] == pairStart
    guard isPair || frame[index] == escape else { return nil }
    let start = index + (isPair ? 1 : 2)
    guard start < frame.count, isPair || frame[index + 1] == UInt8(ascii: "[") else { return nil }
    let last = UInt8(ascii: isPair ? "9" : ";")
    let end = frame[start...].firstIndex { !(0x30...last ~= $0) } ?? frame.count
    let terminator = isPair ? separator : UInt8(ascii: "m")
    return end < frame.count && frame[end] == terminator ? start..<end : nil
  }

  private static func resets(_ parameters: ArraySlice<UInt8>) -> Bool {
    guard parameters.first == zero else { return parameters.isEmpty }
    return parameters.count == 1 || parameters[parameters.startIndex + 1] == separator
  }

  private static func count(_ numbers: some Collection<UInt8>) -> Int {
    numbers.count { $0 == separator } + 1
  }
}
