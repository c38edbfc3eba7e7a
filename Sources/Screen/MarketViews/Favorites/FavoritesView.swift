internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension FavoritesListModel: ViewedLayer {
  package func view(in frame: Frame) -> FavoritesView { FavoritesView(model: self, frame: frame) }
}

/// What a person keeps, over all markets: rows with the market behind them, and of the selected one
/// what is known of it, beside the rows in wide windows and in two lines under them in others.
package struct FavoritesView: LayerView {
  package let model: FavoritesListModel
  package let frame: Frame

  package static let bindings = BindingTable<FavoritesView>(
    doing
      + SharedBindings.copying(offered: \.hasProduct) { $0.model.copySelected(as: $1) }
      + SharedBindings.alerts(when: \.model.mayWait) { $0.model.beginAlert() } + moving
      + SharedBindings.paging { $0.model.move($1, times: $2 ?? 1) }
      + SharedBindings.general() + [SharedBindings.quit()])

  private static let doing: [Binding<FavoritesView>] = [
    Binding("open", [.enter], .keyOpen, footer: 10, offered: \.hasSelection) {
      $0.model.openSelected()
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
    Binding("search", ["/"], .keySearch, footer: 40, offered: \.hasList) { $0.model.beginSearch() },
    SharedBindings.back([.escape, "q", .backspace, "i"], footer: 50, leave),
    Binding("refresh", ["r", .control("r"), .function(5)], .keyRefresh, footer: 60) {
      $0.navigator.refresh()
    },
  ]

  /// Back to the list, to all of it, and to where it was opened.
  private static let leave: (FavoritesView, Int?) -> Void = { view, _ in view.model.leave() }

  private static let moving: [Binding<FavoritesView>] = [
    .counted("up", [.up, "k", .control("p")], .keyUp) { $0.model.move(.up, times: $1 ?? 1) }
      .grouped(.move),
    .counted("down", [.down, "j", .control("n")], .keyDown) {
      $0.model.move(.down, times: $1 ?? 1)
    }.grouped(.move),
  ]

  package static var opens: [any LayerView.Type] {
    [DetailView.self, PromptView.self, MenuView.self]
  }

  private var hasSelection: Bool { model.selected != nil }
  private var hasProduct: Bool { model.selectedRow != nil }
  private var mayLetGo: Bool { hasSelection && !model.hasAlertSelected }
  private var hasList: Bool { model.lines?.isEmpty == false || !model.words.isEmpty }

  package var coversBody: Bool { true }
  package var followsLinks: Bool { true }
  package var takesCounts: Bool { true }

  package var title: WindowTitle? {
    let strings = context.strings
    let words = SafeText(model.words)
    let count = model.lines.map { strings.counted(.favoritesCount, $0.itemCount) }
    let asking = model.asking.isEmpty ? nil : strings[.favoritesLoading]
    let silent =
      model.silent.isEmpty ? nil : strings.counted(.favoritesUnresponsive, model.silent.count)
    return WindowTitle(
      words.isEmpty ? strings[.favoritesTitle] : strings(.favoritesNarrowed, words),
      note: [asking, silent, count].compactMap(\.self).joined(separator: " · "))
  }

  package func layOut() { model.didLayOut(rows: max(1, places.list.rows)) }

  package func scroll(by notches: Int) -> Bool {
    model.move(notches < 0 ? .up : .down, times: abs(notches) * 3)
    return true
  }

  /// A click selects a row; one on what is selected opens it.
  package func press(at point: CellPoint) -> Bool {
    guard let line = line(at: point) else { return false }
    if line == model.viewport.selected { model.openSelected() } else { model.select(line) }
    return true
  }

  package func select(at point: CellPoint) -> Bool {
    guard let line = line(at: point) else { return false }
    model.select(line)
    return true
  }

  private func line(at point: CellPoint) -> Int? {
    let list = places.list
    guard list.contains(point), !model.isReading else { return nil }
    let line = model.viewport.topRow + point.row - list.minRow
    return model.lines?[line] == nil ? nil : line
  }

  // MARK: Places

  /// From this width on what is known of the selected one stands beside the rows.
  private static let sideBySideColumns = 120
  /// Lines under the rows, with the rule above them, and rows of a window that has room for these.
  private static let (footRows, rowsWithFoot) = (3, 8)

  private struct Areas {
    let list: CellRect
    var divider = CellRect.zero
    var preview = CellRect.zero
    var foot = CellRect.zero
  }

  private var places: Areas {
    let body = frame.body
    if model.isReading {
      let margin = ScreenLayout.margin
      return Areas(list: .zero, preview: body.inset(left: margin, right: margin))
    }
    if body.columns >= Self.sideBySideColumns, !context.isPlain {
      let (list, side) = body.splitLeft(body.columns * 3 / 5)
      let (divider, preview) = side.inset(left: 1).splitLeft(1)
      return Areas(list: list, divider: divider, preview: preview.inset(left: 1, right: 1))
    }
    guard body.rows >= Self.rowsWithFoot else { return Areas(list: body) }
    let (list, foot) = body.splitBottom(Self.footRows)
    return Areas(list: list, foot: foot)
  }

  // MARK: Drawing

  package func draw(on canvas: inout Canvas) {
    let places = places
    guard let lines = model.lines else { return }
    let marketColumns = FavoriteLineView.marketColumns(for: model.markets, context)
    guard !lines.isEmpty else { return drawNothing(on: &canvas) }
    let viewport = model.viewport
    for index in viewport.visibleWithCutRow where !places.list.isEmpty {
      let row = index - viewport.topRow
      guard row < places.list.rows, let line = lines[index] else { continue }
      FavoriteLineView(
        line: line, model: model, isSelected: index == viewport.selected,
        rect: places.list.row(row), marketColumns: marketColumns, context: context
      ).draw(on: &canvas)
    }
    canvas.verticalRule(
      at: places.divider.origin, rows: places.divider.rows, style: context.theme.rule)
    if !places.preview.isEmpty { preview?.draw(on: &canvas, from: frame.gallery) }
    drawFoot(in: places.foot, on: &canvas)
  }

  /// What there is to say of the selected one under the rows: what became of it, and its note.
  private func drawFoot(in rect: CellRect, on canvas: inout Canvas) {
    guard !rect.isEmpty else { return }
    canvas.horizontalRule(at: rect.origin, columns: rect.columns, style: context.theme.rule)
    guard let item = model.selected else { return }
    let facts = FavoriteFacts(item, model, context)
    let lines = rect.inset(left: ScreenLayout.margin, top: 1, right: ScreenLayout.margin)
    let style = facts.isTrouble ? context.theme.warning : context.theme.secondary
    guard let note = facts.note else {
      for (row, line) in facts.standing.wrapped(toColumns: lines.columns).prefix(2).enumerated() {
        canvas.write(line, at: lines.row(row).origin, style: style)
      }
      return
    }
    canvas.write(
      facts.standing.truncated(toColumns: lines.columns), at: lines.origin, style: style)
    canvas.write(
      note.truncated(toColumns: lines.columns), at: lines.row(1).origin, style: context.theme.text)
  }

  private func drawNothing(on canvas: inout Canvas) {
    let strings = context.strings
    let text =
      model.words.isEmpty
      ? strings[.favoritesEmpty] : strings(.favoritesNoMatch, SafeText(model.words))
    let body = frame.body.inset(left: 2, right: 2)
    let lines = text.wrapped(toColumns: max(1, min(60, body.columns)))
    let top = context.isPlain ? 0 : max(0, (body.rows - lines.count) / 3)
    for (row, line) in lines.prefix(max(0, body.rows - top)).enumerated() {
      let position = body.row(top + row)
      let start = context.isPlain ? 0 : max(0, (body.columns - line.columns) / 2)
      canvas.write(
        line, at: position.origin.moved(columns: start), style: context.theme.secondary)
    }
  }

  /// What is known of the one that was selected a moment ago.
  private var preview: FavoritePreview? {
    model.shownBeside.map { (item, row) in
      FavoritePreview(
        item: item, row: row, facts: FavoriteFacts(item, model, context),
        rect: places.preview, context: context)
    }
  }

  package var wants: [PictureWant] {
    places.preview.isEmpty ? [] : [preview?.picture.want].compactMap(\.self)
  }
}

extension SharedBindings {
  /// Keeping the chosen product or the seller, and what is kept.
  static func favorites<V: LayerView>(
    when applies: ((V) -> Bool)? = nil
  ) -> [Binding<V>] {
    let mayFavorite = { (view: V) in applies?(view) != false && view.navigator.mayFavorite }
    let isFavorite = { (view: V) in mayFavorite(view) && view.navigator.isChosenFavorite }
    return [
      Binding("toggle-favorite", ["*"], .keyRemoveFavorite, when: isFavorite) {
        $0.navigator.toggleFavorite()
      }
      .grouped(.product).needing(.paletteNoProduct),
      Binding("toggle-favorite", ["*"], .keyAddFavorite, when: mayFavorite) {
        $0.navigator.toggleFavorite()
      }
      .grouped(.product).needing(.paletteNoProduct),
      Binding("favorites", ["i"], .keyFavorites) { $0.navigator.openFavorites() }.grouped(.browse),
    ]
  }
}
