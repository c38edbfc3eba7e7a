import DispatchBridge
import Glibc
import MarketModel

/// Import of the products of a file into a market.
///
/// Invalid lines are reported and skipped. Products that were imported before are skipped as well, so
/// that an interrupted run can be repeated.
package actor ImportRun {
  /// Options of an import.
  package struct Options: Sendable {
    /// The file; `-` is standard input.
    package var path: String
    /// Nil detects the format of a pipe by its start.
    package var format: ArchiveFormat?
    /// Whether the import writes nothing where any line is invalid.
    package var isStrict: Bool
    /// The date of products without one, in seconds since 1970.
    package var now: Int64
    /// Maximum number of products in a transaction; larger batches write less in total and need more
    /// memory.
    package var batchSize = 3_000

    package init(path: String, isStrict: Bool, now: Int64) {
      self.path = path
      format = path == "-" ? nil : ArchiveFormat(path: path)
      self.isStrict = isStrict
      self.now = now
    }
  }

  /// Summary of a finished import.
  package struct Summary: Hashable, Sendable {
    package var added = 0
    /// Number of the market's own products that were changed.
    package var changed = 0
    /// Number of products that were imported before.
    package var known = 0
    /// Number of rejected lines.
    package var refused = 0

    package init(added: Int = 0, changed: Int = 0, known: Int = 0, refused: Int = 0) {
      self.added = added
      self.changed = changed
      self.known = known
      self.refused = refused
    }
  }

  private let executor = QueueExecutor(label: "market.import")
  private let options: Options
  private let archive: any MarketArchive
  private let processor: any PictureProcessor
  private let report: @Sendable (ImportProblem) -> Void
  private let show: @Sendable (TransferProgress) -> Void

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// `report` receives each line that is rejected or changed, in order, and `show` the progress.
  package init(
    _ options: Options, into archive: any MarketArchive, preparing processor: any PictureProcessor,
    report: @escaping @Sendable (ImportProblem) -> Void,
    show: @escaping @Sendable (TransferProgress) -> Void
  ) {
    self.options = options
    self.archive = archive
    self.processor = processor
    self.report = report
    self.show = show
  }

  /// Imports the file; a strict run with errors writes nothing.
  /// - Throws: `.file` where the file cannot be read, `.holdsMarket`, `.noColumns`, `.columnTwice`,
  ///   `.encoding`; `.market` where the market fails.
  package func run() async throws(TransferError) -> Summary {
    let input = try InputFile(path: options.path)
    let file = options.isStrict ? try input.rewindable() : input
    let pictures = ImportedPictures(beside: options.path, processor: processor)
    let own = try await market { () throws(RepositoryError) in try await archive.ownMarketID() }
    if options.isStrict {
      let refused = try await check(file, pictures, own)
      guard refused == 0 else { return Summary(refused: refused) }
      try file.rewind()
    }
    return try await take(file, pictures, own)
  }

  /// Checks all products without writing any, and counts the errors.
  private func check(
    _ file: InputFile, _ pictures: ImportedPictures, _ own: MarketID?
  ) async throws(TransferError) -> Int {
    var reader = BatchReader(try productSource(file, own), batchSize: options.batchSize)
    var refused = reader.unknownColumns.count
    reportUnknownColumns(of: reader)
    while let candidates = try reader.next() {
      var standings = try await standings(of: candidates)[...]
      for candidate in candidates {
        do throws(ImportProblem.Reason) {
          let incoming = try candidate.incoming.get()
          let standing = standings.popFirst() ?? .new
          try incoming.check(standing)
          try await pictures.check(incoming.neededPictures(standing))
        } catch {
          refused += 1
          report(ImportProblem(line: candidate.line, reason: error))
        }
      }
    }
    return refused
  }

  private func reportUnknownColumns(of reader: BatchReader) {
    for name in reader.unknownColumns {
      report(ImportProblem(line: 1, reason: .unknownColumn(name)))
    }
  }

  private func take(
    _ file: InputFile, _ pictures: ImportedPictures, _ own: MarketID?
  ) async throws(TransferError) -> Summary {
    let source = try productSource(file, own)
    let target = try await market { () throws(RepositoryError) in try await archive.beginImport() }
    let summary: Summary
    do throws(TransferError) {
      summary = try await take(source, file, pictures, into: target)
    } catch {
      // The batches so far are indexed all the same; where that fails too, the first error is thrown.
      try? await target.finish()
      throw error
    }
    try await market { () throws(RepositoryError) in try await target.finish() }
    return summary
  }

  private func take(
    _ source: any ProductSource, _ file: InputFile, _ pictures: ImportedPictures,
    into target: any MarketImport
  ) async throws(TransferError) -> Summary {
    var reader = BatchReader(source, batchSize: options.batchSize)
    // A strict run with unknown columns ends before.
    reportUnknownColumns(of: reader)
    var summary = Summary()
    var writing: ImportWriting?
    while let candidates = try reader.next() {
      var rest = try await wanted(candidates, by: target, &summary)[...]
      while !rest.isEmpty {
        let (batch, lines) = try await assemble(&rest, pictures, &summary)
        let step = target.prepare(batch)
        try await settle(writing, pictures, &summary)
        writing = ImportWriting(step, of: batch.products, lines)
      }
      show(TransferProgress(products: reader.count, share: file.share))
    }
    try await settle(writing, pictures, &summary)
    return summary
  }

  /// Decisions on the readable products among some, in their order.
  private func standings(
    of candidates: [BatchReader.Candidate]
  ) async throws(TransferError) -> [ImportDecision] {
    try await market { () throws(RepositoryError) in
      try await archive.standings(of: candidates.compactMap { try? $0.incoming.get() })
    }
  }

  /// Some products, without those imported before, with the decisions on them.
  private func wanted(
    _ candidates: [BatchReader.Candidate], by target: any MarketImport, _ summary: inout Summary
  ) async throws(TransferError) -> [(BatchReader.Candidate, ImportDecision)] {
    // All are new to a market that was empty, except those that name it as their own.
    let areNew = target.startsEmpty && !candidates.contains(where: \.isChange)
    var standings = areNew ? [] : try await standings(of: candidates)[...]
    let all = candidates.map { candidate in
      if case .failure = candidate.incoming { return (candidate, ImportDecision.new) }
      return (candidate, standings.popFirst() ?? .new)
    }
    let wanted = all.filter { $0.1 != .known }
    summary.known += candidates.count - wanted.count
    return wanted
  }

  /// Takes products from the front until there are none or the batch is full, with the pictures that the
  /// market lacks; returns the batch with the lines of its products.
  private func assemble(
    _ rest: inout ArraySlice<(BatchReader.Candidate, ImportDecision)>,
    _ pictures: ImportedPictures, _ summary: inout Summary
  ) async throws(TransferError) -> (ImportBatch, [Int]) {
    var batch = ImportBatch()
    var lines: [Int] = []
    while !batch.isFull, let (candidate, standing) = rest.popFirst() {
      do throws(ImportProblem.Reason) {
        var incoming = try candidate.incoming.get()
        let names = incoming.product.pictures
        try incoming.check(standing)
        if case .changing(let names) = standing {
          try await pictures.addFiles(names, to: &batch)
        } else {
          incoming.product.pictures = try await pictures.add(names, to: &batch)
        }
        batch.products.append(incoming)
        lines.append(candidate.line)
        for name in names where batch.pictures[name]?.isCut == true {
          report(ImportProblem(line: candidate.line, reason: .pictureCut(name)))
        }
      } catch {
        summary.refused += 1
        report(ImportProblem(line: candidate.line, reason: error))
      }
    }
    return (batch, lines)
  }

  private func settle(
    _ writing: ImportWriting?, _ pictures: ImportedPictures, _ summary: inout Summary
  ) async throws(TransferError) {
    guard let writing else { return }
    let receipt = try await market { () throws(RepositoryError) in try await writing.receipt() }
    summary.added += receipt.added
    summary.changed += receipt.changed
    summary.refused += receipt.refused.count
    summary.known +=
      writing.lines.count - receipt.added - receipt.changed - receipt.refused.count
    for (position, refusal) in receipt.refused.sorted(by: { $0.key < $1.key }) {
      guard let id = writing.ids[position] else { continue }
      report(ImportProblem(line: writing.lines[position], reason: .own(id, refusal)))
    }
    pictures.remember(receipt.pictureNames)
  }

  private func productSource(
    _ file: InputFile, _ own: MarketID?
  ) throws(TransferError) -> any ProductSource {
    let start = try file.peek()
    guard !start.starts(with: "SQLite format 3".utf8) else {
      throw .holdsMarket(path: options.path)
    }
    return switch options.format ?? ArchiveFormat(sniffing: start) {
    case .lines: try LineSource(file, now: options.now, market: own)
    case .table: try TableSource(file, now: options.now, market: own)
    }
  }
}

