internal import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

extension FavoritesListModel: ViewedLayer {
  package func view(in frame: Frame) -> FavoritesView { FavoritesView(model: self, frame: frame) }
}

/// List of the favorites of all markets, with a preview of the selected one.
package struct FavoritesView: FullListView {
  package let model: FavoritesListModel
  package let frame: Frame

  package static var screenName: Phrase? { .keyFavorites }
  package static let bindings = BindingTable<FavoritesView>(
    doing
      + SharedBindings.copying(offered: \.hasProduct) { $0.model.copySelected(as: $1) }
      + SharedBindings.alerts(when: \.model.mayWait) { $0.model.beginAlert() }
      + [SharedBindings.history()]
      + SharedBindings.list(back: [.escape, "q", .backspace, "i"]))

  private static let doing: [Binding<FavoritesView>] = [
    Binding("open", [.enter], .keyOpen, footer: 10, offered: \.hasSelection) {
      $0.choose()
    },
    Binding(
      "remove-alert", [.delete, "D"], .keyRemoveAlert, footer: 20, isDestructive: true,
      when: \.model.hasAlertSelected
    ) { $0.model.forgetAlert() },
    Binding(
      "toggle-favorite", ["*", .delete], .keyAddFavorite, footer: 20,
      when: \.model.isSelectedRemoved
    ) {
      $0.model.toggleSelected()
    },
    Binding("toggle-favorite", ["*", .delete], .keyRemoveFavorite, footer: 20, offered: \.mayLetGo)
    {
      $0.model.toggleSelected()
    },
    Binding("note", ["n"], .keyNote, footer: 30, offered: \.model.mayWrite) {
      $0.model.beginNote()
    },
    Binding("refresh", ["r", .control("r"), .function(5)], .keyRefresh, footer: 60) {
      $0.navigator.refresh()
    },
  ]

  package static var opens: [any LayerView.Type] {
    [DetailView.self, PromptView.self, MenuView.self, NarrowingView.self]
  }

  private var hasSelection: Bool { model.selected != nil }
  private var hasProduct: Bool { model.selectedRow != nil }
  private var mayLetGo: Bool { hasSelection && !model.hasAlertSelected }

  package var followsLinks: Bool { true }

  package var title: WindowTitle? {
    let strings = context.strings
    let count = model.sections.filter { $0.heading != .triggeredAlerts }
      .reduce(0) { $0 + $1.items.count }
    let asking = model.asking.isEmpty ? nil : strings[.favoritesLoading]
    let silent =
      model.silent.isEmpty ? nil : strings.counted(.favoritesUnresponsive, model.silent.count)
    let counted = list.isRead ? strings.counted(.favoritesCount, count) : nil
    return WindowTitle(
      strings[.favoritesTitle],
      note: [asking, silent, counted].compactMap(\.self).joined(separator: " · "))
  }

  package var emptyText: SafeText { context.strings[.favoritesEmpty] }

  package var listLayout: FullListLayout {
    model.isReading
      ? FullListLayout(onlyPreviewIn: frame.body) : FullListLayout(frame, rows: allRows)
  }

  /// Reads the rows that match the search words.
  package func fillList() {
    model.narrow(to: list.words)
    model.fill()
  }

  package func text(of part: FavoriteLine.Part) -> SafeText {
    switch part {
    case .triggeredAlerts: context.strings[.alertsTriggered]
    case .products: context.strings[.favoriteProducts]
    case .sellers: context.strings[.favoriteSellers]
    case .searches: context.strings[.savedSearchesTitle]
    }
  }

  package func words(of line: FavoriteLine) -> [SafeText] { [] }

  package func choose(_ line: FavoriteLine) { model.open(line) }

  package func leave() { model.leave() }

  // MARK: Drawing

  package func draw(_ line: FavoriteLine, in row: ListRow, on canvas: inout Canvas) {
    FavoriteLineView(
      line: line, model: model, row: row,
      marketColumns: FavoriteLineView.marketColumns(for: model.markets, context)
    ).draw(on: &canvas)
  }

  package func facts(of line: FavoriteLine) -> [ListFact] {
    guard let item = model.item(of: line) else { return [] }
    let (facts, theme) = (FavoriteFacts(item, model, context), context.theme)
    return [
      ListFact(text: item.name, style: theme.strong),
      ListFact(text: facts.standing, style: facts.isTrouble ? theme.warning : theme.secondary),
    ] + [facts.note].compactMap(\.self).map { ListFact(text: $0, style: theme.text) }
  }

  /// Row that the preview follows; it lags behind the selection.
  package var previewed: FavoriteLine? { model.followed }

  package func drawPreview(
    of line: FavoriteLine, in rect: CellRect, on canvas: inout Canvas
  ) {
    preview(of: line, in: rect)?.draw(on: &canvas, from: frame.gallery)
  }

  private func preview(of line: FavoriteLine, in rect: CellRect) -> FavoritePreview? {
    model.item(of: line).map { item in
      FavoritePreview(
        item: item, row: model.row(of: line), facts: FavoriteFacts(item, model, context),
        rect: rect, context: context)
    }
  }

  package var wants: [PictureWant] {
    let rect = listLayout.preview
    guard !rect.isEmpty, let line = model.followed else { return [] }
    return [preview(of: line, in: rect)?.picture.want].compactMap(\.self)
  }
}

extension SharedBindings {
  /// Keys that add and remove the chosen product or seller as a favorite, and open the favorites.
  static func favorites<V: LayerView>(
    when applies: ((V) -> Bool)? = nil
  ) -> [Binding<V>] {
    let words: [(Phrase, ChosenFacts.Favorite)] = [
      (.keyUnfollowSeller, .seller(isKept: true)), (.keyFollowSeller, .seller(isKept: false)),
      (.keyRemoveFavorite, .product(isKept: true)), (.keyAddFavorite, .product(isKept: false)),
    ]
    return words.map { phrase, favorite in
      Binding(
        "toggle-favorite", ["*"], phrase, footer: 76,
        when: { applies?($0) != false && $0.frame.chosen.favorite == favorite }
      ) { $0.navigator.toggleFavorite() }
      .grouped(.product).needing(.paletteNoProduct)
    } + [
      Binding("favorites", ["i"], .keyFavorites) { $0.navigator.openFavorites() }.grouped(.browse)
    ]
  }
}
