internal import MarketModel
package import SafeTextKit

/// Dialog with the command that serves a market, and whether its address is in use.
package final class MarketServeModel: Layer {
  package enum Phase: Hashable, Sendable {
    case asking
    /// Nothing listens at the address yet.
    case free
    /// A market is served there.
    case market(MarketSummary)
    /// Another program listens there.
    case taken
  }

  package let command: SafeText
  @Observed package private(set) var phase = Phase.asking

  private let markets: Markets
  private let navigator: Navigator
  private var task: Task<Void, Never>?

  /// Default address of the server.
  package nonisolated static let address = "http://127.0.0.1:8080"
  private static let servedMarket = KnownMarket(
    key: MarketKey(rawValue: "server-serve"), name: SafeText(address),
    location: .server(address: address))

  init(command: String, _ markets: Markets, on navigator: Navigator) {
    self.command = SafeText(command)
    self.markets = markets
    self.navigator = navigator
    ask()
  }

  package func copy() { navigator.program.delegate?.copy(command) }

  package func refresh() { ask() }

  package func didClose() { task?.cancel() }

  private func ask() {
    guard let probe = markets.probe else { return }
    task?.cancel()
    phase = .asking
    task = Task.immediate { [weak self, clock = navigator.clock] in
      let outcome = await MarketTimeout.wait(MarketsModel.timeout, on: clock) {
        () throws(RepositoryError) in try await probe.glance(at: Self.servedMarket)
      }
      guard !Task.isCancelled else { return }
      self?.phase =
        switch outcome {
        case .success(let glance): .market(glance)
        case .failure(.unreachable(.refused)): .free
        case .failure: .taken
        }
    }
  }
}
