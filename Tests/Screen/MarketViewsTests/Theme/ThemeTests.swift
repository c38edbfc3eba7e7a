import Expectations
import Glibc
import MarketViews
import TerminalKit
import Testing

struct ThemeTests {
  private nonisolated static let colored: [Theme.Scheme] = [.usual, .highContrast, .colorblind]

  /// Grounds that terminals really have.
  private func terminalGrounds(_ ground: Theme.Ground) -> [RGB] {
    switch ground {
    case .dark: [0x000000, 0x14171C, 0x1E1E1E, 0x282C34].map(RGB.init(hex:))
    case .light: [0xFFFFFF, 0xFAF8F3, 0xFDF6E3].map(RGB.init(hex:))
    case .unknown: [0x000000, 0xFFFFFF].map(RGB.init(hex:))
    }
  }

  private func theme(_ scheme: Theme.Scheme, _ ground: Theme.Ground) -> Theme {
    Theme(ground, scheme: scheme, strikesThrough: true)
  }

  private func minContrast(_ scheme: Theme.Scheme) -> Double { scheme == .highContrast ? 7 : 4.5 }

  private func texts(_ theme: Theme) -> [Style] {
    [
      theme.text, theme.strong, theme.secondary, theme.accent, theme.warning, theme.price,
      theme.reducedPrice, theme.oldPrice,
    ]
  }

  private func textsOnGrounds(_ theme: Theme) -> [Style] {
    texts(theme).map(theme.selected) + [
      theme.bar, theme.barSecondary, theme.barAccent, theme.barWarning, theme.field,
      theme.fieldHint, theme.restingField, theme.tile,
    ]
  }

  @Test(arguments: colored, Theme.Ground.allCases)
  func `every text reads well on the terminal's own ground`(
    scheme: Theme.Scheme, ground: Theme.Ground
  ) {
    for style in texts(theme(scheme, ground)) {
      guard let color = style.foreground.rgb else { continue }
      for terminal in terminalGrounds(ground) {
        #expect(color.contrast(with: terminal) >= minContrast(scheme), "\(color) on \(terminal)")
      }
    }
  }

  @Test(arguments: colored, Theme.Ground.allCases)
  func `every text reads well on bars, selected rows, fields and tiles`(
    scheme: Theme.Scheme, ground: Theme.Ground
  ) throws {
    for style in textsOnGrounds(theme(scheme, ground)) {
      // The terminal's own background, on which all texts read well.
      if ground == .unknown, style.background.isTerminalDefault { continue }
      let color = try #require(style.foreground.rgb)
      let behind = try #require(style.background.rgb)
      #expect(color.contrast(with: behind) >= minContrast(scheme), "\(color) on \(behind)")
    }
  }

