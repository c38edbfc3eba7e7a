internal import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

extension PersonalListModel: ViewedLayer {
  package func view(in frame: Frame) -> PersonalListView {
    PersonalListView(model: self, frame: frame)
  }
}

/// List of the personal data of all markets in tabs, with a preview of the selected line.
package struct PersonalListView: FullListView {
  package let model: PersonalListModel
  package let frame: Frame

  package static var screenName: Phrase? { .keyFavorites }
  package static let bindings = BindingTable<PersonalListView>(
    doing + tabs
      + SharedBindings.copying(offered: \.hasProduct) { $0.model.copySelected(as: $1) }
      + SharedBindings.alerts(when: \.model.mayWait) { $0.model.beginAlert() }
      + [SharedBindings.openFavorites(), SharedBindings.history()]
      + SharedBindings.list(back: [.escape, "q", .backspace]))

  private static let doing: [Binding<PersonalListView>] = [
    Binding("open", [.enter], .keyOpen, footer: 10, offered: \.hasSelection) { $0.choose() }
      .needing(.paletteListEmpty),
    Binding(
      "remove-alert", [.delete, "D"], .keyRemoveAlert, footer: 20, isDestructive: true,
      when: \.isOnAlert
    ) { $0.model.removeSelected() },
    Binding(
      "forget-viewed", [.delete, "D"], .keyForgetViewed, footer: 20, isDestructive: true,
      when: \.isOnViewed
    ) { $0.model.removeSelected() },
    Binding(
      "toggle-favorite", ["*", .delete], .keyAddFavorite, footer: 20,
      when: \.model.isSelectedRemoved
    ) { $0.model.toggleSelected() },
    Binding(
      "forget-search", [.delete, "D", "*"], .keyForgetSearch, footer: 20, isDestructive: true,
      when: \.isOnSearch
    ) { $0.model.toggleSelected() },
    Binding(
      "toggle-favorite", ["*", .delete], .keyRemoveFavorite, footer: 20,
      when: \.isAmongFavorites, offered: \.hasSelection
    ) { $0.model.toggleSelected() }.needing(.paletteListEmpty),
    Binding("note", ["n"], .keyNote, footer: 30, offered: \.model.mayWrite) {
      $0.model.beginNote()
    }.needing { $0.hasSelection ? .paletteNothingSelected : .paletteListEmpty },
    Binding("refresh", ["r", .control("r"), .function(5)], .keyRefresh, footer: 55) {
      $0.navigator.refresh()
    },
  ]

  private static let tabs: [Binding<PersonalListView>] = [
    Binding("next-tab", [.tab], .keyNextTab, footer: 40) { $0.model.showNextTab() },
    Binding("previous-tab", [.backTab], .keyPreviousTab) { $0.model.showNextTab(by: -1) },
    Binding("saved-searches", ["s"], .keySavedSearches) { $0.model.show(.searches) },
  ].grouped(.browse)

  package static var opens: [any LayerView.Type] {
    [DetailView.self, PromptView.self, MenuView.self, NarrowingView.self]
  }

  private var isOnAlert: Bool { model.tab == .alerts && hasItems }
  private var isOnViewed: Bool { model.tab == .viewed && hasItems }
  private var isOnSearch: Bool { model.tab == .searches && hasItems }
  private var isAmongFavorites: Bool { model.tab == .favorites }
  private var hasSelection: Bool { model.selected != nil }
  private var hasProduct: Bool { model.selectedRow != nil }

  package var followsLinks: Bool { true }

  package var title: WindowTitle? {
    let strings = context.strings
    let asking = model.asking.isEmpty ? nil : strings[.favoritesLoading]
    let silent =
      model.silent.isEmpty ? nil : strings.counted(.favoritesUnresponsive, model.silent.count)
    let tabs = model.tabs.map { tab in
      let count = model.count(of: tab).map { " " + SafeText($0) }
      return WindowTitle.Tab(
        text: strings[tab.title] + (count ?? .empty), command: tab.command,
        isChosen: tab == model.tab)
    }
    return WindowTitle(
      strings[model.tab.title], tabs: tabs,
      note: model.tab == .favorites
        ? [asking, silent].compactMap(\.self).joined(separator: " · ") : .empty)
  }

  package var emptyText: SafeText {
    switch model.tab {
    case .favorites: context.strings[.favoritesEmpty]
    case .searches: context.strings[.noSavedSearches]
    case .alerts: context.strings[.noAlerts]
    case .viewed: context.strings[.historyEmpty]
    }
  }

  package var listLayout: FullListLayout {
    model.isReading ? FullListLayout(onlyPreviewIn: frame.body) : usualLayout
  }

  /// Filters the lines; favorites are found by the store.
  package func fillList() {
    guard model.tab == .favorites else { return fillListByWords() }
    model.narrow(to: list.words)
    model.fill()
  }

  package func text(of heading: PersonalHeading) -> SafeText {
    let phrase: Phrase =
      switch heading {
      case .sellers: .favoriteSellers
      case .triggered: .alertsTriggered
      case .waiting: .alertsWaiting
      case .today: .historyToday
      case .yesterday: .historyYesterday
      case .earlier: .historyEarlier
      }
    return context.strings[phrase]
  }

  package func words(of line: PersonalLine) -> [SafeText] { facts(of: line).map(\.text) }

  package func choose(_ line: PersonalLine) { model.open(line) }

  package func leave() { model.leave() }

  // MARK: Drawing

  package func draw(_ line: PersonalLine, in row: ListRow, on canvas: inout Canvas) {
    PersonalLineView(
      line: line, model: model, row: row,
      marketColumns: PersonalLineView.marketColumns(for: model.markets, context), here: navigator
    ).draw(on: &canvas)
  }

  package func facts(of line: PersonalLine) -> [ListFact] {
    PersonalFacts(line, model, context)?.facts ?? []
  }

  /// Line that the preview shows; among favorites it lags behind the selection.
  package var previewed: PersonalLine? {
    model.tab == .favorites ? model.followed : list.selected
  }

  package func picture(of line: PersonalLine) -> PreviewPicture { model.picture(of: line) }

  package func product(of line: PersonalLine) -> ListedProduct? { model.previewedProduct(of: line) }

  package func paragraphs(of line: PersonalLine) -> [SafeText] {
    model.row(of: line)?.paragraphs ?? []
  }
}

