internal import MarketModel

/// What decoding a picture will take at most, estimated from its header alone.
struct DecodingCost: Hashable {
  /// Bytes held at once by the file, the decoder and what it decodes to.
  var memory: Int
  var nanoseconds: Int

  func isWithin(_ limits: DecodingLimits) -> Bool {
    memory <= limits.memory && .nanoseconds(nanoseconds) <= limits.time
  }
}

extension PictureHeader {
  /// What it takes to decode a file of `fileBytes` to `decoded`, a size that its decoder can give.
  func cost(decodingTo decoded: PixelSize, fileBytes: Int) -> DecodingCost {
    let result = decoded.pixelCount * (hasAlpha ? 4 : 3)
    switch coding {
    case .jpeg(let header):
      return header.cost(result: decoded, fileBytes: fileBytes)
    case .png:
      // The file, a second copy of it without its metadata, and two rows.
      return DecodingCost(
        memory: result + fileBytes * 2 + storedSize.width * 16,
        nanoseconds: storedSize.pixelCount * 20 + fileBytes * 5)
    case .webp(let header):
      // Lossless and alpha data are held as a whole, lossy colours row by row.
      let whole = header.isLossless ? 4 : header.hasAlpha ? 1 : 0
      return DecodingCost(
        memory: result + fileBytes + storedSize.pixelCount * whole + storedSize.width * 128,
        nanoseconds: storedSize.pixelCount * 25)
    case .gif:
      return DecodingCost(
        memory: result + fileBytes + storedSize.height * 8,
        nanoseconds: storedSize.pixelCount * 15)
    }
  }
}

extension JPEGHeader {
  fileprivate func cost(result: PixelSize, fileBytes: Int) -> DecodingCost {
    let isFourColour = frame.components.count == 4
    let rows = frame.size.width * 64
    let coefficients = needsCoefficients ? frame.coefficientBytes : 0
    // The entropy decoder's time goes with the bytes, that of each scan with the area; the
    // arithmetic one can draw any number of values from a byte.
    let entropy = frame.isArithmetic ? frame.coefficientBytes * 20 : fileBytes * 15
    let scans = needsCoefficients ? frame.coefficientBytes / 2 * scanCount : 0
    return DecodingCost(
      memory: fileBytes + result.pixelCount * (isFourColour ? 7 : 3) + rows + coefficients,
      nanoseconds: frame.size.pixelCount * 3 + result.pixelCount * 5 + entropy + scans)
  }
}
