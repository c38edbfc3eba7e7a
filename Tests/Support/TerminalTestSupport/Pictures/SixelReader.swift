/// Reads a sixel picture back, as the VT330/VT340 Programmer Reference Manual describes it.
package struct SixelReader {
  package private(set) var width = 0
  package private(set) var height = 0
  /// Red, green and blue, 0 to 255, by column and row; nothing where no sixel was set.
  package private(set) var pixels: [[Int]: [Int]] = [:]
  package private(set) var palette: [Int: [Int]] = [:]
  package private(set) var mistakes: [String] = []

  package init(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix("\u{1B}P0;1;0q\""), text.hasSuffix("\u{1B}\\") else {
      mistakes.append("no sixel picture")
      return
    }
    var rest = text.dropFirst(9).dropLast(2)[...]
    let raster = Self.numbers(&rest)
    (width, height) = (raster[2], raster[3])
    var color = 0
    var column = 0
    var top = 0
    while let character = rest.popFirst() {
      switch character {
      case "#":
        let numbers = Self.numbers(&rest)
        color = numbers[0]
        if numbers.count == 5 { palette[color] = numbers[2...].map { ($0 * 255 + 50) / 100 } }
      case "$": column = 0
      case "-":
        column = 0
        top += 6
      case "!":
        let count = Self.numbers(&rest)[0]
        guard let sixel = rest.popFirst() else { break }
        for _ in 0..<count { set(sixel, color, &column, top) }
      default: set(character, color, &column, top)
      }
    }
  }

  private mutating func set(_ sixel: Character, _ color: Int, _ column: inout Int, _ top: Int) {
    let bits = Int(sixel.asciiValue ?? 0) - 63
    guard 0...63 ~= bits else { return mistakes.append("no sixel: \(sixel)") }
    for bit in 0..<6 where bits >> bit & 1 == 1 {
      if column >= width || top + bit >= height { mistakes.append("outside: \(column), \(top)") }
      pixels[[column, top + bit]] = palette[color]
    }
    column += 1
  }

  private static func numbers(_ text: inout Substring) -> [Int] {
    let digits = text.prefix { $0.isNumber || $0 == ";" }
    text = text.dropFirst(digits.count)
    return digits.split(separator: ";").compactMap { Int($0) }
  }
}
