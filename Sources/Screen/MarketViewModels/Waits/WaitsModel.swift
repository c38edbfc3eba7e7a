package import MarketModel
import Observation

/// The list of what has come and of what one waits for; opening it has seen what came.
@Observable
package final class WaitsModel: Layer {
  package nonisolated enum Line: Hashable, Sendable {
    case hit(WaitHit)
    case wait(Wait)
  }

  /// Hits before waits, each kind the latest first; nil until they have been read.
  package private(set) var lines: [Line]?
  package private(set) var selected = 0

  private let engine: WaitEngine
  private let navigator: Navigator
  @ObservationIgnored private var opening: Task<Void, Never>?

  private static let mostHits = 200

  init(_ engine: WaitEngine, on navigator: Navigator) {
    self.engine = engine
    self.navigator = navigator
    refresh()
  }

  package static func open(on navigator: Navigator) {
    guard let engine = navigator.program.waits else {
      return navigator.announce(.hint(.nothingIsKept))
    }
    navigator.stack.push(WaitsModel(engine, on: navigator))
  }

  package func refresh() {
    Task.immediate { [weak self, engine] in
      let hits = await engine.book.hits(atMost: Self.mostHits)
      await engine.reload()
      defer { self?.navigator.runTypedAhead() }
      self?.lines = hits.map(Line.hit) + engine.waits.map(Line.wait)
      self?.move(by: 0)
      await engine.didSeeHits()
    }
  }

  package func move(by distance: Int) {
    selected = (selected + distance).clamped(to: 0...max(0, (lines?.count ?? 0) - 1))
  }

  /// The name of a market; nil for the local one.
  package func market(of line: Line) -> KnownMarket {
    switch line {
    case .hit(let hit): navigator.markets?.known(of: hit) ?? KnownMarket(of: hit)
    case .wait(let wait):
      navigator.markets?.all.first { $0.key == wait.market } ?? KnownMarket(of: wait)
    }
  }

  /// Since when the market of a wait has not answered; nil where it did when it was asked last.
  package func silence(of line: Line) -> Timestamp? {
    if case .wait(let wait) = line { engine.silent[wait.market] } else { nil }
  }

  package var holdsKeys: Bool { lines == nil }

  private var line: Line? { lines?.dropFirst(selected).first }

  /// Takes the selected one away: a wait ends, a hit is forgotten.
  package func removeSelected() {
    guard let line else { return }
    lines?.remove(at: selected)
    move(by: 0)
    Task.immediate { [engine] in
      switch line {
      case .hit(let hit): await engine.book.forget(hit.id)
      case .wait(let wait): await engine.end(wait)
      }
    }
  }

  package func didClose() { opening?.cancel() }
}

// MARK: Opening

extension WaitsModel {
  /// Shows what the selected line is about, in its market.
  package func openSelected() {
    guard let line, let markets = navigator.markets else { return }
    markets.show(market(of: line)) { [weak self] outcome in
      switch outcome {
      case .success(let shown): self?.show(line, on: shown)
      case .failure(let error): self?.navigator.announce(.failed(error))
      }
    }
  }

  private func show(_ line: Line, on shown: Navigator) {
    switch line {
    case .hit(let hit):
      let wait = engine.waits.first {
        ($0.market, $0.name) == (hit.market, hit.waitName) && $0.condition == hit.condition
      }
      // Of many that came the list is shown, while they are still waited for.
      if hit.count > 1, let wait {
        show(.wait(wait), on: shown)
      } else {
        open(hit.product, on: shown)
      }
    case .wait(let wait):
      switch wait.subject {
      case .product(let id): open(id, on: shown)
      case .seller(let id):
        navigator.stack.close(self)
        shown.browser.show(ProductQuery(sellers: [id]))
      case .search(let text):
        navigator.stack.close(self)
        shown.follow(SearchRequest(reading: text))
      }
    }
  }

  private func open(_ id: Product.ID, on shown: Navigator) {
    opening?.cancel()
    opening = Task.immediate { [weak self] in
      do throws(RepositoryError) {
        let detail = try await shown.browser.repository.detail(of: id)
        guard !Task.isCancelled, let self else { return }
        navigator.stack.close(self)
        shown.open(ListedProduct(detail.product))
      } catch {
        if !Task.isCancelled { shown.announce(.failed(error)) }
      }
    }
  }
}
