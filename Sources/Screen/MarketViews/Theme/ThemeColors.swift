import MarketStrings
internal import TerminalKit

/// Part of the screen whose colour the settings file can set; raw values are its names there.
package nonisolated enum ColorPart: String, CaseIterable, Hashable, Sendable {
  case text, secondary, accent, warning, rule, bar, selection

  /// Description of the part.
  package var summary: Phrase {
    switch self {
    case .text: .colorText
    case .secondary: .colorSecondary
    case .accent: .colorAccent
    case .warning: .colorWarning
    case .rule: .colorRule
    case .bar: .colorBar
    case .selection: .colorSelection
    }
  }

  /// Whether the part is a background of text.
  var isGround: Bool {
    switch self {
    case .bar, .selection: true
    case .text, .secondary, .accent, .warning, .rule: false
    }
  }
}

/// Colours of parts that the user has set, over those of the theme.
package nonisolated struct CustomColors: Hashable, Sendable {
  private var colors: [ColorPart: Color] = [:]

  /// Syntax of a colour.
  package static let form = "#rrggbb|#rgb|default"

  package init() {}

  package var isEmpty: Bool { colors.isEmpty }

  /// Sets a part's colour; returns false for an unreadable word.
  package mutating func give(_ word: String, to part: ColorPart) -> Bool {
    guard let color = Self.color(word, of: part) else { return false }
    colors[part] = color
    return true
  }

  /// Resets a part's colour to the theme's.
  package mutating func reset(_ part: ColorPart) { colors[part] = nil }

  subscript(part: ColorPart) -> Color? { colors[part] }

  /// Reads `#ffaf5f`, `#fa5`, or `default`, which is the terminal's default; nil for anything else.
  private static func color(_ word: String, of part: ColorPart) -> Color? {
    if word == "default" { return .terminalDefault }
    let digits = Array(word.utf8.dropFirst())
    guard word.utf8.first == UInt8(ascii: "#"), digits.count == 3 || digits.count == 6,
      digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
    else { return nil }
    let long = digits.count == 6 ? digits : digits.flatMap { [$0, $0] }
    guard let number = UInt32(String(decoding: long, as: UTF8.self), radix: 16) else { return nil }
    let rgb = RGB(hex: number)
    return .rgb(rgb, fallback: part.isGround ? nil : .nearest(to: rgb))
  }
}

nonisolated extension ANSIColor {
  /// Default values of the sixteen colours in xterm; users may have changed theirs.
  private static let usual: [(ANSIColor, UInt32)] = [
    (.black, 0x000000), (.red, 0xCD0000), (.green, 0x00CD00), (.yellow, 0xCDCD00),
    (.blue, 0x0000EE), (.magenta, 0xCD00CD), (.cyan, 0x00CDCD), (.white, 0xE5E5E5),
    (.brightBlack, 0x7F7F7F), (.brightRed, 0xFF0000), (.brightGreen, 0x00FF00),
    (.brightYellow, 0xFFFF00), (.brightBlue, 0x5C5CFF), (.brightMagenta, 0xFF00FF),
    (.brightCyan, 0x00FFFF), (.brightWhite, 0xFFFFFF),
  ]

  /// Returns the nearest of the sixteen colours.
  fileprivate static func nearest(to color: RGB) -> ANSIColor {
    func distance(_ other: RGB) -> Int {
      [(color.red, other.red), (color.green, other.green), (color.blue, other.blue)]
        .reduce(0) { sum, pair in
          let difference = Int(pair.0) - Int(pair.1)
          return sum + difference * difference
        }
    }
    return usual.min { distance(RGB(hex: $0.1)) < distance(RGB(hex: $1.1)) }?.0 ?? .white
  }
}

/// Colours of a theme, with fallbacks for sixteen colours.
///
/// All of them are in the palette of 256, so that a theme looks the same in 24-bit colour, at half the
/// bytes.
struct ThemeColors: Hashable, Sendable {
  /// Text on the terminal's background.
  var plain = Color.terminalDefault
  /// Text on bars and selections.
  var text: Color
  var secondary: Color
  var accent: Color
  var warning: Color
  var rule: Color
  var bar: Color
  var selection: Color
  /// Colours of all text on the selection; nil where texts keep their colours.
  var onSelection: Inverse?

  struct Inverse: Hashable, Sendable {
    let text: Color
    let secondary: Color
  }

  /// Creates the colours of a theme for a background, with the user's own.
  init(_ scheme: Theme.Scheme, on ground: Theme.Ground, _ own: CustomColors) {
    self =
      switch (scheme, ground) {
      case (.usual, .dark): .dark
      case (.usual, .light): .light
      case (.highContrast, .dark): .contrastOnDark
      case (.highContrast, .light): .contrastOnLight
      case (.colorblind, .dark): .colorblindOnDark
      case (.colorblind, .light): .colorblindOnLight
      case (.usual, .unknown), (.colorblind, .unknown): .onBoth
      case (.highContrast, .unknown): .contrastOnBoth
      case (.plain, _): .none
      }
    for part in ColorPart.allCases {
      if let color = own[part] { self[part] = color }
    }
    if let text = own[.text] { plain = text }
    if own[.selection] != nil { onSelection = nil }
  }