extension PersonalTab {
  fileprivate var title: Phrase {
    switch self {
    case .favorites: .favoritesTitle
    case .searches: .savedSearchesTitle
    case .alerts: .alertsTitle
    case .viewed: .historyTitle
    }
  }

  /// Name of the command that shows the tab.
  fileprivate var command: String {
    switch self {
    case .favorites: "favorites"
    case .searches: "saved-searches"
    case .alerts: SharedBindings.alertsName
    case .viewed: "history"
    }
  }
}

extension SharedBindings {
  /// Keys that add and remove the chosen product or seller as a favorite, and open the favorites.
  static func favorites<V: LayerView>(
    when applies: ((V) -> Bool)? = nil
  ) -> [Binding<V>] {
    let words: [(Phrase, ChosenFacts.Favorite)] = [
      (.keyAddFavorite, .product(isKept: false)), (.keyRemoveFavorite, .product(isKept: true)),
      (.keyFollowSeller, .seller(isKept: false)), (.keyUnfollowSeller, .seller(isKept: true)),
    ]
    return words.map { phrase, favorite in
      let row = Binding<V>(
        "toggle-favorite", ["*"], phrase, footer: 76,
        when: { applies?($0) != false && $0.frame.chosen.favorite == favorite }
      ) { $0.navigator.toggleFavorite() }
      .grouped(.product).needing(.paletteNoProduct)
      // Whether the seller is followed shows on the seller's page.
      return favorite == .seller(isKept: false) ? row.following(sellerName) : row
    } + [openFavorites()]
  }

  static func openFavorites<V: LayerView>() -> Binding<V> {
    Binding("favorites", ["i"], .keyFavorites) { $0.navigator.openPersonalList(.favorites) }
      .grouped(.browse)
  }

  /// Keys for the alert menu of the shown item, where `when` allows an alert and `begin` opens the
  /// menu, and for the list of alerts.
  static func alerts<V: LayerView>(
    when applies: ((V) -> Bool)? = nil,
    begin: @escaping (V) -> Void = { $0.navigator.beginAlert() }
  ) -> [Binding<V>] {
    let isSaved = { (view: V) in view.navigator.program.alerts != nil }
    return [
      Binding(
        "add-alert", ["t"], .keyAddAlert, footer: 78,
        when: { isSaved($0) && applies?($0) != false }
      ) { begin($0) }
      .grouped(.product).needing(.paletteNoProduct),
      Binding(alertsName, ["T"], .keyAlerts, when: isSaved) {
        $0.navigator.openPersonalList(.alerts)
      }
      .grouped(.browse),
    ]
  }

  /// Name of the command that opens the list of alerts; the alert mark in the top bar runs it.
  static let alertsName = "alerts"

  /// Key that opens the list of viewed products.
  static func history<V: LayerView>() -> Binding<V> {
    Binding(
      "history", ["H", .function(4)], .historyTitle, when: { $0.navigator.program.personal != nil }
    ) { $0.navigator.openPersonalList(.viewed) }
    .grouped(.browse)
  }
}
