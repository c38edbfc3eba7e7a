import Expectations
import Testing

@testable import TerminalKit

struct ColorTests {
  private static let orange = Color.rgb(RGB(hex: 0xFF5533), fallback: .brightRed)

  @Test(
    arguments: [
      (ColorDepth.none, -1), (.ansi8, 1), (.ansi16, 9), (.palette256, 203), (.direct, 0xFF5533),
    ] as [(ColorDepth, Int32)])
  func `a colour has a number at every depth`(depth: ColorDepth, number: Int32) {
    expect(depth.number(of: Self.orange), number)
    expect(depth.number(of: .terminalDefault), -1)
  }

  @Test func `a colour of the fixed palette goes by its short number in direct colour`() {
    expect(ColorDepth.direct.number(of: .rgb(.black)), 16)
    expect(ColorDepth.direct.number(of: .rgb(RGB(hex: 0xFFAF5F))), 215)
    expect(ColorDepth.direct.number(of: .rgb(RGB(hex: 0x303030))), 236)
  }

  @Test(arguments: [0x000001, 0x0000FE, 0x123456, 0xFFFFFE] as [UInt32])
  func `no other colour in direct colour has a number of the palette`(hex: UInt32) {
    #expect(ColorDepth.direct.number(of: .rgb(RGB(hex: hex))) >= 256)
  }

  @Test func `grey text on eight colours is the terminal's own`() {
    expect(ColorDepth.ansi8.number(of: .rgb(RGB(136, 136, 136), fallback: .brightBlack)), -1)
  }

  @Test(
    arguments: [
      (0x000000, 16), (0xFFFFFF, 231), (0x5F87AF, 67), (0x808080, 244), (0x121212, 233),
    ] as [(UInt32, Int32)])
  func `the nearest of 256 colours`(hex: UInt32, index: Int32) {
    expect(Palette.nearest(to: RGB(hex: hex)), index)
  }

  @Test func `a colour remembers what it was made of`() {
    expect(Self.orange.rgb, RGB(255, 85, 51))
    expect(Self.orange.fallback, .brightRed)
    expect(Color.rgb(.black).fallback, nil)
    #expect(!Color.rgb(.black).isTerminalDefault)
  }

  @Test func `contrast is that of WCAG`() {
    #expect(abs(RGB.black.contrast(with: .white) - 21) < 0.001)
    #expect(RGB(hex: 0xFDF6E3).isLight)
    #expect(!RGB(hex: 0x1E1E2E).isLight)
  }
}
