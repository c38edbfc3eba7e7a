import MarketModel

extension Product.ID {
  /// Reads a word of a path; nil for anything but decimal digits that fit.
  init?(segment: String) {
    guard segment.utf8.allSatisfy({ $0.decimalDigit != nil }), let number = Int64(segment) else {
      return nil
    }
    self.init(rawValue: number)
  }
}
