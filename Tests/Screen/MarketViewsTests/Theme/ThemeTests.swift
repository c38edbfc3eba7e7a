import MarketViews
import TerminalKit
import Testing

@Suite struct ThemeTests {
  /// Grounds that terminals really have.
  private func terminalGrounds(_ ground: Theme.Ground) -> [RGB] {
    switch ground {
    case .dark: [0x000000, 0x14171C, 0x1E1E1E, 0x282C34].map(RGB.init(hex:))
    case .light: [0xFFFFFF, 0xFAF8F3, 0xFDF6E3].map(RGB.init(hex:))
    }
  }

  private func texts(_ theme: Theme) -> [Style] {
    [
      theme.text, theme.strong, theme.secondary, theme.accent, theme.warning, theme.price,
      theme.reducedPrice, theme.oldPrice,
    ]
  }

  @Test(arguments: Theme.Ground.allCases)
  func `every text reads well on the terminal's own ground`(ground: Theme.Ground) {
    let theme = Theme(ground, strikesThrough: true)

    for style in texts(theme) {
      guard let color = style.foreground.rgb else { continue }
      for terminal in terminalGrounds(ground) {
        #expect(color.contrast(with: terminal) >= 4.5, "\(color) on \(terminal)")
      }
    }
  }

  @Test(arguments: Theme.Ground.allCases)
  func `every text reads well on bars, selected rows, fields and tiles`(
    ground: Theme.Ground
  ) throws {
    let theme = Theme(ground, strikesThrough: true)
    let onGrounds =
      texts(theme).map(theme.selected) + [
        theme.bar, theme.barSecondary, theme.barAccent, theme.barWarning, theme.field,
        theme.fieldHint, theme.tile,
      ]

    for style in onGrounds {
      let color = try #require(style.foreground.rgb)
      let behind = try #require(style.background.rgb)
      #expect(color.contrast(with: behind) >= 4.5, "\(color) on \(behind)")
    }
  }

  @Test(arguments: Theme.Ground.allCases)
  func `what is selected, dear or wrong differs by more than colour`(ground: Theme.Ground) {
    let theme = Theme(ground, strikesThrough: true)

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
}
