import MarketModel

/// Groups the products of a file into batches of at most 8 MB or `batchSize` products.
struct BatchReader {
  /// Product of a line, or the reason why it is invalid.
  struct Candidate {
    let lines: ClosedRange<Int>
    let rowCount: Int
    let incoming: Result<IncomingProduct, ImportProblem.Reason>
    let assumed: Set<ProductField>
    let remarks: [ImportProblem.Reason]
    let photoAddresses: [String]

    var isChange: Bool { (try? incoming.get())?.changes != nil }
  }

  private static let batchBytes = 8 << 20

  private var source: any ProductSource
  private let batchSize: Int
  private var rows = RowCounts()
  private var numbers = NumberSet()
  /// Number of rows so far.
  private(set) var count = 0
  private(set) var isAtEnd = false
  /// The last product's password hash, which the next mostly shares.
  private var passwordHash = ""

  init(_ source: any ProductSource, batchSize: Int) {
    self.source = source
    self.batchSize = batchSize
  }

  var columns: TableColumns? { source.columns }
  var unknownColumns: [String] { source.unknownColumns }
  var guessedEncoding: TextEncoding? { source.guessedEncoding }

  /// The next batch; nil at the end.
  /// - Throws: what `ProductSource.next()` throws.
  mutating func next() throws(TransferError) -> [Candidate]? {
    var candidates: [Candidate] = []
    var byteCount = 0
    while candidates.count < batchSize, byteCount < Self.batchBytes {
      guard let record = try source.next() else {
        isAtEnd = true
        break
      }
      count += record.rowCount
      byteCount += record.byteCount
      let read = try? record.product.get()
      candidates.append(
        Candidate(
          lines: record.lines, rowCount: record.rowCount,
          incoming: record.product.map { self.incoming($0) }, assumed: read?.assumed ?? [],
          remarks: read?.remarks ?? [], photoAddresses: read?.photoAddresses ?? []))
    }
    return candidates.isEmpty ? nil : candidates
  }

  private mutating func incoming(_ read: SourceProduct) -> IncomingProduct {
    var product = read.product
    if product.passwordHash == passwordHash { product.passwordHash = passwordHash }
    passwordHash = product.passwordHash
    let row = ProductLine.meaning(of: read)
    let identity = ImportIdentity(row, earlier: rows.add(row))
    var incoming = IncomingProduct(identity: identity, product: product)
    incoming.changes = read.changes
    incoming.amountCurrency = read.amountCurrency
    if let id = product.id { incoming.isFirstOfNumber = numbers.insert(id.rawValue) }
    return incoming
  }
}

/// Counts of equal rows, since two equal rows are two products.
private struct RowCounts {
  /// Hashes of the rows so far; 17 MB for a million.
  private var seen: Set<Int> = []
  /// Counts of the rows that occurred more than once.
  private var occurrences: [Int: Int] = [:]

  /// Adds a row; returns the number of equal rows before it.
  mutating func add(_ bytes: [UInt8]) -> Int {
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    let hash = hasher.finalize()
    guard !seen.insert(hash).inserted else { return 0 }
    let earlier = occurrences[hash, default: 1]
    occurrences[hash] = earlier + 1
    return earlier
  }
}
