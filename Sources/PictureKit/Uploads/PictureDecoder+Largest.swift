internal import MarketModel

extension PictureDecoder {
  /// Decodes in the file's own size, or in the largest part of it that the limits allow.
  func decodeLargest(_ bytes: [UInt8]) throws(PictureError) -> Bitmap {
    let size = try PictureHeader(bytes).size
    for scale in [1, 0.7, 0.5, 0.35, 0.25, 0.18, 0.125] {
      let plan = try? DecodingPlan(
        bytes, box: size.scaled(by: scale), framing: .fit, limits: limits)
      // A plan may also fit because the decoder gives less than the result, which adds nothing.
      if let plan, plan.decoded.width >= plan.result.width { return try decode(bytes, plan) }
    }
    throw .tooLarge
  }
}
