/// Merging of commands that change how characters look (SGR), of which ncurses writes one for each
/// attribute and pair of colours: what stands together becomes one, nothing stays before a reset, and
/// nothing is set or reset that is so already.
///
/// The program's own terminfo entries name a pair of colours by its number alone, between SOH and a
/// semicolon: terminfo's own way to set two colours costs ncurses six times as much.
struct SGRMerging {
  /// Colours of the pairs by their numbers, the terminal's own first; empty where an entry of the
  /// system sets colours.
  var pairs: [PairTable.Colors] = []

  private var bytes: [UInt8] = []
  /// Numbers of the next command, those of pairs left out.
  private var numbers: [UInt8] = []
  /// Colours of the pair that the terminal writes in, and of that for the next character.
  private var (shown, next) = (PairTable.Colors.terminal, PairTable.Colors.terminal)
  /// Whether the terminal is known to write without any attribute or colour, so that no reset is needed.
  private var isBare = false

  /// More numbers than these some terminals leave out.
  private static let maxNumbers = 16
  /// Numbers that two colours take at most.
  private static let colorNumbers = 10
  private static let escape = UInt8(ascii: "\u{1B}")
  private static let pairStart: UInt8 = 0x01
  private static let separator = UInt8(ascii: ";")
  private static let zero = UInt8(ascii: "0")

  /// Others may have written to the terminal.
  mutating func forget() {
    isBare = false
    numbers = [Self.zero]
    shown = .terminal
  }

  /// The same frame in fewer bytes; ncurses begins and ends each in the terminal's own colours.
  mutating func merged(_ frame: [UInt8]) -> [UInt8] {
    bytes = []
    bytes.reserveCapacity(frame.count * 2)
    // The first byte that is not written yet.
    var start = 0
    var index = 0
    while index < frame.count {
      guard let parameters = Self.parameters(in: frame, at: index) else {
        index += 1
        continue
      }
      write(frame[start..<index])
      if frame[index] == Self.escape {
        take(frame[parameters])
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

  /// Writes what changes no look, in the look that was asked for.
  private mutating func write(_ text: ArraySlice<UInt8>) {
    guard !text.isEmpty else { return }
    setLook()
    bytes += text
  }

  /// Takes the numbers of a command.
  private mutating func take(_ look: ArraySlice<UInt8>) {
    if Self.resets(look) {
      (shown, next) = (.terminal, .terminal)
      numbers.removeAll(keepingCapacity: true)
      guard !isBare else {
        // What a reset is followed by comes behind a 0 and a semicolon.
        numbers += look.dropFirst(2)
        return
      }
      if look.isEmpty { numbers.append(Self.zero) }
    } else if !numbers.isEmpty {
      if Self.count(numbers) + Self.count(look) > Self.maxNumbers { setLook() }
      if !numbers.isEmpty { numbers.append(Self.separator) }
    }
    numbers += look
  }

  /// Writes one command for all that has changed since the last character.
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
    // A reset alone needs no number.
    isBare = numbers == [Self.zero]
    if !isBare { bytes += numbers }
    bytes.append(UInt8(ascii: "m"))
    numbers.removeAll(keepingCapacity: true)
  }

  /// Adds the numbers of a colour as ncurses knows it: the terminal's own, one of 256, or any.
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

  /// Adds a number below 256.
  private mutating func append(_ value: Int32) {
    numbers.append(Self.separator)
    if value >= 100 { numbers.append(Self.zero + UInt8(value / 100)) }
    if value >= 10 { numbers.append(Self.zero + UInt8(value / 10 % 10)) }
    numbers.append(Self.zero + UInt8(value % 10))
  }

  /// The numbers of a command that begins at an index, or the digits of a pair; nil where none does.
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

  private static func resets(_ look: ArraySlice<UInt8>) -> Bool {
    guard look.first == zero else { return look.isEmpty }
    return look.count == 1 || look[look.startIndex + 1] == separator
  }

  private static func count(_ numbers: some Collection<UInt8>) -> Int {
    numbers.count { $0 == separator } + 1
  }
}
