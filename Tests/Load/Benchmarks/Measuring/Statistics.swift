/// What a list of measured values is summed up by.
extension [Double] {
  var median: Double? { quantile(0.5) }

  /// The smallest value that the given share of all does not exceed.
  func quantile(_ share: Double) -> Double? {
    guard !isEmpty else { return nil }
    return sorted()[Swift.min(count - 1, Int(share * Double(count)))]
  }
}

extension Duration {
  var milliseconds: Double { self / .milliseconds(1) }
}
