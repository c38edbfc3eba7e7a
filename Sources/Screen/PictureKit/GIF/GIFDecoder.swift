internal import CGif
internal import MarketModel

/// Decoder of the single picture of a bare GIF file, row by row.
struct GIFDecoder {
  private let bytes: [UInt8]
  private let header: GIFHeader

  init(_ bytes: [UInt8], header: GIFHeader) {
    self.bytes = bytes
    self.header = header
  }

  /// Decodes all rows and checks the deadline every 64 of them.
  ///
  /// - Throws: `.undecodable` where giflib rejects the file, its palette or a row, unless the header
  ///   says that the file is cut off after the first row; otherwise what `DecodingDeadline.check()`
  ///   throws.
  func decode(_ budget: DecodingDeadline) throws(PictureError) -> RawPixels {
    let file = try GIFFile(bytes)
    let palette = try file.readPalette(transparentIndex: header.transparentIndex)
    let channels = header.hasAlpha ? 4 : 3
    let (frame, size) = (header.frame, header.size)
    return try RawPixels(size: size, channels: channels) { target throws(PictureError) in
      var line = [UInt8](repeating: 0, count: frame.size.width)
      for (index, row) in rowOrder.enumerated() {
        if index % 64 == 0 { try budget.check() }
        guard file.readLine(into: &line) else {
          // A truncated file has no further rows; the rest stays transparent.
          guard header.isCut, index > 0 else { throw .undecodable }
          return
        }
        let position = (frame.rows.lowerBound + row) * size.width + frame.columns.lowerBound
        var pixel = target + position * channels
        for value in line {
          let color = palette[Int(value)]
          for channel in 0..<channels { pixel[channel] = color[channel] }
          pixel += channels
        }
      }
    }
  }

  /// Rows in file order: four passes where the picture is interlaced.
  private var rowOrder: [Int] {
    let passes = header.isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
    return passes.flatMap { Array(stride(from: $0.0, to: header.frame.size.height, by: $0.1)) }
  }
}

/// GIF file in memory, open in giflib.
private final class GIFFile {
  private let input: Input
  private let pointer: UnsafeMutablePointer<GifFileType>

  /// Opens the file in giflib.
  ///
  /// - Throws: `.undecodable` where giflib rejects its beginning.
  init(_ bytes: [UInt8]) throws(PictureError) {
    input = Input(bytes)
    let context = Unmanaged.passUnretained(input).toOpaque()
    let open = DGifOpen(context, readInput, nil)
    guard let open else { throw .undecodable }
    pointer = open
  }

  deinit { DGifCloseFile(pointer, nil) }

  /// Reads up to the picture and returns its 256 colours; that at `transparentIndex` has an alpha of
  /// 0, and missing entries are black.
  ///
  /// - Throws: `.undecodable` where the file has no picture, or the picture no colour table.
  func readPalette(transparentIndex: UInt8?) throws(PictureError) -> [SIMD4<UInt8>] {
    try skipToImage()
    guard DGifGetImageDesc(pointer) == GIF_OK,
      let map = pointer.pointee.Image.ColorMap ?? pointer.pointee.SColorMap
    else { throw .undecodable }
    var palette = [SIMD4<UInt8>](repeating: SIMD4(0, 0, 0, 255), count: 256)
    for index in 0..<min(256, Int(map.pointee.ColorCount)) {
      let color = map.pointee.Colors[index]
      palette[index] = SIMD4(color.Red, color.Green, color.Blue, 255)
    }
    if let transparentIndex { palette[Int(transparentIndex)].w = 0 }
    return palette
  }

  /// Reads the next row in file order; returns false where the data ends or is broken.
  func readLine(into line: inout [UInt8]) -> Bool {
    DGifGetLine(pointer, &line, Int32(line.count)) == GIF_OK
  }

  private func skipToImage() throws(PictureError) {
    var type = UNDEFINED_RECORD_TYPE
    while DGifGetRecordType(pointer, &type) == GIF_OK {
      if type == IMAGE_DESC_RECORD_TYPE { return }
      guard type == EXTENSION_RECORD_TYPE else { break }
      var label: Int32 = 0
      var block: UnsafeMutablePointer<GifByteType>?
      guard DGifGetExtension(pointer, &label, &block) == GIF_OK else { break }
      while block != nil, DGifGetExtensionNext(pointer, &block) == GIF_OK {}
    }
    throw .undecodable
  }
}

/// Input stream of giflib: the file's bytes with a read offset.
private final class Input {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  func read(into target: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
    let part = bytes[offset..<min(offset + max(0, count), bytes.count)]
    for (index, byte) in part.enumerated() { target[index] = byte }
    offset = part.endIndex
    return part.count
  }
}

private func readInput(
  _ file: UnsafeMutablePointer<GifFileType>?, _ target: UnsafeMutablePointer<GifByteType>?,
  _ count: Int32
) -> Int32 {
  guard let context = file?.pointee.UserData, let target else { return 0 }
  let input = Unmanaged<Input>.fromOpaque(context).takeUnretainedValue()
  return Int32(input.read(into: target, count: Int(count)))
}
