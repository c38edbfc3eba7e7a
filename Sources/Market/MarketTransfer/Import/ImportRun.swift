import DispatchBridge
import Glibc
import MarketModel

/// Run that takes the products of a file into a market.
///
/// Lines that cannot be taken are reported and passed over. What is there already is passed over as
/// well, so that a run that was cut short can be repeated.
package actor ImportRun {
  /// Options of an import: the file, and what becomes of products that are wrong.
  package struct Options: Sendable {
    /// The file; `-` is standard input.
    package var path: String
    /// Nil: what comes through a pipe is told by its beginning.
    package var format: ArchiveFormat?
    /// Whether nothing is taken where anything is wrong.
    package var isStrict: Bool
    /// The time of products that have none, in seconds since 1970.
    package var now: Int64
    /// Number of products that are kept in one step; larger steps write less in all and take more
    /// memory.
    package var batchSize = 3_000

    package init(path: String, isStrict: Bool, now: Int64) {
      self.path = path
      format = path == "-" ? nil : ArchiveFormat(path: path)
      self.isStrict = isStrict
      self.now = now
    }
  }

  /// Summary of a finished run.
  package struct Summary: Hashable, Sendable {
    package var added = 0
    /// Products that had come before.
    package var known = 0
    /// Lines that were not taken.
    package var refused = 0

    package init(added: Int = 0, known: Int = 0, refused: Int = 0) {
      self.added = added
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

  /// `report` is told of each line that is not taken, or not as it is, in order, and `show` how far the run is.
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

  package func run() async throws(TransferError) -> Summary {
    let input = try InputFile(path: options.path)
    let file = options.isStrict ? try input.rewindable() : input
    let pictures = ImportedPictures(beside: options.path, processor: processor)
    if options.isStrict {
      let refused = try await check(file, pictures)
      guard refused == 0 else { return Summary(refused: refused) }
      try file.rewind()
    }
    return try await take(file, pictures)
  }

  /// Looks at all products without taking any, and counts those that are wrong.
  private func check(_ file: InputFile, _ pictures: ImportedPictures) async throws(TransferError)
    -> Int
  {
    var source = try productSource(file)
    var refused = 0
    while let record = try source.next() {
      do throws(ImportProblem.Reason) {
        for name in try record.product.get().pictures { _ = try await pictures.file(name) }
      } catch {
        refused += 1
        report(ImportProblem(line: record.line, reason: error))
      }
    }
    return refused
  }

  private func take(_ file: InputFile, _ pictures: ImportedPictures) async throws(TransferError)
    -> Summary
  {
    let target = try await market { () throws(RepositoryError) in try await archive.beginImport() }
    let summary: Summary
    do throws(TransferError) {
      summary = try await take(file, pictures, into: target)
    } catch {
      // What has come is to be found all the same; where that fails too, the first reason is told.
      try? await target.finish()
      throw error
    }
    try await market { () throws(RepositoryError) in try await target.finish() }
    return summary
  }

  private func take(
    _ file: InputFile, _ pictures: ImportedPictures, into target: any MarketImport
  ) async throws(TransferError) -> Summary {
    var reader = BatchReader(try productSource(file), batchSize: options.batchSize)
    var summary = Summary()
    var writing: ImportWriting?
    while let candidates = try reader.next() {
      var rest = try await unknown(candidates, target, &summary)[...]
      while !rest.isEmpty {
        let batch = try await assemble(&rest, pictures, &summary)
        let step = target.prepare(batch)
        try await settle(writing, pictures, &summary)
        writing = ImportWriting(step, of: batch.products.count)
      }
      show(TransferProgress(products: reader.count, share: file.share))
    }
    try await settle(writing, pictures, &summary)
    return summary
  }

  /// All of some products but those that have come before.
  private func unknown(
    _ candidates: [BatchReader.Candidate], _ target: any MarketImport, _ summary: inout Summary
  ) async throws(TransferError) -> [BatchReader.Candidate] {
    var areThere = try await market { () throws(RepositoryError) in
      try await target.areThere(candidates.compactMap { try? $0.incoming.get() })
    }[...]
    let unknown = candidates.filter { candidate in
      guard case .success = candidate.incoming else { return true }
      return areThere.popFirst() == false
    }
    summary.known += candidates.count - unknown.count
    return unknown
  }

  /// Takes products from the front until there are none or the batch is full, with the pictures
  /// that the market does not have yet.
  private func assemble(
    _ rest: inout ArraySlice<BatchReader.Candidate>, _ pictures: ImportedPictures,
    _ summary: inout Summary
  ) async throws(TransferError) -> ImportBatch {
    var batch = ImportBatch()
    while !batch.isFull, let candidate = rest.popFirst() {
      do throws(ImportProblem.Reason) {
        var incoming = try candidate.incoming.get()
        let names = incoming.product.pictures
        incoming.product.pictures = try await pictures.add(
          incoming.product.pictures, to: &batch)
        batch.products.append(incoming)
        for name in names where batch.pictures[name]?.isCut == true {
          report(ImportProblem(line: candidate.line, reason: .pictureCut(name)))
        }
      } catch {
        summary.refused += 1
        report(ImportProblem(line: candidate.line, reason: error))
      }
    }
    return batch
  }

  private func settle(
    _ writing: ImportWriting?, _ pictures: ImportedPictures, _ summary: inout Summary
  ) async throws(TransferError) {
    guard let writing else { return }
    let receipt = try await market { () throws(RepositoryError) in try await writing.receipt() }
    summary.added += receipt.added
    summary.known += writing.count - receipt.added
    pictures.remember(receipt.pictureNames)
  }

  private func productSource(_ file: InputFile) throws(TransferError) -> any ProductSource {
    let format =
      if let told = options.format { told } else { ArchiveFormat(sniffing: try file.peek()) }
    return switch format {
    case .lines: LineSource(file, now: options.now)
    case .table: try TableSource(file, now: options.now)
    }
  }
}

/// Runs something of a market whose failure ends the run.
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

/// A batch that is being written while the next one is read.
private struct ImportWriting {
  private let task: Task<Result<ImportReceipt, RepositoryError>, Never>
  /// Number of products in the batch.
  let count: Int

  init(_ step: @escaping ImportStep, of count: Int) {
    self.count = count
    task = Task {
      do throws(RepositoryError) {
        return .success(try await step())
      } catch {
        return .failure(error)
      }
    }
  }

  func receipt() async throws(RepositoryError) -> ImportReceipt {
    try await task.value.get()
  }
}

/// Gathers the products of a file into batches, of which none takes much more memory than another.
private struct BatchReader {
  /// A product, or what is wrong with it.
  struct Candidate {
    let line: Int
    let incoming: Result<IncomingProduct, ImportProblem.Reason>
  }

  private static let batchBytes = 8 << 20

  private var source: any ProductSource
  private let batchSize: Int
  /// Hashes of the bytes that have come, which for a million products are 17 MB.
  private var seen: Set<Int> = []
  /// Counts of the bytes that came more than once: two equal lines are two products.
  private var occurrences: [Int: UInt32] = [:]
  private(set) var count = 0
  /// The password of the last product, which mostly is that of the next.
  private var passwordHash = ""

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
        var product = product
        if product.passwordHash == passwordHash { product.passwordHash = passwordHash }
        passwordHash = product.passwordHash
        return IncomingProduct(identity: identity(of: record.bytes), product: product)
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

/// The pictures beside a file that is being read; each is made fit once.
private final class ImportedPictures {
  private let folder: PictureFolder?
  private let processor: any PictureProcessor
  /// Names under which the market keeps the pictures it has taken.
  private var kept = RecentValues<String, String>()

  init(beside path: String, processor: any PictureProcessor) {
    // Without a folder each picture is missing by itself.
    folder = try? PictureFolder(beside: path, creates: false)
    self.processor = processor
  }

  /// Takes note of pictures that the market has taken.
  func remember(_ names: [String: String]) {
    for (name, known) in names { kept.remember(known, for: name) }
  }

  /// The names by which a product refers to its pictures, after those that are new were added to a
  /// batch.
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

  /// The bytes of a picture file.
  func file(
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
