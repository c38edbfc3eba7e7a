/// Writes pixels as sixels: columns of six pixels, one colour after the other ("VT330/VT340
/// Programmer Reference Manual", volume 2, chapter 14).
struct SixelEncoder {
  /// An index into the palette for each pixel.
  let indices: [UInt8]
  /// Pixels from one row to the next.
  let stride: Int
  let percents: [SIMD3<UInt8>]

  /// Pixels of one sixel.
  private static let band = 6

  /// - Parameters:
  ///   - columns: the columns to write.
  ///   - rows: the rows to write.
  /// - Returns: the whole device control string.
  func encode(columns: Range<Int>, rows: Range<Int>) -> [UInt8] {
    // Pixels are square, those not set stay as they are, and the picture is as large as stated.
    var bytes = Array("\u{1B}P0;1;0q\"1;1;\(columns.count);\(rows.count)".utf8)
    bytes.reserveCapacity(columns.count * rows.count / 2)
    for (index, percent) in percents.enumerated() {
      bytes += "#\(index);2;\(percent.x);\(percent.y);\(percent.z)".utf8
    }
    var planes = [UInt8](repeating: 0, count: percents.count * columns.count)
    for top in Swift.stride(from: rows.lowerBound, to: rows.upperBound, by: Self.band) {
      let used = fill(
        &planes, columns: columns, rows: top..<min(top + Self.band, rows.upperBound))
      for (place, color) in used.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: "$")) }
        bytes += "#\(color)".utf8
        append(&planes, from: color * columns.count, count: columns.count, to: &bytes)
      }
      bytes.append(UInt8(ascii: "-"))
    }
    bytes.removeLast()
    bytes += "\u{1B}\\".utf8
    return bytes
  }

  /// Sets the bits of one band in the planes of its colours.
  ///
  /// - Returns: the colours that occur.
  private func fill(_ planes: inout [UInt8], columns: Range<Int>, rows: Range<Int>) -> [Int] {
    var isUsed = [Bool](repeating: false, count: percents.count)
    for row in rows {
      let bit = UInt8(1) << UInt8(row - rows.lowerBound)
      for column in columns {
        let color = Int(indices[row * stride + column])
        isUsed[color] = true
        planes[color * columns.count + column - columns.lowerBound] |= bit
      }
    }
    return isUsed.indices.filter { isUsed[$0] }
  }

  /// Writes one plane in runs, up to its last pixel, and clears it for the next band.
  private func append(
    _ planes: inout [UInt8], from start: Int, count: Int, to bytes: inout [UInt8]
  ) {
    var end = start + count
    while end > start, planes[end - 1] == 0 { end -= 1 }
    var place = start
    while place < end {
      let bits = planes[place]
      var next = place + 1
      while next < end, planes[next] == bits { next += 1 }
      let sixel = UInt8(ascii: "?") + bits
      if next - place > 3 {
        bytes += "!\(next - place)".utf8
        bytes.append(sixel)
      } else {
        for _ in place..<next { bytes.append(sixel) }
      }
      for index in place..<next { planes[index] = 0 }
      place = next
    }
  }
}
