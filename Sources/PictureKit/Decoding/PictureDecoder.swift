package import MarketModel

/// Turns picture files into bitmaps of the size that is shown.
///
/// It blocks for as long as the limits allow; `PictureDecodingQueue` calls it elsewhere than on the
/// main queue.
package struct PictureDecoder: Sendable {
  package let limits: DecodingLimits

  package init(limits: DecodingLimits = DecodingLimits()) {
    self.limits = limits
  }

  /// Decodes the picture, or the first frame of a moving one, upright and scaled.
  ///
  /// - Parameters:
  ///   - bytes: a stranger's file.
  ///   - box: both sides 1 or more.
  ///   - framing: whether the picture is shown whole or fills the box.
  /// - Returns: a bitmap of `size.fitted(into: box)` or, filling, of `box`.
  /// - Throws: `PictureError.undecodable`, `.tooLarge` or `.cancelled` (asked of the current task).
  package func decode(
    _ bytes: [UInt8], into box: PixelSize, _ framing: Framing = .fit
  ) throws(PictureError) -> Bitmap {
    let plan = try DecodingPlan(bytes, box: box, framing: framing, limits: limits)
    return try decode(bytes, plan)
  }

  func decode(_ bytes: [UInt8], _ plan: DecodingPlan) throws(PictureError) -> Bitmap {
    let budget = DecodingBudget(limits)
    try budget.check()
    let pixels = try plan.header.decode(bytes, to: plan.decoded, budget)
    try budget.check()
    return AreaScaler(pixels, crop: plan.crop, size: plan.result).scaled()
      .applying(plan.header.orientation)
  }
}

extension PictureHeader {
  fileprivate func decode(
    _ bytes: [UInt8], to size: PixelSize, _ budget: DecodingBudget
  ) throws(PictureError) -> RawPixels {
    switch coding {
    case .jpeg: try JPEGDecoder(bytes, size: size).decode()
    case .png(let header): try PNGDecoder(bareFile(from: bytes), header: header).decode()
    case .webp(let header):
      try WebPDecoder(bareFile(from: bytes), header: header, size: size).decode()
    case .gif(let header): try GIFDecoder(bareFile(from: bytes), header: header).decode(budget)
    }
  }
}
