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
    package var table = TableOptions()
    /// Currency of products that name none, where the market has no product.
    package var languageCurrency = Currency.krw
    /// Zone of dates in tables that name none.
    package var zone = TimeZone.local

    package init(path: String, isStrict: Bool, now: Int64) {
      self.path = path
      format = ArchiveFormat(ofFile: path)
      self.isStrict = isStrict
      self.now = now
    }
  }

  /// Summary of a finished import, in rows of the file.
  package struct Summary: Hashable, Sendable {
    package var added = 0
    /// Number of rows that changed the market's own products.
    package var changed = 0
    /// Number of rows that were imported before.
    package var known = 0
    package var refused = 0

    package var read: Int { added + changed + known + refused }

    package init(added: Int = 0, changed: Int = 0, known: Int = 0, refused: Int = 0) {
      self.added = added
      self.changed = changed
      self.known = known
      self.refused = refused
    }
  }

  /// What else there is to say of an import.
  package struct Remarks: Hashable, Sendable {
    /// Number of products that were added.
    package var products = 0
    /// Number of products of a table that came without photos.
    package var withoutPhotos = 0
    /// Number of photos that could not be fetched.
    package var failedPhotos = 0
    /// Whether the table names photos that were not asked for.
    package var leftPhotos = false
    /// The encoding that was guessed.
    package var encoding: TextEncoding?
  }

  package private(set) var remarks = Remarks()

  private let executor = QueueExecutor(label: "market.import")
  private let options: Options
  private let archive: any MarketArchive
  private let processor: any PictureProcessor
  private let report: @Sendable (ImportProblem) -> Void
  private let announce: @Sendable (ImportAssumption) -> Void
  private let fetch: PhotoFetch?
  private let show: @Sendable (TransferProgress) -> Void
  /// Currency of the market's newest product; nil for none.
  private var usualCurrency: Currency?
  private var isTable = false
  private var shared = SharedProblems()
  /// What was announced as taken for granted.
  private var announced: Set<ProductField> = []

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// `report` receives each line that is rejected or changed, in order, but for those that many rows
  /// share, which come last; `announce` what is taken for granted, before it is written; and `show` the progress.
  package init(
    _ options: Options, into archive: any MarketArchive, preparing processor: any PictureProcessor,
    fetching fetch: PhotoFetch? = nil,
    report: @escaping @Sendable (ImportProblem) -> Void,
    announce: @escaping @Sendable (ImportAssumption) -> Void = { _ in },
    show: @escaping @Sendable (TransferProgress) -> Void
  ) {
    self.options = options
    self.archive = archive
    self.processor = processor
    self.report = report
    self.announce = announce
    self.fetch = options.table.fetchesPhotos ? fetch : nil
    self.show = show
  }

  /// Imports the file; a strict run with errors writes nothing.
  /// - Throws: `.file` where the file cannot be read, `.holdsMarket`, `.otherKind`, `.noColumns`,
  ///   `.noColumn`, `.columnTwice`, `.encoding`, `.unknownEncoding`, `.foreignEncoding`; `.market` where the market fails.
  package func run() async throws(TransferError) -> Summary {
    let input = try InputFile(path: options.path)
    let file = options.isStrict ? try input.rewindable() : input
    let pictures = ImportedPictures(
      beside: options.path, processor: processor, fetching: fetch)
    let own = try await market { () throws(RepositoryError) in try await archive.ownMarketID() }
    usualCurrency = try await market { () throws(RepositoryError) in
      try await archive.newestCurrency()
    }
    if options.isStrict {
      let refused = try await check(file, pictures, own)
      guard refused == 0 else { return Summary(refused: refused) }
      try file.rewind()
    }
    return try await importProducts(file, pictures, own)
  }

  /// Checks all products without writing any, and counts the errors.
  private func check(
    _ file: InputFile, _ pictures: ImportedPictures, _ own: MarketID?
  ) async throws(TransferError) -> Int {
    var reader = BatchReader(try productSource(file, own), batchSize: options.batchSize)
    var refused = reader.unknownColumns.isEmpty ? 0 : 1
    reportUnknownColumns(of: reader)
    defer { reportShared() }
    while let candidates = try reader.next() {
      var standings = try await standings(of: candidates)[...]
      for candidate in candidates {
        do throws(ImportProblem.Reason) {
          let incoming = try candidate.incoming.get()
          let standing = standings.popFirst() ?? .new
          try incoming.check(standing)
          try await pictures.check(incoming.neededPictures(standing))
        } catch {
          refused += candidate.rowCount
          tell(error, of: candidate)
        }
      }
    }
    return refused
  }

  private func reportUnknownColumns(of reader: BatchReader) {
    guard !reader.unknownColumns.isEmpty else { return }
    report(ImportProblem(line: 1, reason: .unknownColumns(reader.unknownColumns)))
  }

  private func tell(_ reason: ImportProblem.Reason, of candidate: BatchReader.Candidate) {
    guard !shared.count(reason, candidate.lines, rows: candidate.rowCount) else { return }
    report(ImportProblem(lines: candidate.lines, reason: reason, rowCount: candidate.rowCount))
  }

  private func reportShared() {
    for problem in shared.problems { report(problem) }
    shared = SharedProblems()
  }

  /// Says what the rows of a batch do not name and the import takes for granted, once for each field.
  private func announceAssumptions(
    of candidates: [BatchReader.Candidate], in reader: BatchReader
  ) {
    for field in [ProductField.currency, .stock] where !announced.contains(field) {
      let rows = candidates.reduce(0) { $0 + ($1.assumed.contains(field) ? $1.rowCount : 0) }
      guard rows > 0 else { continue }
      announced.insert(field)
      announce(
        .value(
          AssumedValue(
            field: field, rows: rows, isAll: reader.isAtEnd,
            hasColumn: reader.columns?.has(.field(field)) == true, currency: currency,
            isOfMarket: usualCurrency != nil)))
    }
  }

  private var currency: Currency {
    options.table.currency ?? usualCurrency ?? options.languageCurrency
  }

  private func importProducts(
    _ file: InputFile, _ pictures: ImportedPictures, _ own: MarketID?
  ) async throws(TransferError) -> Summary {
    let source = try productSource(file, own)
    let target = try await market { () throws(RepositoryError) in try await archive.beginImport() }
    let summary: Summary
    do throws(TransferError) {
      summary = try await importProducts(source, file, pictures, into: target)
    } catch {
      // The batches so far are indexed all the same; where that fails too, the first error is thrown.
      try? await target.finish()
      throw error
    }
    try await market { () throws(RepositoryError) in try await target.finish() }
    return summary
  }

  private func importProducts(
    _ source: any ProductSource, _ file: InputFile, _ pictures: ImportedPictures,
    into target: any MarketImport
  ) async throws(TransferError) -> Summary {
    var reader = BatchReader(source, batchSize: options.batchSize)
    // A strict run with unknown columns ends before.
    reportUnknownColumns(of: reader)
    if let recognised = reader.columns?.recognised, !recognised.isEmpty {
      announce(.columns(recognised))
    }
    var summary = Summary()
    var writing: ImportWriting?
    while let candidates = try reader.next() {
      announceAssumptions(of: candidates, in: reader)
      var rest = try await wanted(candidates, by: target, &summary)[...]
      while !rest.isEmpty {
        let (batch, candidates) = try await assemble(&rest, pictures, &summary)
        let step = target.prepare(batch)
        try await settle(writing, pictures, &summary)
        writing = ImportWriting(step, of: batch.products, candidates)
      }
      show(TransferProgress(products: reader.count, share: file.share))
    }
    try await settle(writing, pictures, &summary)
    remarks.encoding = reader.guessedEncoding
    reportShared()
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
    summary.known += all.reduce(0) { $0 + ($1.1 == .known ? $1.0.rowCount : 0) }
    return all.filter { $0.1 != .known }
  }

  /// Takes products from the front until there are none or the batch is full, with the pictures that the
  /// market lacks; returns the batch with the rows of its products.
  private func assemble(
    _ rest: inout ArraySlice<(BatchReader.Candidate, ImportDecision)>,
    _ pictures: ImportedPictures, _ summary: inout Summary
  ) async throws(TransferError) -> (ImportBatch, [BatchReader.Candidate]) {
    var batch = ImportBatch()
    var candidates: [BatchReader.Candidate] = []
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
        if case .new = standing {
          await addPhotos(candidate, before: rest, pictures, to: &batch, &incoming)
        }
        batch.products.append(incoming)
        candidates.append(candidate)
        for name in names where batch.pictures[name]?.isCut == true {
          report(ImportProblem(lines: candidate.lines, reason: .pictureCut(name)))
        }
        for remark in candidate.remarks { tell(remark, of: candidate) }
      } catch {
        summary.refused += candidate.rowCount
        tell(error, of: candidate)
      }
    }
    return (batch, candidates)
  }

  /// Fetches the photos of a new product of a table.
  private func addPhotos(
    _ candidate: BatchReader.Candidate,
    before rest: ArraySlice<(BatchReader.Candidate, ImportDecision)>,
    _ pictures: ImportedPictures, to batch: inout ImportBatch, _ incoming: inout IncomingProduct
  ) async {
    guard isTable else { return }
    let next = rest.prefix(8).flatMap { $0.1 == .new ? $0.0.photoAddresses : [] }
    let (names, failed) = await pictures.addPhotos(
      at: candidate.photoAddresses, before: next, to: &batch)
    incoming.product.pictures += names
    remarks.failedPhotos += fetch == nil ? 0 : failed
    if fetch == nil, !candidate.photoAddresses.isEmpty { remarks.leftPhotos = true }
    if incoming.product.pictures.isEmpty { remarks.withoutPhotos += 1 }
  }

  private func settle(
    _ writing: ImportWriting?, _ pictures: ImportedPictures, _ summary: inout Summary
  ) async throws(TransferError) {
    guard let writing else { return }
    let receipt = try await market { () throws(RepositoryError) in try await writing.receipt() }
    let candidates = writing.candidates
    // Only new products have several rows; those that others have added meanwhile count as one.
    let refused = receipt.refused.keys.reduce(0) { $0 + candidates[$1].rowCount }
    let known = candidates.count - receipt.added - receipt.changed - receipt.refused.count
    let rows = candidates.reduce(0) { $0 + $1.rowCount }
    summary.added += rows - refused - known - receipt.changed
    summary.changed += receipt.changed
    summary.refused += refused
    summary.known += known
    remarks.products += receipt.added
    for (position, refusal) in receipt.refused.sorted(by: { $0.key < $1.key }) {
      guard let id = writing.ids[position] else { continue }
      report(ImportProblem(lines: candidates[position].lines, reason: .own(id, refusal)))
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
    if let kind = FileKind(sniffing: start) { throw .otherKind(path: options.path, kind) }
    let format = options.format ?? ArchiveFormat(sniffing: start, options.table)
    isTable = format == .table
    return switch format {
    case .lines: try LineSource(file, now: options.now, market: own)
    case .table:
      try TableSource(
        file, now: options.now, market: own, options.table, currency: currency,
        zone: options.zone)
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
  /// The ids that the products of the batch name, and where they were read.
  let ids: [Product.ID?]
  let candidates: [BatchReader.Candidate]

  init(
    _ step: @escaping ImportStep, of products: [IncomingProduct],
    _ candidates: [BatchReader.Candidate]
  ) {
    ids = products.map(\.product.id)
    self.candidates = candidates
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
