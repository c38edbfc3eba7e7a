package import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

extension SavedSearchesModel: ViewedLayer {
  package func view(in frame: Frame) -> SavedSearchesView {
    SavedSearchesView(model: self, frame: frame)
  }
}

/// List of the saved searches.
package struct SavedSearchesView: FullListView {
  package let model: SavedSearchesModel
  package let frame: Frame

  package static let bindings = BindingTable<SavedSearchesView>(
    [
      Binding("choose", [.enter], .keyChoose, footer: 10, offered: \.hasItems) { $0.choose() },
      Binding(
        "forget-search", [.delete, "D"], .keyForgetSearch, footer: 20, isDestructive: true,
        offered: \.hasItems
      ) { $0.model.forgetSelected() },
      Binding("add-alert", ["t"], .keyAddAlert, footer: 25, offered: \.hasItems) { view in
        if let search = view.list.selected { view.navigator.beginAlert(for: search) }
      },
    ] + SharedBindings.list(back: [.escape, "q", .control("c")], footer: 30))
  package static var opens: [any LayerView.Type] { [MenuView.self] }

  package var title: WindowTitle? { WindowTitle(context.strings[.savedSearchesTitle]) }
  package var emptyText: SafeText { context.strings[.noSavedSearches] }

  package func text(of heading: Never) -> SafeText {}

  package func words(of search: SavedSearch) -> [SafeText] { facts(of: search).map(\.text) }

  package func choose(_ search: SavedSearch) { model.choose(search) }

  package func draw(_ search: SavedSearch, in row: ListRow, on canvas: inout Canvas) {
    ListLine(text: SafeText(search.name), remark: SafeText(search.text), isNumbered: false)
      .draw(in: row, on: &canvas)
  }

  package func facts(of search: SavedSearch) -> [ListFact] {
    [
      ListFact(text: SafeText(search.name), style: context.theme.strong),
      ListFact(text: SafeText(search.text), style: context.theme.text),
    ]
  }
}
