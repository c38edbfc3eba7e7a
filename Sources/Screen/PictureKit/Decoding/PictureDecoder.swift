package import MarketModel

/// Decoder of picture files to bitmaps of the displayed size.
///
/// It blocks its thread for up to `limits.time`; `PictureDecodingQueue` calls it off the main queue.
package struct PictureDecoder: Sendable {
  package let limits: DecodingLimits

  package init(limits: DecodingLimits = DecodingLimits()) {
    self.limits = limits
  }

  /// Decodes an untrusted picture, or the first frame of an animated one, upright and scaled.
  ///
  /// The result has the size `size.fitted(into: box)`, with `.fill` the size of `box`, whose sides
  /// are at least 1, and with `.part` at most as many pixels as the part.
  ///
  /// - Throws: `.undecodable` for an unknown format or broken data; `.tooLarge` where a limit is
  ///   exceeded; `.cancelled` where the current task is cancelled.
  package func decode(
    _ bytes: [UInt8], into box: PixelSize, _ framing: Framing = .fit
  ) throws(PictureError) -> Bitmap {
    let plan = try DecodingPlan(bytes, box: box, framing: framing, limits: limits)
    return try decode(bytes, plan)
  }

  /// Decodes a file by its plan.
  ///
  /// - Throws: what `decode(_:into:_:)` throws.
  func decode(_ bytes: [UInt8], _ plan: DecodingPlan) throws(PictureError) -> Bitmap {
    plan.header.orientation.applied(
      to: AreaScaler(try pixels(of: bytes, plan), crop: plan.crop, size: plan.result).scaled())
  }

  private func pixels(
    of bytes: [UInt8], _ plan: DecodingPlan
  ) throws(PictureError) -> RawPixels {
    let budget = DecodingDeadline(limits)
    try budget.check()
    let colors = ColorConversion(plan.header, bytes).transform
    let pixels = try plan.header.decode(bytes, to: plan.decoded, colors, budget)
    try budget.check()
    return pixels
  }

  /// Decodes a whole picture in its own size, or in the largest size that the limits allow, down to
  /// an eighth of its sides.
  ///
  /// - Throws: what `decode(_:into:_:)` throws.
  func decodeLargest(_ bytes: [UInt8]) throws(PictureError) -> PhotoPixels {
    let size = try PictureHeader(bytes).size
    for scale in [1, 0.7, 0.5, 0.35, 0.25, 0.18, 0.125] {
      let plan = try? DecodingPlan(
        bytes, box: size.scaled(by: scale), framing: .fit, limits: limits)
      // A plan may also fit because the decoder gives less than the result, which adds nothing.
      guard let plan, plan.decoded.width >= plan.result.width else { continue }
      let orientation = plan.header.orientation
      return PhotoPixels(
        try pixels(of: bytes, plan), orientation, size: orientation.applied(to: plan.result))
    }
    throw .tooLarge
  }
}

extension PictureHeader {
  fileprivate func decode(
    _ bytes: [UInt8], to size: PixelSize, _ colors: ColorTransform?, _ budget: DecodingDeadline
  ) throws(PictureError) -> RawPixels {
    switch coding {
    case .jpeg: return try JPEGDecoder(bytes, size: size, colors: colors).decode()
    case .png(let header):
      let pixels = try PNGDecoder(header.bareFile(from: bytes), header: header).decode()
      return colors?.applied(to: pixels) ?? pixels
    case .webp(let header):
      let pixels = try WebPDecoder(header.bareFile(from: bytes), header: header, size: size)
        .decode()
      return colors?.applied(to: pixels) ?? pixels
    case .gif(let header):
      return try GIFDecoder(header.bareFile(from: bytes), header: header).decode(budget)
    }
  }
}

/// Output of a decoder: rows top to bottom, `channels` bytes per pixel, sRGB.
struct RawPixels {
  let size: PixelSize
  /// 3 (red, green, blue), or 4 with alpha, not premultiplied.
  let channels: Int
  /// `size.pixelCount * channels` bytes.
  let bytes: [UInt8]
}

extension RawPixels {
  /// Creates pixels from `size.pixelCount * channels` bytes that `fill` writes; bytes left unwritten
  /// are 0.
  ///
  /// - Throws: what `fill` throws.
  init(
    size: PixelSize, channels: Int,
    fill: (UnsafeMutablePointer<UInt8>) throws(PictureError) -> Void
  ) throws(PictureError) {
    var bytes = [UInt8](repeating: 0, count: size.pixelCount * channels)
    var failure: PictureError?
    bytes.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      do throws(PictureError) { try fill(base) } catch { failure = error }
    }
    if let failure { throw failure }
    self.init(size: size, channels: channels, bytes: bytes)
  }
}

extension UnsafeMutablePointer<UInt8> {
  /// Whether any of the first `count` bytes differs from 0, which shows that a decoder has written to
  /// them.
  func hasContent(_ count: Int) -> Bool {
    UnsafeBufferPointer(start: self, count: count).contains { $0 != 0 }
  }
}
