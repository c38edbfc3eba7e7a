internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension SettingsModel: ViewedLayer {
  package func view(in frame: Frame) -> SettingsView { SettingsView(model: self, frame: frame) }
}

/// Everything that the settings file takes: names, values and what they are, and in a wide window a
/// product as it looks with them.
package struct SettingsView: LayerView {
  package let model: SettingsModel
  package let frame: Frame

  package static let bindings = BindingTable<SettingsView>(
    [
      Binding("choose", [.enter], .keyChoose, footer: 10) { $0.model.change() },
      SharedBindings.back([.escape, "q"], footer: 20),
      Binding(
        "remove-setting", [.delete, "D"], .keyRemoveSetting, footer: 30, isDestructive: true,
        offered: \.model.mayRemove
      ) { $0.model.remove() },
      Binding("undo-setting", ["u"], .keyUndoSetting, footer: 40, offered: \.mayUndo) {
        $0.model.undo()
      },
      Binding("next-section", [.tab], .keyNextSection, footer: 50) {
        $0.model.moveSection(forward: true)
      }.grouped(.move),
      Binding("previous-section", [.backTab], .keyPreviousSection) {
        $0.model.moveSection(forward: false)
      }.grouped(.move),
      Binding("refresh", ["r", .control("r"), .function(5)], .keyRefresh) {
        $0.navigator.refresh()
      }.grouped(.program),
    ]
      + SharedBindings.choosing { $0.model.move(by: $1) }
      + SharedBindings.paging { view, move, _ in view.model.move(move) }
      + SharedBindings.general() + [SharedBindings.quit()])

  package static var opens: [any LayerView.Type] {
    [ChoiceView.self, PromptView.self, SettingKeyView.self]
  }

  package var coversBody: Bool { true }
  package var title: WindowTitle? {
    WindowTitle(context.strings[.settingsTitle], note: model.path)
  }

  private var mayUndo: Bool { model.undoing != nil }
  private var layout: SettingsLayout { SettingsLayout(frame) }

  package func layOut() { model.didLayOut(rows: max(1, layout.list.rows)) }

  // MARK: Mouse

  package func scroll(by notches: Int) -> Bool {
    model.scroll(by: notches * 3)
    return true
  }

  /// A click selects a row; one on what is selected changes it.
  package func press(at point: CellPoint) -> Bool {
    let list = layout.list
    guard list.contains(point) else { return false }
    let line = model.viewport.topRow + point.row - list.minRow
    if line == model.viewport.selected { model.change() } else { model.select(line: line) }
    return true
  }

  // MARK: Drawing

  package var wants: [PictureWant] {
    guard let rect = layout.preview else { return [] }
    return SettingsPreview(product: preview, rect: rect, context: context).wants
  }

  /// The product that shows how things look.
  private var preview: ListedProduct? { navigator.browser.selected }

  package func draw(on canvas: inout Canvas) {
    let layout = layout
    let lines = model.lines
    for index in model.viewport.visible where lines.indices.contains(index) {
      let rect = layout.list.row(index - model.viewport.topRow)
      switch lines[index] {
      case .heading(let section):
        canvas.write(
          context.strings[section.phrase].truncated(toColumns: rect.columns - 2),
          at: rect.origin.moved(columns: 1), style: context.theme.accent)
      case .row(let row):
        draw(model.rows[row], isSelected: index == model.viewport.selected, in: rect, on: &canvas)
      }
    }
    drawNotes(in: layout.notes, on: &canvas)
    guard let rect = layout.preview else { return }
    canvas.verticalRule(at: rect.origin, rows: rect.rows, style: context.theme.rule)
    SettingsPreview(product: preview, rect: rect, context: context)
      .draw(on: &canvas, from: frame.gallery)
  }

  private func draw(
    _ row: SettingRow, isSelected: Bool, in rect: CellRect, on canvas: inout Canvas
  ) {
    guard !rect.isEmpty else { return }
    let theme = context.theme
    let look = { (style: Style) in isSelected ? theme.selected(style) : style }
    if isSelected { canvas.markSelected(rect, theme) }
    let columns = SettingsColumns(rect.columns)
    canvas.write(
      SafeText(row.name).truncated(toColumns: columns.name), at: rect.origin.moved(columns: 2),
      style: look(isSelected ? theme.strong : theme.text))
    var place = rect.origin.moved(columns: columns.valueStart)
    var room = columns.value
    if row.section == .colors, let part = ColorPart(rawValue: row.name), room > 2 {
      canvas.put(.checked, at: place, style: look(theme.swatch(of: part)))
      place = place.moved(columns: 2)
      room -= 2
    }
    let value = SafeText(row.shown).truncated(toColumns: room)
    canvas.write(value, at: place, style: look(row.value == nil ? theme.secondary : theme.strong))
    let note = row.needsRestart ? " · " + context.strings[.settingsNextStart] : .empty
    canvas.write(
      (row.summary + note).truncated(toColumns: columns.summary),
      at: rect.origin.moved(columns: columns.summaryStart), style: look(theme.secondary))
  }

  /// What is selected, in full, and what it takes.
  private func drawNotes(in rect: CellRect, on canvas: inout Canvas) {
    guard !rect.isEmpty, let row = model.selected else { return }
    canvas.horizontalRule(at: rect.origin, columns: rect.columns, style: context.theme.rule)
    let strings = context.strings
    var texts = [row.summary]
    if row.needsRestart { texts.append(strings[.settingsNextStart]) }
    if row.value != nil, !row.standard.isEmpty {
      texts.append(strings(.settingsStandard, SafeText(row.standard)))
    }
    let area = rect.inset(left: 2, top: 1, right: 1)
    let lines = texts.joined(separator: " · ").wrapped(toColumns: max(1, area.columns))
    for (index, line) in lines.prefix(area.rows).enumerated() {
      canvas.write(line, at: area.row(index).origin, style: context.theme.secondary)
    }
  }
}

/// Columns of a row's parts; what has no room is left out.
private struct SettingsColumns {
  let name: Int
  let valueStart: Int
  let value: Int
  let summaryStart: Int
  let summary: Int

  private static let widestName = 20
  private static let (narrowestValue, widestValue) = (18, 24)
  /// A shorter summary says nothing.
  private static let minSummaryLength = 14

  init(_ columns: Int) {
    name = max(0, min(Self.widestName, columns / 2 - 3))
    valueStart = name + 4
    let room = max(0, columns - valueStart - 1)
    let usual = min(Self.widestValue, max(Self.narrowestValue, room / 3))
    let hasSummary = room >= usual + 2 + Self.minSummaryLength
    value = hasSummary ? usual : room
    summaryStart = valueStart + value + 2
    summary = hasSummary ? room - value - 2 : 0
  }
}

extension SettingRow.Section {
  var phrase: Phrase {
    switch self {
    case .options: .settingsOptions
    case .colors: .settingsColorParts
    case .keys: .settingsOwnKeys
    case .servers: .settingsRemembered
    }
  }
}
