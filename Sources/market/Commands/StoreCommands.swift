import Glibc
import MarketModel
import MarketStore
import MarketViews
import SafeText
import SampleMarket

/// The runs that fill a market file instead of browsing it.
struct StoreCommands {
  private let options: MarketOptions
  private let strings: Strings

  init(_ options: MarketOptions) {
    self.options = options
    strings = Strings(Market.language(options.language))
  }

  /// Adds the sample market.
  func addSample() async {
    await run { store throws(RepositoryError) in
      let seed = SampleFilling.seed(now: SystemTime.now().seconds)
      try await store.seed(seed)
      Console.say(strings.counted(.filledWith, seed.products.count))
    }
  }

  private func run(
    _ body: (SQLiteStore) async throws(RepositoryError) -> Void
  ) async {
    do throws(RepositoryError) {
      try await body(try await StoreOpening.open(path: options.storePath))
      exit(0)
    } catch {
      Console.fail(ErrorText.text(error, strings), status: 1)
    }
  }
}