extension IncomingProduct {
  /// Throws `.own` where the market rejects the product.
  fileprivate func check(_ standing: ImportDecision) throws(ImportProblem.Reason) {
    guard case .refused(let refusal) = standing, let id = product.id else { return }
    throw .own(id, refusal)
  }

  /// The pictures whose files have to be imported with the product.
  fileprivate func neededPictures(_ standing: ImportDecision) -> [String] {
    switch standing {
    case .new: product.pictures
    case .changing(let newPictures): newPictures
    case .known, .refused: []
    }
  }
}

/// Calls `body`, and throws its errors as `.market`.
func market<Answer>(
  isolation: isolated (any Actor)? = #isolation,
  _ body: () async throws(RepositoryError) -> Answer
) async throws(TransferError) -> Answer {
  do {
    return try await body()
  } catch {
    throw .market(error)
  }
}

/// Batch that is written while the next one is read.
private struct ImportWriting {
  private let task: Task<Result<WrittenBatch, RepositoryError>, Never>
  /// The ids that the products of the batch name, and their lines.
  let ids: [Product.ID?]
  let lines: [Int]

  init(_ step: @escaping ImportStep, of products: [IncomingProduct], _ lines: [Int]) {
    ids = products.map(\.product.id)
    self.lines = lines
    task = Task {
      do throws(RepositoryError) {
        return .success(try await step())
      } catch {
        return .failure(error)
      }
    }
  }

