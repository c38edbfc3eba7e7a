internal import CGif
internal import MarketModel

/// Decodes the only picture of a bare GIF file, row by row.
struct GIFDecoder {
  private let bytes: [UInt8]
  private let header: GIFHeader

  /// - Parameters:
  ///   - bytes: a bare file.
  ///   - header: of that file.
  init(_ bytes: [UInt8], header: GIFHeader) {
    self.bytes = bytes
    self.header = header
  }

  /// Decodes all rows, asking the budget every few of them.
  func decode(_ budget: DecodingBudget) throws(PictureError) -> RawPixels {
    let file = try GIFFile(bytes)
    let palette = try file.readPalette(transparentIndex: header.transparentIndex)
    let channels = header.transparentIndex == nil ? 3 : 4
    return try RawPixels(size: header.size, channels: channels) { target throws(PictureError) in
      var line = [UInt8](repeating: 0, count: header.size.width)
      for (index, row) in rowOrder.enumerated() {
        if index % 64 == 0 { try budget.check() }
        try file.readLine(into: &line)
        var pixel = target + row * header.size.width * channels
        for value in line {
          let colour = palette[Int(value)]
          for channel in 0..<channels { pixel[channel] = colour[channel] }
          pixel += channels
        }
      }
    }
  }

  /// Rows in the order of the file: in four passes where it is interlaced.
  private var rowOrder: [Int] {
    let passes = header.isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
    return passes.flatMap { Array(stride(from: $0.0, to: header.size.height, by: $0.1)) }
  }
}
