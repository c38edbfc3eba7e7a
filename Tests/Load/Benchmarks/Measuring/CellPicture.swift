import MarketModel

/// A picture as a terminal shows it in block characters, read back from the output of a program.
struct CellPicture {
  private struct Cell {
    var scalar: UInt32
    var foreground: SIMD3<Double>
    var background: SIMD3<Double>
  }

  private var rows: [[Cell]] = []

  /// - Parameter text: rows of characters with their colours (SGR 38;2, 48;2, 7 and 0).
  init(_ text: String) {
    var foreground = SIMD3<Double>.zero
    var background = SIMD3<Double>.zero
    var isReversed = false
    var row: [Cell] = []
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\u{1B}" {
        let sequence = rest.prefix { !("@"..."~" ~= $0) || $0 == "[" }
        rest = rest.dropFirst(sequence.count)
        guard rest.popFirst() == "m" else { continue }
        var codes = String(sequence).dropFirst().split(separator: ";").map { Int($0) ?? 0 }[...]
        while let code = codes.popFirst() {
          switch code {
          case 7: isReversed = true
          case 0: (foreground, background, isReversed) = (.zero, .zero, false)
          case 38 where codes.count >= 4: foreground = Self.color(&codes)
          case 48 where codes.count >= 4: background = Self.color(&codes)
          default: break
          }
        }
      } else if scalar == "\n" {
        rows.append(row)
        row = []
      } else {
        row.append(
          Cell(
            scalar: scalar.value, foreground: isReversed ? background : foreground,
            background: isReversed ? foreground : background))
      }
    }
  }

  /// The mean squared difference to a picture, of each channel of each of its pixels.
  func error(against source: Bitmap) -> Double {
    var sum = 0.0
    for y in 0..<source.size.height {
      for x in 0..<source.size.width {
        let position = (y * source.size.width + x) * 4
        let pixel = SIMD3(
          Double(source.pixels[position]), Double(source.pixels[position + 1]),
          Double(source.pixels[position + 2]))
        let difference =
          color(
            x: Double(x) / Double(source.size.width), y: Double(y) / Double(source.size.height))
          - pixel
        sum += (difference * difference).sum()
      }
    }
    return sum / Double(source.size.pixelCount * 3)
  }

  /// The colour at a place, both coordinates from 0 up to 1.
  private func color(x: Double, y: Double) -> SIMD3<Double> {
    let row = rows[Int(y * Double(rows.count))]
    let cell = row[Int(x * Double(row.count))]
    let column = x * Double(row.count) - Double(Int(x * Double(row.count)))
    let line = y * Double(rows.count) - Double(Int(y * Double(rows.count)))
    return Self.isForeground(cell.scalar, column, line) ? cell.foreground : cell.background
  }

  /// Whether a block character covers a point of its cell, both coordinates from 0 up to 1.
  private static func isForeground(_ scalar: UInt32, _ column: Double, _ line: Double) -> Bool {
    let quadrant = Int(line * 2) * 2 + Int(column * 2)
    switch scalar {
    case 0x2580: return line < 0.5
    case 0x2581...0x2588: return line >= 1 - Double(scalar - 0x2580) / 8
    case 0x2589...0x258F: return column < Double(0x2590 - scalar) / 8
    case 0x2590: return column >= 0.5
    case 0x2594: return line < 1 / 8
    case 0x2595: return column >= 7 / 8
    case 0x2596...0x259F:
      let patterns = [
        0b0100, 0b1000, 0b0001, 0b1101, 0b1001, 0b0111, 0b1011, 0b0010, 0b0110, 0b1110,
      ]
      return patterns[Int(scalar - 0x2596)] >> quadrant & 1 == 1
    case 0x1FB00...0x1FB3B:
      let index = Int(scalar - 0x1FB00) + 1
      let dots = index + (index >= 0b010101 ? 1 : 0) + (index + 1 >= 0b101010 ? 1 : 0)
      return dots >> (Int(line * 3) * 2 + Int(column * 2)) & 1 == 1
    default: return false
    }
  }

  private static func color(_ codes: inout ArraySlice<Int>) -> SIMD3<Double> {
    codes.removeFirst()
    let color = codes.prefix(3).map(Double.init)
    codes = codes.dropFirst(3)
    return SIMD3(color[0], color[1], color[2])
  }
}
