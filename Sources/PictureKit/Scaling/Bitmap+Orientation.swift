internal import MarketModel

extension Bitmap {
  /// The upright picture of stored pixels.
  func applying(_ orientation: PictureOrientation) -> Bitmap {
    guard orientation != .upright else { return self }
    let result = orientation.applied(to: size)
    let stored = size
    let turned = [UInt8](unsafeUninitializedCapacity: byteCount) { target, count in
      pixels.withUnsafeBytes { source in
        var index = 0
        for y in 0..<result.height {
          for x in 0..<result.width {
            let place = orientation.storedPlace(x: x, y: y, in: stored)
            for channel in 0..<4 { target[index + channel] = source[place * 4 + channel] }
            index += 4
          }
        }
      }
      count = byteCount
    }
    return Bitmap(size: result, pixels: turned)
  }
}

extension PictureOrientation {
  /// Index of the stored pixel that is seen at a place of the upright picture.
  fileprivate func storedPlace(x: Int, y: Int, in stored: PixelSize) -> Int {
    let right = stored.width - 1
    let bottom = stored.height - 1
    return switch self {
    case .upright: y * stored.width + x
    case .mirror: y * stored.width + right - x
    case .turnHalf: (bottom - y) * stored.width + right - x
    case .flip: (bottom - y) * stored.width + x
    case .transpose: x * stored.width + y
    case .turnRight: (bottom - x) * stored.width + y
    case .transverse: (bottom - x) * stored.width + right - y
    case .turnLeft: x * stored.width + right - y
    }
  }
}
