internal import MarketModel

extension Bitmap {
  var isOpaque: Bool {
    stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
  }

  /// Three bytes a pixel, with white where the picture is transparent.
  func onWhite() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size.pixelCount * 3) { target, count in
      pixels.withUnsafeBufferPointer { source in
        for index in 0..<size.pixelCount {
          let alpha = UInt32(source[index * 4 + 3])
          for channel in 0..<3 {
            let value = source[index * 4 + channel]
            target[index * 3 + channel] =
              alpha == 255
              ? value : UInt8((UInt32(value) * alpha + 255 * (255 - alpha) + 127) / 255)
          }
        }
      }
      count = size.pixelCount * 3
    }
  }
}
