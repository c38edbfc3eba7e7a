internal import EditorKit
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension PhotoPathModel: ViewedLayer {
  package func view(in frame: Frame) -> PhotoPathView { PhotoPathView(model: self, frame: frame) }
}

/// Line for paths of photos, with completions of the last path below.
package struct PhotoPathView: LineView {
  package let model: PhotoPathModel
  package let frame: Frame

  package static var screenName: Phrase? { .photoPathTitle }
  package static let bindings = BindingTable<PhotoPathView>(
    [
      Binding("choose", [.enter], .keyChoose, footer: 10, when: \.hasChoice) {
        $0.model.confirm()
      },
      Binding("confirm", [.enter], .keyConfirm, footer: 10, when: \.hasNoChoice) {
        $0.model.confirm()
      },
      SharedBindings.cancel(footer: 40) { $0.model.cancel() },
      Binding("complete", [.tab], .keyComplete, footer: 20) { $0.model.complete() },
      Binding("browse-folders", [.control("o")], .keyBrowseFolders, footer: 30) {
        $0.model.browse()
      },
      Binding("up", [.up, .backTab, .control("p")], .keyUp, when: \.hasCandidates) {
        $0.model.walk(by: -1)
      },
      Binding("down", [.down, .control("n")], .keyDown, when: \.hasCandidates) {
        $0.model.walk(by: 1)
      },
      SharedBindings.helpOverText(),
    ])
  package static var opens: [any LayerView.Type] { [PickerView.self] }
  package static var takesOwnKeys: Bool { false }

  /// Moves the caret to the clicked position, or takes the clicked completion.
  package func press(at point: CellPoint) -> Bool {
    if let place = field.position(at: point) {
      model.edit { $0.buffer.move(to: place) }
      return true
    }
    let index = firstCandidate + point.row - list.minRow
    guard list.contains(point), candidates.entries.indices.contains(index) else { return false }
    model.take(index)
    return true
  }

  package func scroll(by notches: Int) -> Bool {
    guard hasCandidates else { return false }
    model.walk(by: notches)
    return true
  }

  package func draw(on canvas: inout Canvas) {
    box.draw(on: &canvas)
    drawCandidates(on: &canvas)
    field.draw(on: &canvas, context)
  }

  private func drawCandidates(on canvas: inout Canvas) {
    let entries = candidates.entries.dropFirst(firstCandidate).prefix(list.rows)
    for (row, entry) in entries.enumerated() {
      FolderEntryRow(
        entry: entry, mark: .none, isSelected: firstCandidate + row == candidates.selected,
        context: context
      ).draw(in: list.row(row), on: &canvas)
    }
    guard entries.isEmpty else { return }
    let text = context.strings[candidates.isShown ? .pickerNoMatch : .photoPathHelp]
    for (row, line) in text.wrapped(toColumns: list.columns).prefix(list.rows).enumerated() {
      canvas.write(line, at: list.row(row).origin, style: context.theme.secondary)
    }
  }

  private var candidates: PathCandidates { model.line.candidates }
  private var hasCandidates: Bool { candidates.isWalkable }
  private var hasChoice: Bool { candidates.selected != nil }
  private var hasNoChoice: Bool { !hasChoice }

  /// First visible completion; the list scrolls by pages, so that a step changes only two rows.
  private var firstCandidate: Int {
    guard let selected = candidates.selected, list.rows > 0 else { return 0 }
    return selected / list.rows * list.rows
  }

  private static let maxCandidates = 8
  private var box: Box {
    let below = frame.belowPhotos
    let area = below.splitLeft(frame.formLayout?.fieldColumns ?? below.columns).left
    let help = context.strings[.photoPathHelp].wrapped(toColumns: area.columns - 6)
    let rows = max(help.count, min(candidates.entries.count, Self.maxCandidates))
    return Box(
      title: context.strings[.photoPathTitle], columns: area.columns, rows: 1 + rows,
      atTopOf: area, context)
  }

  private var list: CellRect { box.content.inset(top: 1) }

  package var field: FieldLine {
    FieldLine(
      label: context.strings[.photoPathLabel], editor: model.line.editor, rect: box.content.row(0),
      hint: context.strings[.photoPathHint])
  }
}
