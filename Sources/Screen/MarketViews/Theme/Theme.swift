package import TerminalKit

/// Themes that somebody may choose; the raw values are those of the option and the settings file.
///
/// All but two follow the terminal's ground.
package nonisolated enum ThemeChoice: String, CaseIterable, Hashable, Sendable {
  case auto
  case dark
  case light
  case highContrast = "high-contrast"
  case colorblind
  case plain

  /// The ground that is taken for granted; nil asks the terminal.
  package var ground: Theme.Ground? {
    switch self {
    case .dark: .dark
    case .light: .light
    case .auto, .highContrast, .colorblind, .plain: nil
    }
  }

  package var scheme: Theme.Scheme {
    switch self {
    case .auto, .dark, .light: .usual
    case .highContrast: .highContrast
    case .colorblind: .colorblind
    case .plain: .plain
    }
  }
}

/// The looks of everything that is drawn: one accent, one warning colour, one dimmer step, and bars
/// one shade off the terminal's own ground.
///
/// Every text keeps a contrast of at least 4.5:1 on the ground it stands on, with high contrast of
/// 7:1. Where there are no colours the attributes alone tell the same.
package struct Theme: Hashable, Sendable {
  package let ground: Ground
  package let scheme: Scheme
  private let palette: ThemeColors
  private let colors: CustomColors
  /// Whether the terminal can strike text through; if not, old prices stand in brackets.
  package let strikesThrough: Bool
  /// Whether there are shades for the grounds of fields; if not, fields are underlined.
  private let hasShades: Bool
  /// Whether the terminal has colours, and they are wanted.
  private let hasColors: Bool

  /// Whether the terminal's ground is dark or light.
  package nonisolated enum Ground: String, CaseIterable, Hashable, Sendable {
    case dark
    case light
  }

  /// What a theme's colours are for.
  package nonisolated enum Scheme: CaseIterable, Hashable, Sendable {
    case usual
    /// At least 7:1 for every text.
    case highContrast
    /// No two colours that some people cannot tell apart.
    case colorblind
    /// Attributes alone, no colour.
    case plain
  }

  package init(
    _ ground: Ground, scheme: Scheme = .usual, colors: CustomColors = CustomColors(),
    strikesThrough: Bool,
    hasShades: Bool = true, hasColors: Bool = true
  ) {
    self.ground = ground
    self.scheme = scheme
    self.colors = colors
    self.hasShades = hasShades
    self.hasColors = hasColors
    self.strikesThrough = strikesThrough
    palette = ThemeColors(scheme, on: ground, colors)
  }

  /// The same looks on another ground.
  package func on(_ ground: Ground) -> Theme {
    Theme(
      ground, scheme: scheme, colors: colors, strikesThrough: strikesThrough, hasShades: hasShades,
      hasColors: hasColors)
  }

  /// Whether a colour can tell a mark from the words around it.
  var tellsByColor: Bool { hasColors && scheme != .plain }

  // MARK: On the terminal's ground

  package var text: Style { Style(foreground: palette.plain) }
  package var strong: Style { text.adding(.bold) }
  package var secondary: Style { Style(foreground: palette.secondary) }
  package var accent: Style { Style(foreground: palette.accent, attributes: .bold) }
  package var warning: Style {
    Style(foreground: palette.warning, attributes: scheme == .plain ? .bold : [])
  }
  package var price: Style { strong }
  package var reducedPrice: Style { warning.adding(.bold) }
  package var oldPrice: Style { secondary.adding(.strikethrough) }
  var rule: Style { Style(foreground: palette.rule) }
  /// A tile that waits for its picture.
  package var tile: Style { Style(foreground: palette.secondary, background: palette.bar) }

  // MARK: On the bars

  package var bar: Style { onBar(palette.text) }
  package var barSecondary: Style { onBar(palette.secondary) }
  package var barAccent: Style { onBar(palette.accent).adding(.bold) }
  package var barWarning: Style { onBar(palette.warning).adding(.bold) }

  // MARK: Selected rows, fields and boxes

  /// The ground of the selected row; without colours its mark, bold text and, in a plain theme,
  /// inverse letters tell.
  package func selected(_ style: Style) -> Style {
    if scheme == .plain, palette.selection.isTerminalDefault { return style.adding(.reverse) }
    if let onSelection = palette.onSelection {
      let isDimmer = style.foreground == palette.secondary
      return Style(
        foreground: isDimmer ? onSelection.secondary : onSelection.text,
        background: palette.selection, attributes: style.attributes)
    }
    let foreground = style.foreground.isTerminalDefault ? palette.text : style.foreground
    return Style(
      foreground: foreground, background: palette.selection, attributes: style.attributes)
  }

  /// What a part's colour looks like.
  func swatch(of part: ColorPart) -> Style { Style(foreground: palette[part]) }

  /// What stands at the left of the selected row.
  var selectionBar: Symbol { scheme == .plain ? .selectionMark : .selectionBar }

  package var field: Style { onField(palette.onSelection?.text ?? palette.text) }
  package var fieldHint: Style { onField(palette.onSelection?.secondary ?? palette.secondary) }
  /// A field that has not the focus.
  package var restingField: Style { outlined(bar) }
  /// A field that has not the focus, right below another: a shade away from that; where fields are
  /// the opposite of the ground, which only the one with the focus may be, with a line under it.
  var lowerField: Style {
    palette.onSelection == nil ? field : restingField.adding(.underline)
  }
  /// The field of a form that has the focus: one more shade away from a resting field than a field
  /// is elsewhere, as in a form that is the shade of every second neighbour.
  var focusedField: Style {
    guard let resting = restingField.background.rgb, let usual = field.background.rgb else {
      return field
    }
    let shade = RGB(
      Self.next(resting.red, usual.red), Self.next(resting.green, usual.green),
      Self.next(resting.blue, usual.blue))
    return field.on(.rgb(shade, fallback: field.background.fallback))
  }

  /// As far beyond the second amount of light as that is from the first.
  private static func next(_ first: UInt8, _ second: UInt8) -> UInt8 {
    UInt8(clamping: 2 * Int(second) - Int(first))
  }

  private func onField(_ color: Color) -> Style {
    outlined(Style(foreground: color, background: palette.selection))
  }

  private func outlined(_ style: Style) -> Style {
    hasShades && !style.background.isTerminalDefault ? style : style.adding(.underline)
  }

  private func onBar(_ color: Color) -> Style {
    Style(foreground: color, background: palette.bar)
  }
}

/// The symbols of our own that views draw; each stands in the common fonts.
extension Symbol {
  /// Stands at the left of the selected row where nothing else does.
  static let selectionMark: Symbol = ">"
  static let filledDot: Symbol = "●"
  static let emptyDot: Symbol = "○"
  static let checked: Symbol = "■"
  static let unchecked: Symbol = "□"
  static let moreBelow: Symbol = "▾"
  static let focused: Symbol = "▸"
  static let heavyRule: Symbol = "━"
  static let lightDash: Symbol = "╌"
}
