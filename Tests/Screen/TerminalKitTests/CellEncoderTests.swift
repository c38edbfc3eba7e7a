import Expectations
import SafeTextKit
import Testing

@testable import TerminalKit

struct CellEncoderTests {
  private func text(
    _ text: SafeText, isUTF8: Bool, hasASCIISymbols: Bool, replacesAmbiguous: Bool = false
  ) -> [UInt32] {
    var encoder = CellEncoder(
      TerminalCapabilities(
        colors: ColorCapability(depth: .palette256, source: .entry), canStrikeThrough: true,
        encoding: isUTF8 ? .utf8 : .ascii, entry: .system))
    encoder.hasASCIISymbols = hasASCIISymbols
    encoder.replacesAmbiguous = replacesAmbiguous
    return text.clusters.map {
      encoder.form(of: Glyph($0.string.unicodeScalars)).scalarValue(at: 0)
    }
  }

  private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

  @Test func `symbols become ASCII while text stays`() {
    let shown = text("▌●○■□▸▾…·─│╌╭━▀ 한글 é ₩", isUTF8: true, hasASCIISymbols: true)

    expect(shown, scalars("|*o*o>v~*-|-+-# 한글 é ₩"))
  }

  @Test func `without UTF-8 everything is ASCII`() {
    let shown = text("▌● 한é₩×", isUTF8: false, hasASCIISymbols: false)

    expect(shown, scalars("|* ??Wx"))
  }

  @Test func `where ambiguous characters are wide, narrow ones stand for them`() {
    let shown = text(
      "▌●★…─│★ 한글 caféß ▘▛🬗₩ж", isUTF8: true, hasASCIISymbols: false, replacesAmbiguous: true)

    expect(shown, scalars("|**~-|* 한글 cafes ▘▛🬗₩?"))
  }

  @Test func `otherwise everything is what it is`() {
    let shown = text("▌●한₩", isUTF8: true, hasASCIISymbols: false)

    expect(shown, scalars("▌●한₩"))
  }
}
