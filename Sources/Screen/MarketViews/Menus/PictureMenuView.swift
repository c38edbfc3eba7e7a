import MarketStrings
package import MarketViewModels
package import SafeText
package import TerminalKit

extension PictureMenuModel: ViewedLayer {
  package func view(in frame: Frame) -> PictureMenuView {
    PictureMenuView(model: self, frame: frame)
  }
}

/// The menu of the ways to show pictures, with the one in force and its reason.
package struct PictureMenuView: LayerView {
  package let model: PictureMenuModel
  package let frame: Frame

  package static let bindings = BindingTable<PictureMenuView>(
    [
      Binding("choose", [.enter, " "], .keyChoose, footer: 10) { $0.choose() },
      SharedBindings.back([.escape, "q"], footer: 20),
    ]
      + SharedBindings.choosing { $0.model.move(by: $1) }
      + SharedBindings.ends { $0.model.move(by: $1) } + [SharedBindings.quit()])

  private func choose() { navigator.pictureMode = model.mode }

  package func scroll(by notches: Int) -> Bool {
    model.move(by: notches)
    return true
  }

  package func press(at point: CellPoint) -> Bool {
    if let index = index(at: point) {
      model.select(index)
      choose()
    } else {
      close()
    }
    return true
  }

  private var box: Box {
    Box(
      title: context.strings[.keyPictures], rows: model.modes.count + 2, in: frame.body, context)
  }

  package func draw(on canvas: inout Canvas) {
    let box = box
    box.draw(on: &canvas)
    for (row, mode) in model.modes.enumerated() {
      draw(mode, isSelected: row == model.selected, in: box.content.row(row), on: &canvas)
    }
    guard let choice = context.pictureChoice else { return }
    let now = context.strings(
      .picturesNow, PictureWords.method(choice.method, context.strings),
      PictureWords.reason(choice.reason, context.strings))
    let row = box.content.row(model.modes.count + 1)
    canvas.write(
      now.truncated(toColumns: row.columns), at: row.origin, style: context.theme.secondary)
  }

  private func index(at point: CellPoint) -> Int? {
    let row = point.row - box.content.minRow
    return box.content.contains(point) && model.modes.indices.contains(row) ? row : nil
  }

  private func draw(
    _ mode: PictureMode, isSelected: Bool, in rect: CellRect, on canvas: inout Canvas
  ) {
    guard !rect.isEmpty else { return }
    let theme = context.theme
    let style = isSelected ? theme.selected(theme.strong) : theme.text
    if isSelected { canvas.markSelected(rect, theme) }
    canvas.put(
      mode == navigator.pictureMode ? .filledDot : .emptyDot, at: rect.origin.moved(columns: 2),
      style: style)
    canvas.write(
      PictureWords.mode(mode, context.strings).truncated(toColumns: rect.columns - 4),
      at: rect.origin.moved(columns: 4), style: style)
  }
}

/// Names of the ways to show pictures, and the reason why one is in force.
package enum PictureWords {
  package static func mode(_ mode: PictureMode, _ strings: Strings) -> SafeText {
    switch mode {
    case .auto: strings[.pictureAuto]
    case .kitty: method(.kitty, strings)
    case .sixel: method(.sixel, strings)
    case .iterm2: method(.inline, strings)
    case .blocks: strings[.pictureBlocks]
    case .half: method(.blocks(.half), strings)
    case .quadrant: method(.blocks(.quadrant), strings)
    case .sextant: method(.blocks(.sextant), strings)
    case .braille: method(.blocks(.braille), strings)
    case .none: method(.none, strings)
    }
  }

  package static func method(_ method: PictureMethod, _ strings: Strings) -> SafeText {
    switch method {
    case .kitty: "kitty"
    case .sixel: "sixel"
    case .inline: "iTerm2"
    case .blocks(.half): strings[.pictureHalf]
    case .blocks(.quadrant): strings[.pictureQuadrant]
    case .blocks(.sextant): strings[.pictureSextant]
    case .blocks(.braille): strings[.pictureBraille]
    case .none: strings[.pictureNone]
    }
  }

  package static func reason(_ reason: PictureChoice.Reason, _ strings: Strings) -> SafeText {
    switch reason {
    case .wanted: strings[.pictureWanted]
    case .known(let brand): strings(.pictureKnown, SafeText(brand.rawValue))
    case .answered: strings[.pictureAnswered]
    case .nothingBetter: strings[.pictureNothingBetter]
    case .hidden(let multiplexer): strings(.pictureHidden, SafeText(multiplexer.rawValue))
    case .tooFewColors: strings[.pictureTooFewColors]
    case .tooOld: strings[.pictureTooOld]
    case .unknownCell: strings[.pictureUnknownCell]
    }
  }
}

extension Phrase {
  static var picturesNow: Phrase { .named() }
}
