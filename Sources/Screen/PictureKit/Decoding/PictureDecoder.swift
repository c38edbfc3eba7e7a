package import MarketModel

/// Decoder of picture files to bitmaps of the size that is shown.
///
/// It blocks for as long as the limits allow; `PictureDecodingQueue` calls it elsewhere than on the
/// main queue.
package struct PictureDecoder: Sendable {
  package let limits: DecodingLimits

  package init(limits: DecodingLimits = DecodingLimits()) {
    self.limits = limits
  }

  /// Decodes a stranger's picture, or the first frame of a moving one, upright and scaled: to
  /// `size.fitted(into: box)` or, filling, to `box`, whose sides are at least 1; a part of it to no
  /// more pixels than it has.
  ///
  /// - Throws: `PictureError.undecodable`, `.tooLarge`, or `.cancelled` where the current task is.
  package func decode(
    _ bytes: [UInt8], into box: PixelSize, _ framing: Framing = .fit
  ) throws(PictureError) -> Bitmap {
    let plan = try DecodingPlan(bytes, box: box, framing: framing, limits: limits)
    return try decode(bytes, plan)
  }

  func decode(_ bytes: [UInt8], _ plan: DecodingPlan) throws(PictureError) -> Bitmap {
    plan.header.orientation.applied(
      to: AreaScaler(try pixels(of: bytes, plan), crop: plan.crop, size: plan.result).scaled())
  }

  private func pixels(
    of bytes: [UInt8], _ plan: DecodingPlan
  ) throws(PictureError) -> RawPixels {
    let budget = DecodingDeadline(limits)
    try budget.check()
    let pixels = try plan.header.decode(bytes, to: plan.decoded, budget)
    try budget.check()
    return pixels
  }

  /// Decodes in the file's own size, or in the largest part of it that the limits allow.
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
    _ bytes: [UInt8], to size: PixelSize, _ budget: DecodingDeadline
  ) throws(PictureError) -> RawPixels {
    switch coding {
    case .jpeg: try JPEGDecoder(bytes, size: size).decode()
    case .png(let header): try PNGDecoder(header.bareFile(from: bytes), header: header).decode()
    case .webp(let header):
      try WebPDecoder(header.bareFile(from: bytes), header: header, size: size).decode()
    case .gif(let header):
      try GIFDecoder(header.bareFile(from: bytes), header: header).decode(budget)
    }
  }
}

/// Pixels as a decoder left them: rows top to bottom, `channels` bytes a pixel, sRGB.
struct RawPixels {
  let size: PixelSize
  /// 3 (red, green, blue), or 4 with an alpha that is not premultiplied.
  let channels: Int
  /// `size.pixelCount * channels` bytes.
  let bytes: [UInt8]
}

extension RawPixels {
  /// Lets `fill` write all bytes from the first on; what it does not write is black.
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
  /// Whether a decoder has written anything into this many bytes of zeros.
  func hasContent(_ count: Int) -> Bool {
    UnsafeBufferPointer(start: self, count: count).contains { $0 != 0 }
  }
}
