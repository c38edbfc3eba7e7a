import MarketStrings
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// The menu of the ways to show pictures, with the one in force and its reason.
struct PictureMenuView {
  let menu: PictureMenuModel
  let chosen: PictureMode
  let bounds: CellRect
  let context: RenderContext

  private var box: Box {
    Box(
      title: context.strings[.keyPictures], rows: menu.modes.count + 2, in: bounds, context)
  }

  func draw(on canvas: inout Canvas) {
    let box = box
    box.draw(on: &canvas)
    for (row, mode) in menu.modes.enumerated() {
      draw(mode, isSelected: row == menu.selected, in: box.content.row(row), on: &canvas)
    }
    guard let choice = context.pictureChoice else { return }
    let now = context.strings(
      .picturesNow, PictureWords.method(choice.method, context.strings),
      PictureWords.reason(choice.reason, context.strings))
    let row = box.content.row(menu.modes.count + 1)
    canvas.write(
      now.truncated(toColumns: row.columns), at: row.origin, style: context.theme.secondary)
  }

  /// The way at a point, for a click.
  func index(at point: CellPoint) -> Int? {
    let row = point.row - box.content.minRow
    return box.content.contains(point) && menu.modes.indices.contains(row) ? row : nil
  }

  private func draw(
    _ mode: PictureMode, isSelected: Bool, in rect: CellRect, on canvas: inout Canvas
  ) {
    guard !rect.isEmpty else { return }
    let theme = context.theme
    let style = isSelected ? theme.selected(theme.strong) : theme.text
    if isSelected { canvas.markSelected(rect, theme) }
    canvas.put(
      mode == chosen ? .filledDot : .emptyDot, at: rect.origin.moved(columns: 2), style: style)
    canvas.write(
      PictureWords.mode(mode, context.strings).truncated(toColumns: rect.columns - 4),
      at: rect.origin.moved(columns: 4), style: style)
  }
}