  private init(
    text: Color, secondary: Color, accent: Color, warning: Color, rule: Color, bar: Color,
    selection: Color, onSelection: Inverse? = nil
  ) {
    self.text = text
    self.secondary = secondary
    self.accent = accent
    self.warning = warning
    self.rule = rule
    self.bar = bar
    self.selection = selection
    self.onSelection = onSelection
  }

  subscript(part: ColorPart) -> Color {
    get { self[keyPath: Self.path(of: part)] }
    mutating set { self[keyPath: Self.path(of: part)] = newValue }
  }

  private static func path(of part: ColorPart) -> WritableKeyPath<ThemeColors, Color> {
    switch part {
    case .text: \.text
    case .secondary: \.secondary
    case .accent: \.accent
    case .warning: \.warning
    case .rule: \.rule
    case .bar: \.bar
    case .selection: \.selection
    }
  }

  private static func hex(_ hex: UInt32, _ fallback: ANSIColor? = nil) -> Color {
    .rgb(RGB(hex: hex), fallback: fallback)
  }
}

extension ThemeColors {
  fileprivate static let dark = ThemeColors(
    text: hex(0xEEEEEE), secondary: hex(0xA8A8A8), accent: hex(0xFFAF5F, .yellow),
    warning: hex(0xFF8787, .brightRed), rule: hex(0x4E4E4E, .brightBlack), bar: hex(0x262626),
    selection: hex(0x303030))

  fileprivate static let light = ThemeColors(
    text: hex(0x1C1C1C), secondary: hex(0x585858), accent: hex(0x875F00, .blue),
    warning: hex(0xAF0000, .red), rule: hex(0xC6C6C6, .white), bar: hex(0xEEEEEE),
    selection: hex(0xE4E4E4))

  /// The five colours of the palette and the grey with 4.5:1 to black and to white are all that there
  /// are; bars have the terminal's own background.
  fileprivate static let onBoth = ThemeColors(
    text: .terminalDefault, secondary: hex(0x767676), accent: hex(0x5F5FFF), warning: hex(0xAF5F5F),
    rule: hex(0x767676), bar: .terminalDefault, selection: hex(0x767676),
    onSelection: Inverse(text: hex(0xFFFFFF), secondary: hex(0xFFFFFF)))

  /// No color has 7:1 to black and to white, so texts have the terminal's own.
  fileprivate static let contrastOnBoth = ThemeColors(
    text: .terminalDefault, secondary: .terminalDefault, accent: .terminalDefault,
    warning: .terminalDefault, rule: .terminalDefault, bar: .terminalDefault,
    selection: hex(0x585858),
    onSelection: Inverse(text: hex(0xFFFFFF), secondary: hex(0xFFFFFF)))

  /// All texts have 7:1; the selection has the opposite background.
  fileprivate static let contrastOnDark = ThemeColors(
    text: hex(0xFFFFFF), secondary: hex(0xDADADA), accent: hex(0xFFFF5F, .brightYellow),
    warning: hex(0xFFAFD7), rule: hex(0x9E9E9E, .white), bar: hex(0x262626),
    selection: hex(0xEEEEEE),
    onSelection: Inverse(text: hex(0x000000), secondary: hex(0x3A3A3A)))

  fileprivate static let contrastOnLight = ThemeColors(
    text: hex(0x000000), secondary: hex(0x3A3A3A), accent: hex(0x00005F, .blue),
    warning: hex(0x870000), rule: hex(0x626262, .black), bar: hex(0xE4E4E4),
    selection: hex(0x121212),
    onSelection: Inverse(text: hex(0xFFFFFF), secondary: hex(0xDADADA)))

  /// Blue for choices, orange for reductions and errors: a pair that is distinguishable with all kinds
  /// of colour blindness (Okabe and Ito, Color Universal Design).
  fileprivate static let colorblindOnDark = ThemeColors(
    text: hex(0xEEEEEE), secondary: hex(0xA8A8A8), accent: hex(0x5FAFFF, .brightCyan),
    warning: hex(0xFFAF00, .yellow), rule: hex(0x4E4E4E, .brightBlack), bar: hex(0x262626),
    selection: hex(0x303030))

  fileprivate static let colorblindOnLight = ThemeColors(
    text: hex(0x1C1C1C), secondary: hex(0x585858), accent: hex(0x005FAF, .blue),
    warning: hex(0x875F00), rule: hex(0xC6C6C6, .white), bar: hex(0xEEEEEE),
    selection: hex(0xE4E4E4))

  /// The terminal's default colours only.
  fileprivate static let none = ThemeColors(
    text: .terminalDefault, secondary: .terminalDefault, accent: .terminalDefault,
    warning: .terminalDefault, rule: .terminalDefault, bar: .terminalDefault,
    selection: .terminalDefault)
}
