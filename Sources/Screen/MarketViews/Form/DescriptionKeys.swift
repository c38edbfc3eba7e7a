internal import EditorKit
internal import MarketViewModels
internal import TerminalKit

/// The keys of the text area: those of a line, and those that know its rows.
struct DescriptionKeys {
  /// Width of the area in cells.
  let columns: Int

  private static let page = 8

  /// - Parameters:
  ///   - key: what was pressed.
  ///   - model: the form that has the area.
  /// - Returns: whether the area took it.
  func edit(_ key: KeyPress, _ model: FormModel) -> Bool {
    if key == .enter {
      model.edit { form in form.editDescription { $0.type("\n") } }
      return true
    }
    if let motion = rowMotion(for: key) {
      move(motion, selecting: key.modifiers.contains(.shift), model)
      return true
    }
    guard let change = textChange(for: key) ?? LineKeys.change(for: key) else { return false }
    model.edit { $0.edit(change) }
    return true
  }

  /// Up from the first row and down from the last one lead to the neighbouring field.
  private func move(
    _ motion: TextEditor.RowMotion, selecting: Bool, _ model: FormModel
  ) {
    let layout = model.form.description.layout(columns: columns)
    if !selecting, motion == .up, layout.caretRow == 0 {
      return model.edit { $0.focusPrevious() }
    }
    if !selecting, motion == .down, layout.caretRow == layout.rows.count - 1 {
      return model.edit { $0.focusNext() }
    }
    model.edit { form in
      form.editDescription { $0.move(motion, columns: columns, selecting: selecting) }
    }
  }

  private func rowMotion(for key: KeyPress) -> TextEditor.RowMotion? {
    guard key.modifiers.isSubset(of: .shift) else { return nil }
    switch key.key {
    case .up: return .up
    case .down: return .down
    case .home: return .rowStart
    case .end: return .rowEnd
    case .pageUp: return .rows(-Self.page)
    case .pageDown: return .rows(Self.page)
    default: return nil
    }
  }

  private func textChange(for key: KeyPress) -> TextChange? {
    switch key {
    case KeyPress(.home, .control): TextChange { $0.move(.textStart) }
    case KeyPress(.end, .control): TextChange { $0.move(.textEnd) }
    default: nil
    }
  }
}
