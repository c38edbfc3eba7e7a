import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

/// Names of the picture methods, and reasons for the present one.
package enum PictureWords {
  package static func mode(_ mode: PictureMode, _ strings: Strings) -> SafeText {
    switch mode {
    case .auto: strings[.pictureAuto]
    case .kitty: method(.kitty, strings)
    case .sixel: method(.sixel, strings)
    case .iterm2: method(.inline, strings)
    case .blocks: strings[.pictureBlocks]
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
    case .blocks(.corner): strings[.pictureCorner]
    case .blocks(.sextant): strings[.pictureSextant]
    case .blocks(.octant): strings[.pictureOctant]
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
    case .unanswered: strings[.pictureUnanswered]
    case .hidden(let multiplexer): strings(.pictureHidden, SafeText(multiplexer.rawValue))
    case .tooFewColors: strings[.pictureTooFewColors]
    case .tooOld: strings[.pictureTooOld]
    case .unknownCell: strings[.pictureUnknownCell]
    }
  }
}
