package import TerminalKit

/// Themes of the user's choice; raw values are those of the option and the settings file.
///
/// All but `dark` and `light` follow the terminal's background.
package nonisolated enum ThemeChoice: String, CaseIterable, Hashable, Sendable {
  case auto
  case dark
  case light
  case highContrast = "high-contrast"
  case colorblind
  case plain

  /// Background that the theme assumes; nil asks the terminal.
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

/// Styles of all drawing: one accent, one warning colour, one dimmed colour, and bars one shade off the
/// terminal's background.
///
/// Every text has a contrast of at least 4.5:1 to its background, with high contrast 7:1; on an unknown
/// one, 4.5:1 to black and to white, which no more than a few colours have. Without colours, attributes
/// make the same distinctions.
package struct Theme: Hashable, Sendable {
  package let ground: Ground
  package let scheme: Scheme
  private let palette: ThemeColors
  private let colors: CustomColors
  /// Whether the terminal supports strikethrough; if not, old prices are in brackets.
  package let strikesThrough: Bool
  /// Whether there are shades for the background of fields; if not, fields are underlined.
  private let hasShades: Bool
  /// Whether the terminal has colours and the user wants them.
  private let hasColors: Bool

  /// Brightness of the terminal's background.
  package nonisolated enum Ground: String, CaseIterable, Hashable, Sendable {
    case dark
    case light
    /// The terminal has not answered.
    case unknown

    package init(isLight: Bool?) {
      self = isLight.map { $0 ? .light : .dark } ?? .unknown
    }
  }

  /// Purpose of a theme's colours.
  package nonisolated enum Scheme: CaseIterable, Hashable, Sendable {
    case usual
    /// At least 7:1 for every text.
    case highContrast
    /// Only colours that colour-blind users can distinguish.
    case colorblind
    /// Only attributes, no colours.
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

  /// Returns the theme on another background.
  package func on(_ ground: Ground) -> Theme {
    Theme(
      ground, scheme: scheme, colors: colors, strikesThrough: strikesThrough, hasShades: hasShades,
      hasColors: hasColors)
  }

  /// Whether colours can set off a mark from the text around it.
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
  /// Tile of a picture that is not loaded.
  package var tile: Style { Style(foreground: palette.secondary, background: palette.bar) }

  // MARK: On the bars

  package var bar: Style { onBar(palette.text) }
  package var barSecondary: Style { onBar(palette.secondary) }
  package var barAccent: Style { onBar(palette.accent).adding(.bold) }
  package var barWarning: Style { onBar(palette.warning).adding(.bold) }

  // MARK: Selected rows, fields and boxes

  /// Returns a style on the background of the selected row; without colours, bold text and in a plain
  /// theme reverse video mark it.
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

  /// Returns the sample style of a part's colour.
  func swatch(of part: ColorPart) -> Style { Style(foreground: palette[part]) }

  /// Mark at the left of the selected row.
  var selectionBar: Symbol { scheme == .plain ? .selectionMark : .selectionBar }

  package var field: Style { onField(palette.onSelection?.text ?? palette.text) }
  package var fieldHint: Style { onField(palette.onSelection?.secondary ?? palette.secondary) }
  /// Field without the focus.
  package var restingField: Style { outlined(bar) }
  /// Field without the focus directly below another, one shade off that; with inverted selections,
  /// which only the focused field may have, underlined instead.
  var lowerField: Style {
    palette.onSelection == nil ? field : restingField.adding(.underline)
  }
  /// Focused field of a form, one shade further from a resting field than `field`, which in a form is
  /// the shade of every second field.
  var focusedField: Style {
    guard let resting = restingField.background.rgb, let usual = field.background.rgb else {
      return field
    }
    let shade = RGB(
      Self.next(resting.red, usual.red), Self.next(resting.green, usual.green),
      Self.next(resting.blue, usual.blue))
    return field.on(.rgb(shade, fallback: field.background.fallback))
  }

  /// Returns the value as far beyond the second one as that is from the first, clamped.
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

/// Symbols that the views draw; all are in common fonts.
extension Symbol {
  /// Mark at the left of the selected row in a plain theme.
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
