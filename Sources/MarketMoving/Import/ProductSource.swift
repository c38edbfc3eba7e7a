import MarketModel

/// Reads products one after the other, whatever a file's format.
protocol ProductSource {
  /// The next product, or what is wrong with it; nil at the end.
  mutating func next() throws(MovingError) -> SourceRecord?
}

/// One product of a file.
struct SourceRecord {
  /// Where it begins, counted from 1.
  let line: Int
  /// What it was read from.
  let bytes: [UInt8]
  let product: Result<ArchivedProduct, ImportProblem.Reason>
}
