import CommandKit
import Glibc
import MarketModel
import MarketStore
import MarketStrings
import MarketTransfer
import MarketViews
import PictureKit
import SafeText
import SampleMarket
import StoreCore

/// The runs that fill or move a market file instead of browsing it.
struct StoreCommands {
  private let options: MarketOptions
  private let strings: Strings

  init(_ options: MarketOptions) {
    self.options = options
    strings = options.strings
  }

  /// Adds the sample market.
  func addSample() async -> Never {
    await run { store throws(RepositoryError) in
      let seed = SampleFilling.seed(in: strings.language, now: SystemTime.now().seconds)
      try await store.seed(seed)
      Console.say(strings.counted(.filledWith, seed.products.count))
    }
  }

  /// Adds `count` products for trials, which share the pictures of the sample market.
  func generate(_ count: Int) async -> Never {
    await run { store throws(RepositoryError) in
      let seed = SampleFilling.seed(in: strings.language, now: SystemTime.now().seconds)
      let progress = ProgressLine()
      try await store.generate(
        count, pictures: seed.pictures, passwordHash: seed.passwordHash
      ) { progress.show($0, share: Double($0) / Double(count)) }
      progress.end()
      Console.say(strings.counted(.filledWith, count))
    }
  }

  /// Moves the market into a file or out of one.
  func move(_ order: TransferOrder) async -> Never {
    do throws(TransferError) {
      let command = TransferCommand(order, strings)
      let path = options.storePath
      let language = strings.language
      let creates = order.task == .importProducts
      let outcome = try await command.run(
        preparing: UploadPreparer(), now: SystemTime.now().seconds
      ) { () throws(RepositoryError) in
        try await StoreOpening.open(path: path, creates: creates, filledIn: language)
      }
      for sentence in outcome.sentences { Console.say(sentence) }
      exit(outcome.status)
    } catch {
      Console.fail(error.text(strings), status: 1)
    }
  }

  /// Does what whoever runs the market orders; `seller set` may come before there is a market.
  func operate(_ order: OperatorOrder, _ secret: String?) async -> Never {
    do throws(RepositoryError) {
      let store = try await StoreOpening.open(
        path: options.storePath, creates: order.secret == .identifier, filledIn: strings.language)
      let outcome = try await OperatorCommand(order, strings).run(on: store, secret: secret)
      for sentence in outcome.sentences { Console.say(sentence) }
      for complaint in outcome.complaints { Console.warn(complaint) }
      exit(outcome.status)
    } catch {
      Console.fail(ErrorText.text(error, strings), status: 1)
    }
  }

  private func run(
    _ body: (SQLiteStore) async throws(RepositoryError) -> Void
  ) async -> Never {
    do throws(RepositoryError) {
      let store = try await StoreOpening.open(
        path: options.storePath, filledIn: strings.language)
      do throws(RepositoryError) {
        try await body(store)
        await store.close()
      } catch {
        await store.close()
        throw error
      }
      exit(0)
    } catch {
      Console.fail(ErrorText.text(error, strings), status: 1)
    }
  }
}
