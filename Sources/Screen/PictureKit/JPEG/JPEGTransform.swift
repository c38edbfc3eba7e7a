internal import CTurboJPEG
internal import MarketModel

/// Turner of JPEG files, which sets them upright without decoding their coefficients, and so
/// without loss.
enum JPEGTransform {
  /// The upright file without metadata.
  ///
  /// `PictureError.undecodable` is thrown also where it cannot be done without loss: blocks that
  /// the right or lower border cuts cannot go to the left or top.
  static func upright(
    _ bytes: [UInt8], _ orientation: PictureOrientation
  ) throws(PictureError) -> [UInt8] {
    let handle = try TurboHandle(.transform)
    var output = TurboOutput()
    var transform = tjtransform()
    transform.op = Int32(orientation.operation.rawValue)
    transform.options = TJXOPT_PERFECT | TJXOPT_COPYNONE
    guard
      tjTransform(
        handle.pointer, bytes, UInt(bytes.count), 1, &output.pointer, &output.count, &transform,
        TJFLAG_LIMITSCANS) == 0
    else { throw .undecodable }
    return output.bytes
  }
}

extension PictureOrientation {
  fileprivate var operation: TJXOP {
    switch self {
    case .upright: TJXOP_NONE
    case .mirror: TJXOP_HFLIP
    case .turnHalf: TJXOP_ROT180
    case .flip: TJXOP_VFLIP
    case .transpose: TJXOP_TRANSPOSE
    case .turnRight: TJXOP_ROT90
    case .transverse: TJXOP_TRANSVERSE
    case .turnLeft: TJXOP_ROT270
    }
  }
}
