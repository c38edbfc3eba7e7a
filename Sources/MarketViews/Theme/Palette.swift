internal import TerminalKit

/// The colours of a theme; with sixteen colours the fallbacks stand in.
struct Palette: Hashable, Sendable {
  let text: Color
  let secondary: Color
  let accent: Color
  let warning: Color
  let rule: Color
  let bar: Color
  let selection: Color

  static let dark = Palette(
    text: .rgb(RGB(hex: 0xE6E8EC)),
    secondary: .rgb(RGB(hex: 0x9DA3AE)),
    accent: .rgb(RGB(hex: 0xF0A860), fallback: .yellow),
    warning: .rgb(RGB(hex: 0xFF7B6B), fallback: .brightRed),
    rule: .rgb(RGB(hex: 0x3F4551), fallback: .brightBlack),
    bar: .rgb(RGB(hex: 0x1F232B)),
    selection: .rgb(RGB(hex: 0x2C323D)))

  static let light = Palette(
    text: .rgb(RGB(hex: 0x1E2126)),
    secondary: .rgb(RGB(hex: 0x5C6068)),
    accent: .rgb(RGB(hex: 0x9A4312), fallback: .magenta),
    warning: .rgb(RGB(hex: 0xB3202C), fallback: .red),
    rule: .rgb(RGB(hex: 0xC9C5BA), fallback: .white),
    bar: .rgb(RGB(hex: 0xF1EFE8)),
    selection: .rgb(RGB(hex: 0xE8E4D9)))
}
