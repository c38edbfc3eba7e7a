import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

extension PictureMenuModel: ViewedLayer {
  package func view(in frame: Frame) -> PictureMenuView {
    PictureMenuView(model: self, frame: frame)
  }
}

/// The menu of the ways to show pictures, with the one in force and its reason.
package struct PictureMenuView: MenuLayerView {
  package let model: PictureMenuModel
  package let frame: Frame

  package static let bindings = BindingTable<PictureMenuView>(SharedBindings.menu())

  /// Shows pictures in another way, which leaves the menu.
  package func choose(_ index: Int?) {
    guard model.modes.indices.contains(index ?? model.selected) else { return }
    if let index { model.select(index) }
    navigator.program.pictureMode = model.mode
    close()
  }

  package func moveSelection(by distance: Int) { model.move(by: distance) }

  package var box: MenuBox {
    MenuBox(
      lines: [.heading(context.strings[.keyPictures])] + choices + reason,
      selected: model.selected, bounds: frame.body, context: context)
  }

  private var choices: [MenuBox.Line] {
    model.modes.map { mode in
      .choice(
        MenuBox.Choice(
          text: PictureWords.mode(mode, context.strings),
          mark: .one(mode == navigator.program.pictureMode))
      )
    }
  }

  /// What is in force, and why.
  private var reason: [MenuBox.Line] {
    guard let choice = context.pictureChoice else { return [] }
    let now = context.strings(
      .picturesNow, PictureWords.method(choice.method, context.strings),
      PictureWords.reason(choice.reason, context.strings))
    return [.blank, .note(now)]
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
