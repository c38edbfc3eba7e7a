import MarketModel
import MarketStrings
import SafeTextKit

/// Runs a transfer request, with progress and errors on standard error.
package struct TransferCommand: Sendable {
  /// Result of a request: its output and its exit status.
  package struct Outcome: Sendable {
    package var sentences: [SafeText] = []
    /// Exit status: 1 where some lines were rejected.
    package var status: Int32 = 0
  }

  private let order: TransferRequest
  private let strings: Strings
  private let progress = ProgressLine()

  package init(_ order: TransferRequest, _ strings: Strings) {
    self.order = order
    self.strings = strings
  }

  /// Opens the market, runs the request and closes the market; products without a date get `now`, in
  /// seconds since 1970.
  /// - Throws: what `ImportRun.run()`, `ExportRun.run()` and `NewFile` throw; `.market` where the market
  ///   fails.
  package func run(
    preparing processor: any PictureProcessor, fetching fetch: PhotoFetch? = nil, now: Int64,
    on open: @Sendable () async throws(RepositoryError) -> any MarketArchive
  ) async throws(TransferError) -> Outcome {
    let archive = try await market { () throws(RepositoryError) in try await open() }
    defer { progress.end() }
    do throws(TransferError) {
      let outcome = try await run(on: archive, processor, fetch, now)
      await archive.close()
      return outcome
    } catch {
      await archive.close()
      throw error
    }
  }

  private func run(
    on archive: any MarketArchive, _ processor: any PictureProcessor, _ fetch: PhotoFetch?,
    _ now: Int64
  ) async throws(TransferError) -> Outcome {
    switch order.task {
    case .importProducts: try await importProducts(to: archive, processor, fetch, now)
    case .exportProducts: try await exportProducts(archive)
    case .backup: try await backup(archive)
    }
  }

  private func importProducts(
    to archive: any MarketArchive, _ processor: any PictureProcessor, _ fetch: PhotoFetch?,
    _ now: Int64
  ) async throws(TransferError) -> Outcome {
    var options = ImportRun.Options(path: order.path, isStrict: order.isStrict, now: now)
    options.table = order.table
    options.languageCurrency = strings.language == .korean ? .krw : .usd
    let run = ImportRun(
      options, into: archive, preparing: processor, fetching: fetch,
      report: { progress.say($0.text(strings)) },
      announce: { progress.say($0.text(strings)) },
      show: { progress.show($0.products, share: $0.share) })
    let summary = try await run.run()
    progress.end()
    let status: Int32 = summary.refused > 0 ? 1 : 0
    // A strict run with errors writes nothing.
    guard !order.isStrict || summary.refused == 0 else {
      return Outcome(
        sentences: [strings.counted(.importStrict, summary.refused)], status: status)
    }
    return Outcome(sentences: sentences(summary, await run.remarks), status: status)
  }

  func sentences(
    _ summary: ImportRun.Summary, _ remarks: ImportRun.Remarks
  ) -> [SafeText] {
    var sentences: [SafeText] = []
    if let encoding = remarks.encoding {
      sentences.append(strings(.importEncoding, SafeText(encoding.rawValue)))
    }
    if remarks.failedPhotos > 0 {
      sentences.append(strings.counted(.importPhotosFailed, remarks.failedPhotos))
    }
    if remarks.withoutPhotos > 0 {
      sentences.append(
        strings.counted(
          remarks.leftPhotos ? .importPhotosLeft : .importWithoutPhotos, remarks.withoutPhotos))
    }
    if remarks.products != summary.added {
      sentences.append(strings.counted(.importProducts, remarks.products))
    }
    let counts = [summary.read, summary.added, summary.changed, summary.known, summary.refused]
    sentences.append(
      strings(
        .importSummary, of: counts.map { SafeText(String(grouped: Int64($0))) },
        number: summary.read))
    return sentences
  }

  private func exportProducts(_ archive: any MarketArchive) async throws(TransferError) -> Outcome {
    let run = ExportRun(to: order.path, replaces: order.replaces, from: archive) {
      progress.show($0.products, share: $0.share)
    }
    let summary = try await run.run()
    progress.end()
    if summary.picturesLeftOut > 0 {
      progress.say(strings.counted(.exportedWithoutPictures, summary.picturesLeftOut))
    }
    guard order.path != "-" else { return Outcome() }
    return Outcome(sentences: [strings.counted(.exported, summary.products)])
  }

  private func backup(_ archive: any MarketArchive) async throws(TransferError) -> Outcome {
    let file = try NewFile(
      path: order.path, replaces: order.replaces, copying: archive.ownFiles)
    guard let position = file.temporaryPath else { throw .notAFile(path: order.path) }
    try await market { () throws(RepositoryError) in
      try await archive.backup(to: position) { progress.show(nil, share: $0) }
    }
    try file.publish()
    progress.end()
    return Outcome(sentences: [
      strings(.backedUp, SafeText(order.path)), strings[.backedUpPersonal],
    ])
  }
}

/// Request to import, export or back up a market.
package struct TransferRequest: Hashable, Sendable {
  /// The operation, by its command-line word.
  package enum Task: String, Sendable {
    case importProducts = "import"
    case exportProducts = "export"
    case backup = "backup"
  }

  package var task: Task
  /// The external file; `-` is standard input or output.
  package var path: String
  /// Whether an import writes nothing where any line is invalid.
  package var isStrict = false
  /// Whether an existing file may be overwritten.
  package var replaces = false
  /// What an import is told about a table.
  package var table = TableOptions()

  package init(_ task: Task, _ path: String) {
    self.task = task
    self.path = path
  }

  /// The equivalent command line.
  package var words: [String] {
    [task.rawValue, path] + (isStrict ? ["--strict"] : []) + (replaces ? ["--overwrite"] : [])
      + table.words
  }
}

extension TableOptions {
  /// The equivalent options of a command line.
  fileprivate var words: [String] {
    let values = [
      ("--currency", currency?.rawValue), ("--stock", stock.map { String($0) }),
      ("--category", category?.rawValue), ("--condition", condition?.rawValue),
      ("--place", place), ("--encoding", encoding?.rawValue),
    ]
    return columns.map { "--column=\($0.name)=\($0.heading)" }
      + values.compactMap { name, value in value.map { "\(name)=\($0)" } }
      + (dropsUnknownChoices ? ["--unknown-choices=drop"] : [])
      + (fetchesPhotos ? ["--fetch-photos"] : [])
  }
}
