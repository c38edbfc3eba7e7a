/// Look of a cell apart from what stands in it: its colours and attributes.
package struct Style: Hashable, Sendable {
  package var foreground: Color
  package var background: Color
  package var attributes: Attributes

  package static let plain = Style()

  package init(
    foreground: Color = .terminalDefault, background: Color = .terminalDefault,
    attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// This style with further attributes.
  package func adding(_ attributes: Attributes) -> Style {
    var style = self
    style.attributes.formUnion(attributes)
    return style
  }

  /// Whether a blank in this style is nothing but its ground.
  var showsNothingInBlanks: Bool {
    attributes.isDisjoint(with: [.reverse, .underline, .strikethrough, .link])
  }

  /// This style on another ground.
  package func on(_ background: Color) -> Style {
    var style = self
    style.background = background
    return style
  }

  /// Attributes that a terminal can give a character beside colours.
  package struct Attributes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bold = Attributes(rawValue: 1)
    package static let dim = Attributes(rawValue: 2)
    package static let reverse = Attributes(rawValue: 4)
    package static let underline = Attributes(rawValue: 8)
    /// Ignored where the terminal cannot; `TerminalCapabilities` tells.
    package static let strikethrough = Attributes(rawValue: 16)
    /// Part of a link, underlined; `Canvas.link` says where it leads.
    static let link = Attributes(rawValue: 32)
  }
}
