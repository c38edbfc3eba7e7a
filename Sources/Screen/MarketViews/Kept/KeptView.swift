internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeText
package import TerminalKit

extension KeptModel: ViewedLayer {
  package func view(in frame: Frame) -> KeptView { KeptView(model: self, frame: frame) }
}

/// What a person keeps, over all markets: rows with the market behind them, and of the selected one
/// what is known of it, beside the rows in wide windows and in two lines under them in others.
package struct KeptView: LayerView {
  package let model: KeptModel
  package let frame: Frame

  package static let bindings = BindingTable<KeptView>(
    doing
      + SharedBindings.copying(offered: \.hasProduct) { $0.model.copySelected(as: $1) }
      + SharedBindings.waits(when: \.model.mayWait) { $0.model.beginWait() } + moving
      + SharedBindings.paging { $0.model.move($1, times: $2 ?? 1) }
      + SharedBindings.general() + [SharedBindings.quit()])

  private static let doing: [Binding<KeptView>] = [
    Binding("open", [.enter], .keyOpen, footer: 10, offered: \.hasSelection) {
      $0.model.openSelected()
    },
    Binding(
      "remove-alert", [.delete, "D"], .keyEndWait, footer: 20, isDestructive: true,
      when: \.model.hasHitSelected
    ) { $0.model.forgetHit() },
    Binding("toggle-favorite", ["*", .delete], .keyKeep, footer: 20, when: \.model.isSelectedLetGo)
    {
      $0.model.toggleSelected()
    },
    Binding("toggle-favorite", ["*", .delete], .keyLetGo, footer: 20, offered: \.mayLetGo) {
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
  private static let leave: (KeptView, Int?) -> Void = { view, _ in view.model.leave() }

  private static let moving: [Binding<KeptView>] = [
    .counted("up", [.up, "k", .control("p")], .keyUp) { $0.model.move(.up, times: $1 ?? 1) }
      .grouped(.move),
    .counted("down", [.down, "j", .control("n")], .keyDown) {
      $0.model.move(.down, times: $1 ?? 1)
    }.grouped(.move),
  ]

  package static var opens: [any LayerView.Type] {
    [DetailView.self, KeptNoteView.self, KeptSearchView.self, WaitMenuView.self]
  }

  private var hasSelection: Bool { model.selected != nil }
  private var hasProduct: Bool { model.selectedRow != nil }
  private var mayLetGo: Bool { hasSelection && !model.hasHitSelected }
  private var hasList: Bool { model.lines?.isEmpty == false || !model.words.isEmpty }

  package var coversBody: Bool { true }
  package var followsLinks: Bool { true }
  package var takesCounts: Bool { true }

  package var title: WindowTitle? {
    let strings = context.strings
    let words = SafeText(model.words)
    let count = model.lines.map { strings.counted(.keptCount, $0.itemCount) }
    let asking = model.asking.isEmpty ? nil : strings[.keptAsking]
    let silent =
      model.silent.isEmpty ? nil : strings.counted(.keptSilent, model.silent.count)
    return WindowTitle(
      words.isEmpty ? strings[.keptTitle] : strings(.keptNarrowed, words),
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

  private struct Places {
    let list: CellRect
    var divider = CellRect.zero
    var preview = CellRect.zero
    var foot = CellRect.zero
  }

  private var places: Places {
    let body = frame.body
    if model.isReading {
      let margin = ScreenLayout.margin
      return Places(list: .zero, preview: body.inset(left: margin, right: margin))
    }
    if body.columns >= Self.sideBySideColumns, !context.isPlain {
      let (list, side) = body.splitLeft(body.columns * 3 / 5)
      let (divider, preview) = side.inset(left: 1).splitLeft(1)
      return Places(list: list, divider: divider, preview: preview.inset(left: 1, right: 1))
    }
    guard body.rows >= Self.rowsWithFoot else { return Places(list: body) }
    let (list, foot) = body.splitBottom(Self.footRows)
    return Places(list: list, foot: foot)
  }

  // MARK: Drawing

  package func draw(on canvas: inout Canvas) {
    let places = places
    guard let lines = model.lines else { return }
    let marketColumns = KeptLine.marketColumns(for: model.markets, context)
    guard !lines.isEmpty else { return drawNothing(on: &canvas) }
    let viewport = model.viewport
    for index in viewport.visibleWithCutRow where !places.list.isEmpty {
      let row = index - viewport.topRow
      guard row < places.list.rows, let line = lines[index] else { continue }
      KeptLine(
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
    let facts = KeptFacts(item, model, context)
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
      model.words.isEmpty ? strings[.keptNothing] : strings(.keptNothingFits, SafeText(model.words))
    let body = frame.body.inset(left: 2, right: 2)
    let lines = text.wrapped(toColumns: max(1, min(60, body.columns)))
    let top = context.isPlain ? 0 : max(0, (body.rows - lines.count) / 3)
    for (row, line) in lines.prefix(max(0, body.rows - top)).enumerated() {
      let place = body.row(top + row)
      let start = context.isPlain ? 0 : max(0, (body.columns - line.columns) / 2)
      canvas.write(
        line, at: place.origin.moved(columns: start), style: context.theme.secondary)
    }
  }

  /// What is known of the one that was selected a moment ago.
  private var preview: KeptPreview? {
    model.shownBeside.map { (item, row) in
      KeptPreview(
        item: item, row: row, facts: KeptFacts(item, model, context),
        rect: places.preview, context: context)
    }
  }

  package var wants: [PictureWant] {
    places.preview.isEmpty ? [] : [preview?.picture.want].compactMap(\.self)
  }
}

extension SharedBindings {
  /// Keeping the chosen product or the seller, and what is kept.
  static func keeping<V: LayerView>(
    when applies: @escaping (V) -> Bool = { _ in true }
  ) -> [Binding<V>] {
    let mayKeep = { (view: V) in applies(view) && view.navigator.mayKeep }
    let isKept = { (view: V) in mayKeep(view) && view.navigator.isChosenKept }
    return [
      Binding("toggle-favorite", ["*"], .keyLetGo, when: isKept) { $0.navigator.toggleKept() }
        .grouped(.product).needing(.paletteNoProduct),
      Binding("toggle-favorite", ["*"], .keyKeep, when: mayKeep) { $0.navigator.toggleKept() }
        .grouped(.product).needing(.paletteNoProduct),
      Binding("favorites", ["i"], .keyKept) { $0.navigator.openKept() }.grouped(.browse),
    ]
  }
}

extension Phrase {
  static var keyKept: Phrase { .named() }
  static var keyNote: Phrase { .named() }
  static var keptTitle: Phrase { .named() }
  static var keptNarrowed: Phrase { .named() }
  static var keptCount: Phrase { .named() }
  static var keptAsking: Phrase { .named() }
  static var keptSilent: Phrase { .named() }
  static var keptNothing: Phrase { .named() }
  static var keptNothingFits: Phrase { .named() }
}
