/// Picture method that was chosen, with the reason.
package struct PictureChoice: Hashable, Sendable {
  package let method: PictureMethod
  package let reason: Reason

  package enum Reason: Hashable, Sendable {
    /// The user's setting.
    case wanted
    /// The terminal reported itself as a program that has the method.
    case known(TerminalBrand)
    /// The terminal reported support.
    case answered
    /// The terminal has reported no better method.
    case nothingBetter
    /// The terminal has not answered what it can show.
    case unanswered
    /// The multiplexer hides the terminal's support.
    case hidden(TerminalFacts.Multiplexer)
    /// The terminal has too few colours, or the user refuses colours.
    case tooFewColors
    /// kitty before 0.28 has no placeholders.
    case tooOld
    /// The terminal supports sixel, but the size of a cell is unknown.
    case unknownCell
  }

  private init(_ method: PictureMethod, _ reason: Reason) {
    self.method = method
    self.reason = reason
  }

  /// Returns the user's method if the terminal has the colours and characters for it, else none.
  package static func wanted(_ method: PictureMethod, _ facts: TerminalFacts) -> PictureChoice {
    guard facts.colorDepth >= method.colorDepth else { return PictureChoice(.none, .tooFewColors) }
    return PictureChoice(method, .wanted)
  }

  /// Returns the best block characters because the user wants those: braille where there are no colours.
  package static func wantedBlocks(_ facts: TerminalFacts) -> PictureChoice {
    let method = blocks(facts)
    if method == .none, facts.isUTF8 { return PictureChoice(.blocks(.braille), .wanted) }
    return PictureChoice(method, method == .none ? .nothingBetter : .wanted)
  }

  /// Returns the best method by the facts known so far.
  package static func automatic(_ facts: TerminalFacts) -> PictureChoice {
    guard facts.colorDepth > .none, facts.isUTF8 else { return blocks(facts, .nothingBetter) }
    switch facts.multiplexer {
    case .screen: return blocks(facts, .hidden(.screen))
    case .tmux: return insideTmux(facts)
    case nil: return direct(facts)
    }
  }

  /// Returns the block characters that the terminal's font is known to have.
  private static func symbols(_ facts: TerminalFacts) -> PictureSymbols {
    guard !facts.environment.isLinuxConsole else { return .half }
    guard !facts.probe.hasWideSymbols else { return .corner }
    guard let brand = facts.brand, brand.drawsSextants else { return .quadrant }
    guard let first = brand.firstWithOctants, let version = facts.brandVersion, version >= first
    else {
      return .sextant
    }
    return .octant
  }

  /// Chooses what the terminal itself reported; DA1 is answered last.
  private static func direct(_ facts: TerminalFacts) -> PictureChoice {
    guard facts.attributes != nil else { return blocks(facts, .unanswered) }
    if let brand = facts.environment.reportedBrand, let method = brand.pictures {
      if brand == .kitty, let version = facts.brandVersion,
        version < KittyCommand.firstWithPlaceholders
      {
        return blocks(facts, .tooOld)
      }
      // VS Code has pictures switched off at first, and sixel with them.
      if brand != .vscode || facts.knowsSixel { return PictureChoice(method, .known(brand)) }
    }
    // Programs with a name of their own confirm kitty's protocol without having its placeholders.
    if facts.knowsKitty, facts.version == nil { return PictureChoice(.kitty, .answered) }
    if facts.knowsInline { return PictureChoice(.inline, .answered) }
    guard facts.knowsSixel else { return blocks(facts, .nothingBetter) }
    guard facts.cell != nil else { return blocks(facts, .unknownCell) }
    return PictureChoice(.sixel, .answered)
  }

  /// Chooses in tmux: it passes kitty's commands through where that is allowed and draws sixels itself
  /// where it is built to; inline pictures would cover other panes.
  private static func insideTmux(_ facts: TerminalFacts) -> PictureChoice {
    if facts.knowsKitty, facts.environment.brand.map({ $0.pictures == .kitty }) ?? true {
      return PictureChoice(.kitty, .answered)
    }
    if facts.knowsSixel, facts.cell != nil { return PictureChoice(.sixel, .answered) }
    return blocks(facts, .hidden(.tmux))
  }

  private static func blocks(_ facts: TerminalFacts, _ reason: Reason) -> PictureChoice {
    let isShort = facts.colorDepth < .palette256 || !facts.isUTF8
    return PictureChoice(blocks(facts), isShort ? .tooFewColors : reason)
  }

  /// Returns characters: blocks in colours or greys; braille where black-and-white blocks would be
  /// coarse.
  ///
  /// Without colours it is none: many fonts lack braille, so it then has to be set by the user.
  private static func blocks(_ facts: TerminalFacts) -> PictureMethod {
    guard facts.isUTF8 else { return .none }
    switch facts.colorDepth {
    case .direct, .palette256, .ansi16: return .blocks(symbols(facts))
    case .ansi8: return .blocks(facts.environment.isLinuxConsole ? .half : .braille)
    case .none: return .none
    }
  }
}

/// Method by which pictures are shown.
package enum PictureMethod: Hashable, Sendable {
  /// kitty's graphics protocol with placeholders in the text.
  case kitty
  case sixel
  /// Inline pictures of iTerm2.
  case inline
  /// Characters in two colours each.
  case blocks(PictureSymbols)
  /// No pictures; texts are shown instead.
  case none

  /// Minimum depth of text colours for the method; sixel and inline pictures have their own colours.
  var colorDepth: ColorDepth {
    switch self {
    case .kitty: .palette256
    case .sixel, .inline: .ansi8
    case .blocks, .none: .none
    }
  }
}
