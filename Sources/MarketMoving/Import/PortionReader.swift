import MarketModel

/// Gathers the products of a file into portions.
struct PortionReader {
  /// A product, or what is wrong with it.
  struct Candidate {
    let line: Int
    let incoming: Result<IncomingProduct, ImportProblem.Reason>
  }

  private var source: any ProductSource
  private let portionSize: Int
  /// How often the same bytes have come, by their hash: two equal lines are two products.
  private var occurrences: [Int: UInt32] = [:]
  private(set) var count = 0

  init(_ source: any ProductSource, portionSize: Int) {
    self.source = source
    self.portionSize = portionSize
  }

  /// The next portion; nil at the end.
  mutating func next() throws(MovingError) -> [Candidate]? {
    var candidates: [Candidate] = []
    while candidates.count < portionSize, let record = try source.next() {
      count += 1
      let incoming = record.product.map { product in
        IncomingProduct(identity: identity(of: record.bytes), product: product)
      }
      candidates.append(Candidate(line: record.line, incoming: incoming))
    }
    return candidates.isEmpty ? nil : candidates
  }

  /// The bytes themselves, followed by a number where they have come before.
  private mutating func identity(of bytes: [UInt8]) -> [UInt8] {
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    let hash = hasher.finalize()
    let earlier = occurrences[hash, default: 0]
    occurrences[hash] = earlier + 1
    return earlier == 0 ? bytes : bytes + Array(" \(earlier)".utf8)
  }
}
