internal import CTurboJPEG
internal import MarketModel

/// Encodes one bitmap as JPEG, as often as wanted.
struct JPEGEncoder {
  private let size: PixelSize
  private let pixels: [UInt8]

  init(_ bitmap: Bitmap) {
    size = bitmap.size
    pixels = bitmap.onWhite()
  }

  /// Encodes in a quality of 1 to 100.
  func encode(quality: Int) throws(PictureError) -> [UInt8] {
    guard size.width <= 65_535, size.height <= 65_535 else { throw .tooLarge }
    let handle = try TurboHandle(.compress)
    var output = TurboOutput()
    guard
      tjCompress2(
        handle.pointer, pixels, Int32(size.width), Int32(size.width * 3), Int32(size.height),
        TJPF_RGB.rawValue, &output.pointer, &output.count, Int32(TJSAMP_420.rawValue),
        Int32(quality), 0) == 0
    else { throw .tooLarge }
    return output.bytes
  }
}
