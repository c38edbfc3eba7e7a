/// Choice of the method by which pictures are shown, with its reason.
package struct PictureChoice: Hashable, Sendable {
  package let method: PictureMethod
  package let reason: Reason

  package enum Reason: Hashable, Sendable {
    /// The user wants it so.
    case wanted
    /// The terminal is one that does it best so.
    case known(TerminalBrand)
    /// The terminal said that it can.
    case answered
    /// The terminal has nothing better, as far as it has said.
    case nothingBetter
    /// tmux or screen hides what the terminal can do.
    case hidden(TerminalFacts.Multiplexer)
    /// Too few colours, or the user wants none.
    case tooFewColors
    /// A kitty from before 0.28, whose pictures are no text yet.
    case tooOld
    /// There are sixel graphics, but nobody knows how large a cell is.
    case unknownCell
  }

  private init(_ method: PictureMethod, _ reason: Reason) {
    self.method = method
    self.reason = reason
  }

  /// The method that the user wants, if the terminal can show pictures at all.
  package static func wanted(_ method: PictureMethod, _ facts: TerminalFacts) -> PictureChoice {
    guard facts.colorDepth >= method.colorDepth else { return PictureChoice(.none, .tooFewColors) }
    guard method != .blocks(.braille) || facts.isUTF8 else {
      return PictureChoice(.none, .nothingBetter)
    }
    return PictureChoice(method, .wanted)
  }

  /// The best way, by what is known so far.
  package static func automatic(_ facts: TerminalFacts) -> PictureChoice {
    guard facts.colorDepth > .none, facts.isUTF8 else { return blocks(facts, .nothingBetter) }
    switch facts.multiplexer {
    case .screen: return blocks(facts, .hidden(.screen))
    case .tmux: return insideTmux(facts)
    case nil: return direct(facts)
    }
  }

  /// The block characters that the terminal's font is known to hold.
  package static func symbols(_ facts: TerminalFacts) -> PictureSymbols {
    guard facts.isUTF8, !facts.environment.isLinuxConsole else { return .half }
    return facts.brand?.drawsSextants == true ? .sextant : .quadrant
  }

  private static func direct(_ facts: TerminalFacts) -> PictureChoice {
    if let brand = facts.brand, let method = brand.pictures {
      guard method == .kitty else { return PictureChoice(method, .known(brand)) }
      if let version = facts.kittyVersion, version < KittyCommand.firstWithPlaceholders {
        return blocks(facts, .tooOld)
      }
      // Once all answers are there, a kitty that is none has said so by its silence.
      if facts.attributes == nil || facts.confirmsKitty {
        return PictureChoice(.kitty, .known(brand))
      }
    }
    guard facts.knowsSixel else { return blocks(facts, .nothingBetter) }
    guard facts.cell != nil else { return blocks(facts, .unknownCell) }
    return PictureChoice(.sixel, .answered)
  }

  /// tmux hands kitty's commands on where it is allowed to, and draws sixels itself where it was built
  /// to; inline pictures would cover other panes.
  private static func insideTmux(_ facts: TerminalFacts) -> PictureChoice {
    if facts.knowsKitty, facts.environment.brand.map({ $0.pictures == .kitty }) ?? true {
      return PictureChoice(.kitty, .answered)
    }
    if facts.knowsSixel, facts.cell != nil { return PictureChoice(.sixel, .answered) }
    return blocks(facts, .hidden(.tmux))
  }

  /// Characters: blocks in colours or greys, and dots of braille where black and white blocks would
  /// be coarse.
  ///
  /// Without any colour there are no pictures: dots, which many fonts lack, are for those who want them.
  private static func blocks(_ facts: TerminalFacts, _ reason: Reason) -> PictureChoice {
    let method = PictureMethod.blocks(symbols(facts))
    switch facts.colorDepth {
    case .direct, .palette256: return PictureChoice(method, reason)
    case .ansi16: return PictureChoice(facts.isUTF8 ? method : .none, .tooFewColors)
    case .ansi8 where facts.environment.isLinuxConsole:
      return PictureChoice(facts.isUTF8 ? method : .none, .tooFewColors)
    case .ansi8: return PictureChoice(facts.isUTF8 ? .blocks(.braille) : .none, .tooFewColors)
    case .none: return PictureChoice(.none, .tooFewColors)
    }
  }
}

/// Method by which pictures get onto the terminal.
package enum PictureMethod: Hashable, Sendable {
  /// kitty's protocol, with placeholders among the text.
  case kitty
  case sixel
  /// The inline pictures of iTerm2.
  case inline
  /// Characters in two colours each.
  case blocks(PictureSymbols)
  /// Not at all: words stand in their place.
  case none

  /// The colours that text must have for it: those of sixel and inline pictures are their own.
  var colorDepth: ColorDepth {
    switch self {
    case .kitty: .palette256
    case .sixel, .inline, .blocks(.half), .blocks(.quadrant), .blocks(.sextant): .ansi8
    case .blocks(.braille), .none: .none
    }
  }
}