  @Test(arguments: ColorBlindness.allCases, Theme.Ground.allCases)
  func `what can be chosen and what is wrong differ for the colour blind`(
    blindness: ColorBlindness, ground: Theme.Ground
  ) throws {
    let theme = theme(.colorblind, ground)

    let accent = blindness.seen(try #require(theme.accent.foreground.rgb))
    let warning = blindness.seen(try #require(theme.warning.foreground.rgb))

    let distance = zip(accent, warning).map { abs($0 - $1) }.max() ?? 0
    #expect(distance >= 0.25, "\(accent) beside \(warning)")
  }

  @Test(arguments: Theme.Ground.allCases)
  func `a plain theme has attributes and no colours`(ground: Theme.Ground) {
    let theme = theme(.plain, ground)

    for style in texts(theme) + textsOnGrounds(theme) {
      #expect(style.foreground.isTerminalDefault && style.background.isTerminalDefault)
    }
    #expect(theme.selected(theme.text).attributes.contains(.reverse))
    #expect(theme.field.attributes.contains(.underline))
    #expect(theme.warning.attributes.contains(.bold))
  }

  @Test(arguments: Theme.Scheme.allCases, Theme.Ground.allCases)
  func `what is selected, dear or wrong differs by more than colour`(
    scheme: Theme.Scheme, ground: Theme.Ground
  ) {
    let theme = theme(scheme, ground)

    #expect(theme.price.attributes.contains(.bold))
    #expect(theme.barWarning.attributes.contains(.bold))
    #expect(theme.oldPrice.attributes.contains(.strikethrough))
    #expect(theme.selected(theme.strong).attributes.contains(.bold))
  }

  @Test(arguments: Theme.Ground.allCases)
  func `without shades a field is underlined, also after the ground has changed`(
    ground: Theme.Ground
  ) {
    let theme = Theme(.dark, strikesThrough: true, hasShades: false).on(ground)

    #expect(theme.field.attributes.contains(.underline))
    #expect(!Theme(ground, strikesThrough: true).field.attributes.contains(.underline))
  }

  @Test(arguments: Theme.Scheme.allCases)
  func `another ground keeps the scheme and the own colours`(scheme: Theme.Scheme) {
    var colors = CustomColors()
    let isRead = colors.give("#123456", to: .accent)

    let theme = Theme(.dark, scheme: scheme, colors: colors, strikesThrough: true).on(.light)

    #expect(isRead && theme.accent.foreground.rgb == RGB(hex: 0x123456))
    #expect(theme.scheme == scheme && theme.ground == .light)
  }

  @Test(arguments: [
    ("#ff0000", RGB(hex: 0xFF0000)), ("#0f8", RGB(hex: 0x00FF88)), ("#ABCDEF", RGB(hex: 0xABCDEF)),
  ])
  func `a colour is read from six digits or three`(word: String, color: RGB) {
    var colors = CustomColors()

    let isRead = colors.give(word, to: .text)

    let theme = Theme(.dark, colors: colors, strikesThrough: true)
    #expect(isRead && theme.text.foreground.rgb == color && theme.bar.foreground.rgb == color)
  }

  @Test(arguments: ["", "#", "red", "#12", "#1234", "#12345g", "ff0000", "#+12345", "#가나다"])
  func `what is no colour is not taken`(word: String) {
    var colors = CustomColors()

    let isRead = colors.give(word, to: .accent)

    #expect(!isRead && colors == CustomColors())
  }

  @Test
  func `the terminal's own colour can be asked for, and a field without ground is underlined`() {
    var colors = CustomColors()
    let isRead = colors.give("default", to: .selection) && colors.give("default", to: .accent)

    let theme = Theme(.dark, colors: colors, strikesThrough: true)

    #expect(isRead && theme.accent.foreground.isTerminalDefault)
    #expect(theme.field.background.isTerminalDefault)
    #expect(theme.field.attributes.contains(.underline))
  }

  @Test(arguments: [("#ff1010", ANSIColor.brightRed), ("#0000e0", .blue), ("#101010", .black)])
  func `with sixteen colours the nearest stands for an own one`(word: String, color: ANSIColor) {
    var colors = CustomColors()
    _ = colors.give(word, to: .warning)

    expect(Theme(.dark, colors: colors, strikesThrough: true).warning.foreground.fallback, color)
  }
}

/// A kind of colour blindness, as Machado, Oliveira and Fernandes model it at full severity
/// (doi 10.1109/TVCG.2009.113).
enum ColorBlindness: CaseIterable {
  case protanopia, deuteranopia, tritanopia

  /// Red, green and blue as they are seen, 0 to 1 each.
  func seen(_ color: RGB) -> [Double] {
    let linear = [color.red, color.green, color.blue].map { pow(Double($0) / 255, 2.2) }
    return matrix.map { row in
      let sum = zip(row, linear).map(*).reduce(0, +)
      return pow(min(1, max(0, sum)), 1 / 2.2)
    }
  }

  private var matrix: [[Double]] {
    switch self {
    case .protanopia:
      [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]
    case .deuteranopia:
      [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]
    case .tritanopia:
      [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]
    }
  }
}
