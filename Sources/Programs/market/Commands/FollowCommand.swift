import CommandKit
import Dispatch
import Glibc
import MarketAPI
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SafeTextKit

/// Command `list --follow`: prints the changes of a market as they come, until it is stopped.
///
/// After a disconnection it reconnects by itself; messages about that go to standard error, changes
/// alone to standard output.
struct FollowCommand {
  private let source: MarketSource
  private let options: ListOptions
  /// Query of the products whose changes are printed.
  private let query: ProductQuery
  private let strings: Strings
  private let printer: ProductPrinter
  private let clock = DispatchClock()

  init(
    _ source: MarketSource, _ options: ListOptions, of query: ProductQuery, _ strings: Strings
  ) {
    self.source = source
    self.options = options
    self.query = query
    self.strings = strings
    printer = ProductPrinter(writesJSON: options.writesJSON, strings)
  }

  /// Prints changes, up to the limit of the options.
  /// - Throws: `.unsupported` if the market has no change source or cannot filter by the query, else
  ///   the error of the first connection or a permanent one.
  func run() async throws(RepositoryError) {
    guard let changes = source.changes else { throw .unsupported }
    let parts = try await source.repository.capabilities().parts
    let printer = try await printer.knowing(source.repository)
    guard query.parts.isSubset(of: parts) else { throw .unsupported }
    var left = options.limit ?? .max
    var cursor: ChangeCursor?
    var failures = 0
    while left > 0 {
      var failure = RepositoryError.unreachable(.disconnected)
      for await news in changes.news(after: cursor) {
        switch news {
        case .watching(let present):
          if failures > 0 { Console.warn(strings[.followAgain]) }
          failures = 0
          cursor = cursor ?? present
        case .changes(let batch):
          left -= await show(batch, by: printer, atMost: left, readingBy: parts.contains(.ids))
          cursor = batch.cursor
        case .lost(let error):
          guard cursor != nil, error.isTransient else { throw error }
          if failures == 0 { Console.warn(strings(.followLost, ErrorText.text(error, strings))) }
          failure = error
        }
        if left <= 0 { return }
      }
      failures += 1
      try? await clock.sleep(
        for: ReconnectionBackoff.after(tries: failures, failure, jitter: .random))
    }
  }

  /// Prints a batch in order; returns the number of lines.
  private func show(
    _ batch: ChangeBatch, by printer: ProductPrinter, atMost limit: Int, readingBy ids: Bool
  ) async -> Int {
    if batch.isReset {
      Console.warn(strings[.followMissed])
      if options.writesJSON { Console.say(#"{"event":"reset"}"#) }
    }
    var count = 0
    var rest = batch.changes[...]
    while !rest.isEmpty, count < limit {
      let piece = rest.prefix(ProductQuery.maxIDs)
      rest = rest.dropFirst(piece.count)
      let products = await products(of: piece, byOneRequest: ids)
      for change in piece where count < limit && isWanted(change, products) {
        printer.print(change, products)
        count += 1
      }
    }
    return count
  }

  /// Whether a change matches the query; deleted products, which cannot be queried any more, always do.
  private func isWanted(_ change: MarketChange, _ products: [Product.ID: Product]) -> Bool {
    guard !query.parts.isEmpty else { return true }
    guard case .product(let product) = change else { return false }
    return product.kind == .deleted || products[product.id] != nil
  }

  /// Current products of the changes; those that cannot be read are left out.
  private func products(
    of changes: ArraySlice<MarketChange>, byOneRequest: Bool
  ) async -> [Product.ID: Product] {
    let ids = Set(
      changes.compactMap { change -> Product.ID? in
        guard case .product(let product) = change, product.kind != .deleted else { return nil }
        return product.id
      })
    guard !ids.isEmpty else { return [:] }
    var found: [Product] = []
    if byOneRequest {
      var query = query
      query.ids = ids.sorted()
      let request = PageRequest(query: query, position: .first, size: ids.count)
      found = (try? await source.repository.page(request))?.products ?? []
    } else {
      for id in ids {
        if let detail = try? await source.repository.detail(of: id) { found.append(detail.product) }
      }
    }
    return Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
  }
}

/// Handler of SIGINT and SIGTERM that closes the market first.
nonisolated enum Interruption {
  private static let timeout = DispatchTimeInterval.milliseconds(500)

  /// Runs `body` on SIGINT and SIGTERM before the program ends; the caller must keep the sources.
  static func observe(_ body: @escaping @MainActor () async -> Void) -> [any DispatchSourceSignal] {
    let queue = DispatchQueue(label: "market.signals")
    return [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        // The main thread does not react while it is blocked in a write.
        let deadline = DispatchWorkItem { end(by: number) }
        queue.asyncAfter(deadline: .now() + timeout, execute: deadline)
        Task { @MainActor in
          deadline.cancel()
          await body()
          end(by: number)
        }
      }
      source.activate()
      return source
    }
  }

  /// Ends the program by the signal's default action, after unblocking it: Dispatch's threads, of which
  /// this may be one, block signals.
  private static func end(by number: Int32) {
    signal(number, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
  }
}
