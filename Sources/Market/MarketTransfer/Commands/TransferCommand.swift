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
    preparing processor: any PictureProcessor, now: Int64,
    on open: @Sendable () async throws(RepositoryError) -> any MarketArchive
  ) async throws(TransferError) -> Outcome {
    let archive = try await market { () throws(RepositoryError) in try await open() }
    defer { progress.end() }
    do throws(TransferError) {
      let outcome = try await run(on: archive, processor, now)
      await archive.close()
      return outcome
    } catch {
      await archive.close()
      throw error
    }
  }

  private func run(
    on archive: any MarketArchive, _ processor: any PictureProcessor, _ now: Int64
  ) async throws(TransferError) -> Outcome {
    switch order.task {
    case .importProducts: try await importProducts(to: archive, processor, now)
    case .exportProducts: try await exportProducts(archive)
    case .backup: try await backup(archive)
    }
  }

  private func importProducts(
    to archive: any MarketArchive, _ processor: any PictureProcessor, _ now: Int64
  ) async throws(TransferError) -> Outcome {
    let options = ImportRun.Options(path: order.path, isStrict: order.isStrict, now: now)
    let run = ImportRun(
      options, into: archive, preparing: processor,
      report: { progress.say($0.text(strings)) },
      show: { progress.show($0.products, share: $0.share) })
    let summary = try await run.run()
    progress.end()
    var outcome = Outcome(sentences: [strings.counted(.filledWith, summary.added)])
    if summary.changed > 0 {
      outcome.sentences.append(strings.counted(.importChanged, summary.changed))
    }
    if summary.known > 0 {
      outcome.sentences.append(strings.counted(.importKnown, summary.known))
    }
    if summary.refused > 0 {
      progress.say(strings.counted(.importRefused, summary.refused))
      outcome.status = 1
    }
    return outcome
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

  package init(_ task: Task, _ path: String) {
    self.task = task
    self.path = path
  }

  /// The equivalent command line.
  package var words: [String] {
    [task.rawValue, path] + (isStrict ? ["--strict"] : []) + (replaces ? ["--overwrite"] : [])
  }
}
