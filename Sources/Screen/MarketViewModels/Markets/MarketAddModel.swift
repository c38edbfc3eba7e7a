package import EditorKit
package import MarketModel
import Observation
internal import SafeTextKit

/// The line in which the address or the file of another market is typed; it is asked at once, and what
/// answers is told before it gets a name.
///
/// The address of a product stands for its market, and is opened when the market has its name.
@Observable
package final class MarketAddModel: LineLayer {
  package enum Phase: Hashable, Sendable {
    case typing
    case asking(KnownMarket)
    /// It can be neither an address nor a file.
    case unreadable
    /// There is no such file; the next key that confirms makes it.
    case missing(KnownMarket)
    case failed(RepositoryError)
  }

  package private(set) var editor = LineEditor("", limit: 1_000)
  package private(set) var phase = Phase.typing

  private let markets: Markets
  private let navigator: Navigator
  private weak let menu: MarketsModel?
  @ObservationIgnored private var task: Task<Void, Never>?

  init(_ markets: Markets, on navigator: Navigator, over menu: MarketsModel?) {
    self.markets = markets
    self.navigator = navigator
    self.menu = menu
  }

  package func edit(_ change: (inout LineEditor) -> Void) {
    let before = editor.text
    change(&editor)
    guard editor.text != before else { return }
    task?.cancel()
    phase = .typing
  }

  /// Asks what was typed; a file that is not there is made by the second time.
  package func confirm() {
    switch phase {
    case .asking: break
    case .missing(let market): make(market)
    case .typing, .unreadable, .failed: ask()
    }
  }

  package func cancel() { navigator.stack.close(self) }

  package func didClose() { task?.cancel() }

  private func ask() {
    let text = editor.text.trimmed
    guard !text.isEmpty else { return }
    let link = ProductAddress.only(in: text)
    if let link, navigator.knows(link) { return follow(link) }
    guard let market = markets.directory?.market(at: link?.market.text ?? text) else {
      phase = .unreadable
      return
    }
    guard markets.probe?.hasFile(market) != false else {
      phase = .missing(market)
      return
    }
    look(at: market, for: link)
  }

  /// Opens a product of a market that needs no name any more.
  private func follow(_ link: ProductAddress) {
    navigator.stack.close(self)
    if let menu { navigator.stack.close(menu) }
    navigator.follow(link)
  }

  private func make(_ market: KnownMarket) {
    guard let probe = markets.probe else { return }
    phase = .asking(market)
    task = Task.immediate {
      do throws(RepositoryError) {
        try await probe.makeFile(market)
        guard !Task.isCancelled else { return }
        look(at: market)
      } catch {
        if !Task.isCancelled { phase = .failed(error) }
      }
    }
  }

  private func look(at market: KnownMarket, for link: ProductAddress? = nil) {
    guard let probe = markets.probe else { return }
    phase = .asking(market)
    task = Task.immediate { [clock = navigator.clock] in
      let outcome = await MarketTimeout.wait(MarketsModel.timeout, on: clock) {
        () throws(RepositoryError) in try await probe.glance(at: market)
      }
      guard !Task.isCancelled else { return }
      switch outcome {
      case .failure(let error): phase = .failed(error)
      case .success(let glance): name(market, glance, for: link)
      }
    }
  }

  /// Asks for a name in the place of this line; with one the market is shown.
  private func name(_ market: KnownMarket, _ glance: MarketSummary, for link: ProductAddress?) {
    let name = MarketNameModel(.remember(glance), market, of: markets, on: navigator) {
      [markets, navigator, menu] in
      if let menu { navigator.stack.close(menu) }
      let remembered = markets.all.first { $0.key == market.key } ?? market
      if let link { return navigator.visit(link, in: remembered) }
      markets.show(remembered) { outcome in
        if case .failure(let error) = outcome { navigator.announce(.failed(error)) }
      }
    }
    navigator.stack.push(name, over: self)
    navigator.stack.remove(self)
  }
}

/// The line in which a market gets its name.
@Observable
package final class MarketNameModel: LineLayer {
  package enum Purpose: Hashable, Sendable {
    /// A market that has answered becomes known.
    case remember(MarketSummary)
    case rename
  }

  package private(set) var editor: LineEditor
  package let purpose: Purpose
  package let market: KnownMarket

  private let markets: Markets
  private let navigator: Navigator
  private let didName: () -> Void
  @ObservationIgnored private var isKeeping = false

  private static let longest = 60

  init(
    _ purpose: Purpose, _ market: KnownMarket, of markets: Markets, on navigator: Navigator,
    didName: @escaping () -> Void
  ) {
    self.purpose = purpose
    self.market = market
    self.markets = markets
    self.navigator = navigator
    self.didName = didName
    let name =
      switch purpose {
      case .remember: markets.directory?.freeName(for: market) ?? ""
      case .rename: market.name?.string ?? ""
      }
    editor = LineEditor(name, limit: Self.longest)
  }

  package func edit(_ change: (inout LineEditor) -> Void) { change(&editor) }

  /// Keeps the name; where that is refused the line stays.
  package func confirm() {
    let name = editor.text.trimmed
    guard !name.isEmpty, let directory = markets.directory else { return }
    guard !isKeeping else { return }
    isKeeping = true
    Task.immediate {
      let answer =
        switch purpose {
        case .remember: await directory.remember(market, as: name)
        case .rename: await directory.rename(market, to: name)
        }
      isKeeping = false
      if answer.isDone, navigator.stack.contains(self) {
        navigator.stack.close(self)
        didName()
      }
      (answer.isDone ? markets.current : navigator).announce(answer)
    }
  }

  package func cancel() { navigator.stack.close(self) }
}
