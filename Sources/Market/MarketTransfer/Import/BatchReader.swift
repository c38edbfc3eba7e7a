import MarketModel

/// Gathers the products of a file into batches, of which none takes much more memory than another.
struct BatchReader {
  /// A product, or what is wrong with it.
  struct Candidate {
    let line: Int
    let incoming: Result<IncomingProduct, ImportProblem.Reason>
  }

  private static let batchBytes = 32 << 20

  private var source: any ProductSource
  private let batchSize: Int
  /// Hashes of the bytes that have come, which for a million products are 17 MB.
  private var seen: Set<Int> = []
  /// How often those have come that came more than once: two equal lines are two products.
  private var occurrences: [Int: UInt32] = [:]
  private(set) var count = 0

  init(_ source: any ProductSource, batchSize: Int) {
    self.source = source
    self.batchSize = batchSize
  }

  /// The next batch; nil at the end.
  mutating func next() throws(TransferError) -> [Candidate]? {
    var candidates: [Candidate] = []
    var byteCount = 0
    while candidates.count < batchSize, byteCount < Self.batchBytes,
      let record = try source.next()
    {
      count += 1
      byteCount += record.bytes.count
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
    guard !seen.insert(hash).inserted else { return bytes }
    let earlier = occurrences[hash, default: 1]
    occurrences[hash] = earlier + 1
    return bytes + Array(" \(earlier)".utf8)
  }
}
