/// Colours and attributes of a cell.
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

  /// Returns this style with further attributes.
  package func adding(_ attributes: Attributes) -> Style {
    var style = self
    style.attributes.formUnion(attributes)
    return style
  }

  /// Whether a blank in this style shows its background only.
  var showsNothingInBlanks: Bool {
    attributes.isDisjoint(with: [.reverse, .underline, .strikethrough, .link])
  }

  /// Returns this style on another background.
  package func on(_ background: Color) -> Style {
    var style = self
    style.background = background
    return style
  }

  /// Attributes of a cell beside its colours.
  package struct Attributes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bold = Attributes(rawValue: 1)
    package static let dim = Attributes(rawValue: 2)
    package static let reverse = Attributes(rawValue: 4)
    package static let underline = Attributes(rawValue: 8)
    /// Ignored where the terminal lacks it; see `TerminalCapabilities.canStrikeThrough`.
    package static let strikethrough = Attributes(rawValue: 16)
    /// Marks a part of a link, shown underlined; `Canvas.link` has its target.
    static let link = Attributes(rawValue: 32)
  }
}
