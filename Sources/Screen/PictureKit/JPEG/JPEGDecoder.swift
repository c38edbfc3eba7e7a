internal import CTurboJPEG
internal import MarketModel

/// Decodes JPEG, reduced by 1, 2, 4 or 8 on the way, which skips most of the work.
struct JPEGDecoder {
  private let bytes: [UInt8]
  private let size: PixelSize

  /// Decodes to one of the header's reduced sizes.
  init(_ bytes: [UInt8], size: PixelSize) {
    self.bytes = bytes
    self.size = size
  }

  func decode() throws(PictureError) -> RawPixels {
    let handle = try TurboHandle(.decompress)
    let isFourColour = try colourSpace(handle).isFourColour
    let pixels = try RawPixels(size: size, channels: isFourColour ? 4 : 3) {
      target throws(PictureError) in
      let format = isFourColour ? TJPF_CMYK : TJPF_RGB
      try handle.check(
        tjDecompress2(
          handle.pointer, bytes, UInt(bytes.count), target, Int32(size.width),
          Int32(size.width * (isFourColour ? 4 : 3)), Int32(size.height), format.rawValue,
          TJFLAG_LIMITSCANS))
    }
    return isFourColour ? pixels.convertedFromFourColours() : pixels
  }

  private func colourSpace(_ handle: borrowing TurboHandle) throws(PictureError) -> TJCS {
    var width: Int32 = 0
    var height: Int32 = 0
    var subsampling: Int32 = 0
    var colourSpace: Int32 = 0
    try handle.check(
      tjDecompressHeader3(
        handle.pointer, bytes, UInt(bytes.count), &width, &height, &subsampling, &colourSpace))
    return TJCS(rawValue: UInt32(bitPattern: colourSpace))
  }
}

extension TJCS {
  fileprivate var isFourColour: Bool { self == TJCS_CMYK || self == TJCS_YCCK }
}

extension RawPixels {
  /// Red, green and blue of cyan, magenta, yellow and black as Adobe stores them: inverted.
  fileprivate func convertedFromFourColours() -> RawPixels {
    var converted: [UInt8] = []
    converted.reserveCapacity(size.pixelCount * 3)
    for start in stride(from: 0, to: bytes.count, by: 4) {
      let black = Int(bytes[start + 3])
      for channel in 0..<3 { converted.append(UInt8(Int(bytes[start + channel]) * black / 255)) }
    }
    return RawPixels(size: size, channels: 3, bytes: converted)
  }
}
