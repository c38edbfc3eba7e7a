internal import TerminalKit

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
