internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

extension SavedSearchesModel: ViewedLayer {
  package func view(in frame: Frame) -> SavedSearchesView {
    SavedSearchesView(model: self, frame: frame)
  }
}

/// The list of searches that have a name.
package struct SavedSearchesView: MenuLayerView {
  package let model: SavedSearchesModel
  package let frame: Frame

  package static let bindings = BindingTable<SavedSearchesView>(
    [
      Binding("choose", [.enter], .keyChoose, footer: 10, offered: \.hasSearches) {
        $0.choose(nil)
      },
      Binding(
        "forget-search", [.delete, "D"], .keyForgetSearch, footer: 20, isDestructive: true,
        offered: \.hasSearches
      ) { $0.model.forgetSelected() },
      Binding("add-alert", ["t"], .keyAddAlert, footer: 25, offered: \.hasSearches) { $0.watch() },
      SharedBindings.cancel(footer: 30) { $0.close() },
    ] + SharedBindings.choosing { $0.moveSelection(by: $1) }
      + SharedBindings.ends { $0.moveSelection(by: $1) })
  package static var opens: [any LayerView.Type] { [MenuView.self] }
  package static var takesOwnKeys: Bool { false }

  private var hasSearches: Bool { model.searches?.isEmpty == false }

  package var box: ChoiceBox {
    let searches = model.searches ?? []
    let strings = context.strings
    return ChoiceBox(
      title: strings[.savedSearchesTitle],
      lines: searches.isEmpty
        ? [(strings[model.searches == nil ? .loading : .noSavedSearches], .empty)]
        : searches.map { (SafeText($0.name), SafeText($0.text)) },
      selected: searches.isEmpty ? nil : model.selected, bounds: frame.body, context: context)
  }

  /// Waits for what is new of the selected search.
  private func watch() {
    if let search = model.selectedSearch { navigator.beginAlert(for: search) }
  }

  package func moveSelection(by distance: Int) { model.move(by: distance) }

  package func choose(_ index: Int?) {
    if let index { model.move(by: index - model.selected) }
    model.choose()
  }
}
