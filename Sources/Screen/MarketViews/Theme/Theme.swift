package import TerminalKit

/// The looks of everything that is drawn: one accent, one warning colour, one dimmer step, and bars
/// one shade off the terminal's own ground.
///
/// Every text keeps a contrast of at least 4.5:1 on the ground it stands on. Where there are no
/// colours the attributes alone tell the same.
package struct Theme: Hashable, Sendable {
  package let ground: Ground
  private let palette: Palette
  /// Whether the terminal can strike text through; if not, old prices stand in brackets.
  package let strikesThrough: Bool
  /// Whether there are shades for the grounds of fields; if not, fields are underlined.
  private let hasShades: Bool

  /// Whether the terminal's ground is dark or light.
  package enum Ground: String, CaseIterable, Hashable, Sendable {
    case dark
    case light
  }

  package init(_ ground: Ground, strikesThrough: Bool, hasShades: Bool = true) {
    self.ground = ground
    self.hasShades = hasShades
    self.strikesThrough = strikesThrough
    palette = ground == .dark ? .dark : .light
  }

  /// The same looks on another ground.
  package func on(_ ground: Ground) -> Theme {
    Theme(ground, strikesThrough: strikesThrough, hasShades: hasShades)
  }

  // MARK: On the terminal's ground

  package var text: Style { .plain }
  package var strong: Style { .plain.adding(.bold) }
  package var secondary: Style { Style(foreground: palette.secondary) }
  package var accent: Style { Style(foreground: palette.accent, attributes: .bold) }
  package var warning: Style { Style(foreground: palette.warning) }
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

  /// The ground of the selected row; without colours its bar and bold text tell.
  package func selected(_ style: Style) -> Style {
    let foreground = style.foreground.isTerminalDefault ? palette.text : style.foreground
    return Style(
      foreground: foreground, background: palette.selection, attributes: style.attributes)
  }

  package var field: Style { onField(palette.text) }
  package var fieldHint: Style { onField(palette.secondary) }
  /// A field that has not the focus.
  package var restingField: Style { outlined(bar) }

  private func onField(_ color: Color) -> Style {
    outlined(Style(foreground: color, background: palette.selection))
  }

  private func outlined(_ style: Style) -> Style {
    hasShades ? style : style.adding(.underline)
  }

  private func onBar(_ color: Color) -> Style {
    Style(foreground: color, background: palette.bar)
  }
}

/// The colours of a theme; with sixteen colours the fallbacks stand in.
///
/// All of them are in the palette of 256, so that a theme looks the same there as in 24-bit colour and
/// costs half the bytes.
struct Palette: Hashable, Sendable {
  let text: Color
  let secondary: Color
  let accent: Color
  let warning: Color
  let rule: Color
  let bar: Color
  let selection: Color

  static let dark = Palette(
    text: .rgb(RGB(hex: 0xEEEEEE)),
    secondary: .rgb(RGB(hex: 0xA8A8A8)),
    accent: .rgb(RGB(hex: 0xFFAF5F), fallback: .yellow),
    warning: .rgb(RGB(hex: 0xFF8787), fallback: .brightRed),
    rule: .rgb(RGB(hex: 0x4E4E4E), fallback: .brightBlack),
    bar: .rgb(RGB(hex: 0x262626)),
    selection: .rgb(RGB(hex: 0x303030)))

  static let light = Palette(
    text: .rgb(RGB(hex: 0x1C1C1C)),
    secondary: .rgb(RGB(hex: 0x585858)),
    accent: .rgb(RGB(hex: 0x875F00), fallback: .blue),
    warning: .rgb(RGB(hex: 0xAF0000), fallback: .red),
    rule: .rgb(RGB(hex: 0xC6C6C6), fallback: .white),
    bar: .rgb(RGB(hex: 0xEEEEEE)),
    selection: .rgb(RGB(hex: 0xE4E4E4)))
}

/// The symbols of our own that views draw; each stands in the common fonts.
extension Symbol {
  static let filledDot: Symbol = "●"
  static let emptyDot: Symbol = "○"
  static let checked: Symbol = "■"
  static let unchecked: Symbol = "□"
  static let moreBelow: Symbol = "▾"
  static let focused: Symbol = "▸"
  static let heavyRule: Symbol = "━"
  static let lightDash: Symbol = "╌"
}
