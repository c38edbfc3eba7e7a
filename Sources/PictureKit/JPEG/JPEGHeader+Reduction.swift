internal import MarketModel

extension JPEGHeader {
  /// Sizes to which the decoder reduces on the way, largest first; others take longer.
  var reducedSizes: [PixelSize] {
    [1, 2, 4, 8].map {
      PixelSize(
        width: (frame.size.width + $0 - 1) / $0, height: (frame.size.height + $0 - 1) / $0)
    }
  }
}