  func receipt() async throws(RepositoryError) -> WrittenBatch {
    try await task.value.get()
  }
}

/// Groups the products of a file into batches of at most 8 MB or `batchSize` products.
private struct BatchReader {
  /// Product of a line, or the reason why it is invalid.
  struct Candidate {
    let line: Int
    let incoming: Result<IncomingProduct, ImportProblem.Reason>

    var isChange: Bool { (try? incoming.get())?.changes != nil }
  }

  private static let batchBytes = 8 << 20

  private var source: any ProductSource
  private let batchSize: Int
  private var rows = RowCounts()
  private var numbers = NumberSet()
  private(set) var count = 0
  /// The last product's password hash, which the next mostly shares.
  private var passwordHash = ""

  init(_ source: any ProductSource, batchSize: Int) {
    self.source = source
    self.batchSize = batchSize
  }

  var unknownColumns: [String] { source.unknownColumns }

  /// The next batch; nil at the end.
  /// - Throws: what `ProductSource.next()` throws.
  mutating func next() throws(TransferError) -> [Candidate]? {
    var candidates: [Candidate] = []
    var byteCount = 0
    while candidates.count < batchSize, byteCount < Self.batchBytes,
      let record = try source.next()
    {
      count += 1
      byteCount += record.byteCount
      let incoming = record.product.map { self.incoming($0) }
      candidates.append(Candidate(line: record.line, incoming: incoming))
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

/// Pictures beside the imported file; each is processed once.
private final class ImportedPictures {
  private let folder: PictureFolder?
  private let processor: any PictureProcessor
  /// Names under which the market stores pictures, by their names in the file.
  private var kept = BoundedCache<String, String>()
  /// Names of the pictures that were checked.
  private var checked = BoundedCache<String, Void>()

  init(beside path: String, processor: any PictureProcessor) {
    // Without a folder each picture is reported as missing.
    folder = try? PictureFolder(beside: path, creates: false)
    self.processor = processor
  }

  /// Records the names under which the market has stored pictures, by their names in the file.
  func remember(_ names: [String: String]) {
    for (name, known) in names { kept.remember(known, for: name) }
  }

  /// Adds new pictures to a batch, and returns the names by which the product refers to its pictures.
  /// - Throws: `.pictureMissing`; `.pictureUnusable`.
  func add(
    _ names: [String], to batch: inout ImportBatch,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(ImportProblem.Reason) -> [String] {
    var result: [String] = []
    for name in names {
      if let known = kept[name] {
        result.append(known)
      } else {
        if batch.pictures[name] == nil { batch.add(try await prepared(name), named: name) }
        result.append(name)
      }
    }
    return result
  }

  /// Adds picture files to a batch, also where the market has them.
  /// - Throws: `.pictureMissing`; `.pictureUnusable`.
  func addFiles(
    _ names: [String], to batch: inout ImportBatch,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(ImportProblem.Reason) {
    for name in names where batch.pictures[name] == nil {
      batch.add(try await prepared(name), named: name)
    }
  }

  /// Checks that the market can store the pictures of a product.
  /// - Throws: `.pictureMissing`; `.pictureUnusable`.
  func check(
    _ names: [String], isolation: isolated (any Actor)? = #isolation
  ) async throws(ImportProblem.Reason) {
    for name in names where checked[name] == nil {
      _ = try await prepared(name)
      checked.remember((), for: name)
    }
  }

  /// The bytes of a picture file.
  /// - Throws: `.pictureMissing`.
  private func file(
    _ name: String, isolation: isolated (any Actor)? = #isolation
  ) async throws(ImportProblem.Reason) -> [UInt8] {
    guard let bytes = folder?.read(name) else { throw .pictureMissing(name) }
    return bytes
  }

  private func prepared(
    _ name: String, isolation: isolated (any Actor)? = #isolation
  ) async throws(ImportProblem.Reason) -> PreparedPicture {
    let bytes = try await file(name)
    do {
      return try await processor.prepare(bytes)
    } catch {
      throw .pictureUnusable(name)
    }
  }
}
