import MarketModel

/// Products as lines of JSON; empty lines are none.
struct LineSource: ProductSource {
  private var lines: LineReader
  private let now: Int64

  init(_ file: InputFile, now: Int64) {
    lines = LineReader(file)
    self.now = now
  }

  mutating func next() throws(MovingError) -> SourceRecord? {
    while let line = try lines.next() {
      var bytes = line.bytes
      if bytes.last == 0x0D { bytes.removeLast() }
      if bytes.isEmpty, !line.isTooLong { continue }
      return SourceRecord(line: line.number, bytes: bytes, product: product(bytes, line.isTooLong))
    }
    return nil
  }

  private func product(
    _ bytes: [UInt8], _ isTooLong: Bool
  ) -> Result<ArchivedProduct, ImportProblem.Reason> {
    guard !isTooLong else { return .failure(.tooLong) }
    return Result { () throws(ImportProblem.Reason) in
      try ProductLine.product(bytes, now: now)
    }
  }
}
