import CommandKit
import Glibc
import MarketClient
import MarketModel
import MarketStore
import MarketStrings
import MarketTransfer
import MarketViews
import PictureKit
import SafeTextKit
import SampleMarket
import StoreCore

/// Commands that fill, transfer or administer a market file; all exit.
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
      let seed = SampleImporter.seed(in: strings.language, now: SystemTime.now().seconds)
      try await store.seed(seed)
      Console.say(strings.counted(.filledWith, seed.products.count))
    }
  }

  /// Adds `count` products for tests, which share the pictures of the sample market.
  func generate(_ count: Int) async -> Never {
    await run { store throws(RepositoryError) in
      let seed = SampleImporter.seed(in: strings.language, now: SystemTime.now().seconds)
      let progress = ProgressLine()
      try await store.generate(
        count, pictures: seed.pictures, passwordHash: seed.passwordHash
      ) { progress.show($0, share: Double($0) / Double(count)) }
      progress.end()
      Console.say(strings.counted(.filledWith, count))
    }
  }

  /// Exports or imports the market, or makes a backup.
  func move(_ request: TransferRequest) async -> Never {
    do throws(TransferError) {
      let command = TransferCommand(request, strings)
      let path = options.storePath
      let language = strings.language
      let creates = request.task == .importProducts
      let (fetcher, encoder) = (WebPhotoFetcher(), PhotoEncoder())
      let fetch: PhotoFetch = { address in
        guard let bytes = try? await fetcher.bytes(at: address) else { return nil }
        return try? await encoder.encode(bytes).bytes
      }
      let outcome = try await command.run(
        preparing: UploadPreparer(), fetching: fetch, now: SystemTime.now().seconds
      ) { () throws(RepositoryError) in
        try await StoreOpener.open(path: path, creates: creates, filledIn: language)
      }
      for sentence in outcome.sentences { Console.say(sentence) }
      exit(outcome.status)
    } catch {
      let sentence =
        if case .market(let error) = error { options.sentence(on: error) } else {
          error.text(strings)
        }
      Console.fail(sentence, status: 1)
    }
  }

  /// Runs an operator command; `admin seller set` may precede the market file, which it creates.
  ///
  /// A new password is asked for only if the product exists.
  func operate(_ request: OperatorRequest) async -> Never {
    do throws(RepositoryError) {
      var secret = request.secret == .identifier ? Market.secret(for: request, strings) : nil
      let store = try await StoreOpener.open(
        path: options.storePath, creates: request.secret == .identifier, filledIn: strings.language)
      if case .setPassword(let id) = request {
        // For a missing product the command says so and ignores the password.
        secret = try await has(id, in: store) ? Market.secret(for: request, strings) : "none"
      }
      let outcome = try await OperatorCommand(request, strings).run(on: store, secret: secret)
      for sentence in outcome.sentences { Console.say(sentence) }
      for errorMessage in outcome.complaints { Console.warn(errorMessage) }
      exit(outcome.status)
    } catch {
      Console.fail(options.sentence(on: error), status: 1)
    }
  }

  private func has(
    _ id: Product.ID, in store: SQLiteStore
  ) async throws(RepositoryError) -> Bool {
    do throws(RepositoryError) {
      _ = try await store.detail(of: id)
      return true
    } catch .notFound {
      return false
    }
  }

  private func run(
    _ body: (SQLiteStore) async throws(RepositoryError) -> Void
  ) async -> Never {
    do throws(RepositoryError) {
      let store = try await StoreOpener.open(
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
      Console.fail(options.sentence(on: error), status: 1)
    }
  }
}
