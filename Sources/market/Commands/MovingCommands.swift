import Glibc
import MarketModel
import MarketMoving
import MarketStore
import MarketViews
import PictureKit
import SafeText

/// The runs that move a market into a file and back.
struct MovingCommands {
  private let options: MarketOptions
  private let strings: Strings

  init(_ options: MarketOptions) {
    self.options = options
    strings = Market.strings(options)
  }

  /// Takes the products of a file; leaves with status 1 where some of them were refused.
  func importProducts(from path: String) async -> Never {
    await run { store throws(MovingError) in
      let progress = ProgressLine()
      let run = ImportRun(
        ImportRun.Options(path: path, isStrict: options.isStrict, now: SystemTime.now().seconds),
        into: store, preparing: UploadPreparer(),
        report: { problem in progress.say(SafeText(problem.description)) },
        show: { progress.show($0.products, share: $0.share) })
      let summary = try await run.run()
      progress.end()
      Console.say(strings.counted(.filledWith, summary.added))
      if summary.known > 0 { Console.say(strings.counted(.importKnown, summary.known)) }
      if summary.refused > 0 {
        Console.fail(strings.counted(.importRefused, summary.refused), status: 1)
      }
    }
  }

  /// Writes all products into a file.
  func exportProducts(to path: String) async -> Never {
    await run { store throws(MovingError) in
      let progress = ProgressLine()
      let run = ExportRun(to: path, replaces: options.replaces, from: store) {
        progress.show($0.products, share: $0.share)
      }
      let count = try await run.run()
      progress.end()
      if path != "-" { Console.say(strings.counted(.exported, count)) }
    }
  }

  /// Copies the market file, also while it is in use.
  func backUp(to path: String) async -> Never {
    await run { store throws(MovingError) in
      let progress = ProgressLine()
      let file = try NewFile(path: path, replaces: options.replaces)
      guard let place = file.temporaryPath else { throw .exists(path: path) }
      do throws(RepositoryError) {
        try await store.backUp(to: place) { progress.show(nil, share: $0) }
      } catch {
        throw .market(error)
      }
      try file.publish()
      progress.end()
      Console.say(strings(.backedUp, SafeText(path)))
    }
  }

  private func run(_ body: (SQLiteStore) async throws(MovingError) -> Void) async -> Never {
    do throws(MovingError) {
      let store: SQLiteStore
      do throws(RepositoryError) {
        store = try await StoreOpening.open(path: options.storePath)
      } catch {
        throw .market(error)
      }
      try await body(store)
      exit(0)
    } catch {
      Console.fail(error.text(strings), status: 1)
    }
  }
}

extension MovingError {
  /// The one sentence that a person reads.
  @MainActor fileprivate func text(_ strings: Strings) -> SafeText {
    switch self {
    case .market(let error): ErrorText.text(error, strings)
    case .file(let path, let reason): strings(.movingFile, SafeText(path), SafeText(reason))
    case .exists(let path): strings(.movingExists, SafeText(path))
    case .noColumns: strings[.movingNoColumns]
    }
  }
}
