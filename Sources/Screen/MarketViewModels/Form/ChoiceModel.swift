package import MarketModel
import Observation

/// The list of what one may choose for a field, as of currencies.
@Observable
package final class ChoiceModel: Layer {
  package let field: ProductField
  /// Codes and names, as the form holds them.
  package let choices: [String]
  package private(set) var selected: Int

  private let didEnd: (String?) -> Void

  /// A list that ends with what was chosen, or with nothing.
  init(
    _ choices: [String], selected: Int, of field: ProductField,
    didEnd: @escaping (String?) -> Void
  ) {
    self.field = field
    self.choices = choices
    self.selected = selected
    self.didEnd = didEnd
  }

  package func move(by distance: Int) {
    selected = (selected + distance).clamped(to: 0...max(0, choices.count - 1))
  }

  package func choose() { didEnd(choices[selected]) }

  package func cancel() { didEnd(nil) }
}
