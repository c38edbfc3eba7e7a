internal import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

extension SettingsModel: ViewedLayer {
  package func view(in frame: Frame) -> SettingsView { SettingsView(model: self, frame: frame) }
}

/// List of all settings of the settings file with their values, and for the selected one a description
/// and a preview.
package struct SettingsView: FullListView {
  package let model: SettingsModel
  package let frame: Frame

  package static var screenName: Phrase? { .settingsTitle }
  package static let bindings = BindingTable<SettingsView>(
    [
      Binding("choose", [.enter], .keyChoose, footer: 10, offered: \.hasItems) { $0.choose() }
        .needing(.paletteListEmpty),
      Binding(
        "remove-setting", [.delete, "D"], .keyRemoveSetting, footer: 30, isDestructive: true,
        offered: \.model.mayRemove
      ) { $0.model.remove() }.needing(.paletteNothingSelected),
      Binding("undo-setting", ["u"], .keyUndoSetting, footer: 40, offered: \.mayUndo) {
        $0.model.undo()
      }.needing(.hintNothingToUndo),
      Binding("next-section", [.tab], .keyNextSection, footer: 50) {
        $0.list.moveSection(forward: true)
      }.grouped(.move),
      Binding("previous-section", [.backTab], .keyPreviousSection) {
        $0.list.moveSection(forward: false)
      }.grouped(.move),
      Binding("refresh", ["r", .control("r"), .function(5)], .keyRefresh) {
        $0.navigator.refresh()
      }.grouped(.program),
    ] + SharedBindings.list(footer: 20))

  package static var opens: [any LayerView.Type] {
    [ChoiceView.self, PromptView.self, SettingKeyView.self, NarrowingView.self]
  }

  // Digits belong to values, not to counts.
  package var takesCounts: Bool { false }
  package var title: WindowTitle? {
    WindowTitle(context.strings[.settingsTitle], note: model.path)
  }
  package var emptyText: SafeText { .empty }

  private var mayUndo: Bool { model.undoing != nil }

  package func text(of heading: SettingRow.Heading) -> SafeText {
    let section = context.strings[heading.section.phrase]
    return heading.screen.map { section + " · " + $0 } ?? section
  }

  package func words(of row: SettingRow) -> [SafeText] {
    [row.label, SafeText(row.name), row.summary, row.shownText(context.strings)]
      + [Self.otherWords["setting." + row.name]].compactMap(\.self).map { SafeText($0) }
  }

  /// Further search words of the settings, in both languages.
  private static let otherWords = PaletteWords.read()

  package func choose(_ row: SettingRow) { model.change() }

  // MARK: Drawing

  package func draw(_ setting: SettingRow, in row: ListRow, on canvas: inout Canvas) {
    let (rect, theme) = (row.rect, row.context.theme)
    guard !rect.isEmpty else { return }
    if row.isSelected { canvas.markSelected(rect, theme) }
    let columns = SettingsColumns(rect.columns)
    canvas.write(
      setting.label.truncated(toColumns: columns.label), at: rect.origin.moved(columns: 2),
      style: row.nameStyle)
    var place = rect.origin.moved(columns: columns.valueStart)
    var room = columns.value
    if let part = ColorPart(of: setting), room > 2 {
      canvas.put(.checked, at: place, style: row.rowStyle(theme.swatch(of: part)))
      place = place.moved(columns: 2)
      room -= 2
    }
    canvas.write(
      setting.shownText(context.strings).truncated(toColumns: room), at: place,
      style: row.rowStyle(
        setting.conflict != nil
          ? theme.warning : setting.value == nil ? theme.secondary : theme.strong))
    canvas.write(
      SafeText(setting.name).truncated(toColumns: columns.name),
      at: rect.origin.moved(columns: columns.nameStart), style: row.rowStyle(theme.secondary))
  }

  package func facts(of row: SettingRow) -> [ListFact] {
    let (strings, theme) = (context.strings, context.theme)
    var texts = [row.summary]
    if row.needsRestart { texts.append(strings[.settingsNextStart]) }
    if row.value != nil, !row.standard.isEmpty {
      texts.append(strings(.settingsStandard, row.text(of: row.standard, strings)))
    }
    return [
      ListFact(text: row.label, style: theme.strong),
      ListFact(text: texts.joined(separator: " · "), style: theme.secondary),
      ListFact(text: row.conflict ?? .empty, style: theme.warning),
    ]
  }

  package func drawPreview(of row: SettingRow, in rect: CellRect, on canvas: inout Canvas) {
    _ = draw(facts(of: row), in: rect, on: &canvas)
    if row.changesLook { sample(in: rect).draw(on: &canvas, from: frame.gallery) }
  }

  /// Preview below the facts of the selected setting.
  private func sample(in rect: CellRect) -> SettingsPreview {
    SettingsPreview(
      product: navigator.browser.selected, rect: rect.inset(top: min(6, rect.rows)),
      context: context)
  }

  package var wants: [PictureWant] {
    let rect = listLayout.preview
    guard !rect.isEmpty, previewed?.changesLook == true else { return [] }
    return sample(in: rect).wants
  }
}

/// Columns of a row's parts; those without room are left out.
private struct SettingsColumns {
  let label: Int
  let valueStart: Int
  let value: Int
  let nameStart: Int
  let name: Int

  private static let widestLabel = 26
  private static let valueColumns = 20
  /// Minimum columns of the name.
  private static let leastName = 12

  init(_ columns: Int) {
    label = max(0, min(Self.widestLabel, columns / 2 - 3))
    valueStart = label + 4
    let room = max(0, columns - valueStart - 1)
    let hasName = room >= Self.valueColumns + 2 + Self.leastName
    value = hasName ? Self.valueColumns : room
    nameStart = valueStart + value + 2
    name = hasName ? room - value - 2 : 0
  }
}

extension ColorPart {
  /// Part of the screen that a setting colours; nil for other settings.
  fileprivate init?(of row: SettingRow) {
    guard row.section == .colors else { return nil }
    self.init(rawValue: row.name)
  }
}

extension SettingRow {
  /// Whether the setting changes how products look, which the preview then shows.
  fileprivate var changesLook: Bool {
    section == .colors || section == .options && ["pictures", "theme"].contains(name)
  }

  /// Present value as text.
  func shownText(_ strings: Strings) -> SafeText { text(of: shown, strings) }

  /// Returns a value as text.
  func text(of value: String, _ strings: Strings) -> SafeText {
    if isSwitch { return strings[value == "true" ? .settingsOn : .settingsOff] }
    if case .choice = kind, let phrase = Self.words[value] { return strings[phrase] }
    return value.isEmpty ? strings[.settingsNothing] : SafeText(value)
  }

  /// Choices that have a phrase.
  private static let words: [String: Phrase] = [
    "auto": .valueAuto, "colorblind": .valueColorblind, "dark": .valueDark, "en": .valueEnglish,
    "grid": .valueGrid, "high-contrast": .valueHighContrast, "ko": .valueKorean,
    "light": .valueLight, "list": .valueList, "off": .settingsOff, "plain": .valuePlain,
  ]
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
