package import MarketModel
import Observation

/// The list of what one may choose for a field, as of currencies.
@Observable
package final class ChoiceModel: Dialog {
  package let reply = Reply<String>()
  package let field: ProductField
  /// Codes and names, as the form holds them.
  package let choices: [String]
  package private(set) var selected: Int

  init(_ choices: [String], selected: Int, of field: ProductField) {
    self.field = field
    self.choices = choices
    self.selected = selected
  }

  package func move(by distance: Int) {
    selected = (selected + distance).clamped(to: 0...max(0, choices.count - 1))
  }

  package func choose() { reply.give(choices[selected]) }

  package func cancel() { reply.give(nil) }
}
