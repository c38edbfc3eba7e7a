package import MarketModel
import Observation

/// The list of currencies that a market takes.
@Observable
package final class CurrencyModel: Layer {
  package let currencies: [Currency]
  package private(set) var selected: Int

  private let didEnd: (Currency?) -> Void

  /// - Parameter didEnd: takes the chosen currency, or nil where one leaves.
  init(_ currencies: [Currency], selected: Int, didEnd: @escaping (Currency?) -> Void) {
    self.currencies = currencies
    self.selected = selected
    self.didEnd = didEnd
  }

  package func move(by distance: Int) {
    selected = (selected + distance).clamped(to: 0...max(0, currencies.count - 1))
  }

  package func choose() { didEnd(currencies[selected]) }

  package func cancel() { didEnd(nil) }
}
