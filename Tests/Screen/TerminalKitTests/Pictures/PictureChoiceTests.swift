import Expectations
import Testing

@testable import TerminalKit

struct PictureChoiceTests {
  private static func facts(
    _ variables: [String: String], tmux: Bool = false, screen: Bool = false,
    depth: ColorDepth = .direct, cell: CellPixels? = nil, _ replies: TerminalReply...
  ) -> TerminalFacts {
    var environment = TerminalEnvironment(
      name: "xterm-256color", isInsideTmux: tmux, isInsideScreen: screen)
    environment.brand = TerminalBrand.find { variables[$0] }?.brand
    var facts = TerminalFacts(
      environment: environment, colorDepth: depth, isUTF8: true, windowCell: cell)
    for reply in replies { facts.didReceive(reply) }
    return facts
  }

  @Test(arguments: [
    (["TERM": "xterm-kitty"], PictureMethod.kitty),
    (["TERM": "xterm-ghostty"], .kitty),
    (["TERM_PROGRAM": "WezTerm"], .inline),
    (["LC_TERMINAL": "iTerm2", "TERM": "xterm-256color"], .inline),
    (["TERM_PROGRAM": "vscode"], .inline),
    (["VTE_VERSION": "7600"], .blocks(.sextant)),
    (["TERM": "xterm"], .blocks(.quadrant)),
  ])
  func `before any answer the environment chooses`(
    variables: [String: String], method: PictureMethod
  ) {
    expect(PictureChoice.automatic(Self.facts(variables)).method, method)
  }

  @Test func `a kitty that stays silent about its protocol is none`() {
    let facts = Self.facts(["KITTY_WINDOW_ID": "1"], .attributes([62, 22]))

    expect(PictureChoice.automatic(facts).method, .blocks(.sextant))
  }

  @Test func `a kitty that is too old for placeholders gets blocks, and the reason says so`() {
    let old = Self.facts(
      ["TERM": "xterm-kitty"], .version("kitty(0.26.5)"), .graphics("i=31;OK"), .attributes([62]))
    let new = Self.facts(
      ["TERM": "xterm-kitty"], .version("kitty(0.28.0)"), .graphics("i=31;OK"), .attributes([62]))

    expect(PictureChoice.automatic(old).method, .blocks(.sextant))
    expect(PictureChoice.automatic(old).reason, .tooOld)
    expect(PictureChoice.automatic(new).method, .kitty)
  }

  @Test func `the answered name beats an environment that was inherited`() {
    let facts = Self.facts(
      ["KITTY_WINDOW_ID": "1"], .version("WezTerm 20240203"), .graphics("i=31;OK"),
      .attributes([65, 4]))

    expect(PictureChoice.automatic(facts).method, .inline)
  }

  @Test func `sixel needs the terminal's word and the size of a cell`() {
    let silent = Self.facts([:], cell: .typical, .attributes([62, 22]))
    let blind = Self.facts([:], .attributes([62, 4]))
    let able = Self.facts([:], .cellPixels(width: 8, height: 15), .attributes([62, 4]))

    expect(PictureChoice.automatic(silent).method, .blocks(.quadrant))
    expect(PictureChoice.automatic(blind).reason, .unknownCell)
    expect(PictureChoice.automatic(able).method, .sixel)
  }

  @Test func `tmux hands kitty's commands on or hides them`() {
    let hidden = Self.facts(["TERM": "xterm-kitty"], tmux: true, .attributes([1, 2]))
    let open = Self.facts([:], tmux: true, .attributes([1, 2]), .graphics("i=31;OK"))
    let wezterm = Self.facts(["WEZTERM_PANE": "0"], tmux: true, .graphics("i=31;OK"))

    expect(PictureChoice.automatic(hidden).reason, .hidden(.tmux))
    expect(PictureChoice.automatic(open).method, .kitty)
    expect(PictureChoice.automatic(wezterm).reason, .hidden(.tmux))
  }

  @Test(
    arguments: [
      (ColorDepth.ansi16, "rxvt", PictureMethod.blocks(.quadrant)),
      (.ansi8, "rxvt", .blocks(.braille)), (.none, "vt100", .none),
      (.ansi8, "linux", .blocks(.half)), (.none, "linux", .none),
    ])
  func `few colours get greys or braille, if the font has them, and none get no pictures`(
    depth: ColorDepth, name: String, method: PictureMethod
  ) {
    let facts = TerminalFacts(
      environment: TerminalEnvironment(name: name), colorDepth: depth, isUTF8: true)
    let ascii = TerminalFacts(
      environment: TerminalEnvironment(name: name), colorDepth: depth, isUTF8: false)

    expect(PictureChoice.automatic(facts).method, method)
    expect(PictureChoice.automatic(facts).reason, .tooFewColors)
    expect(PictureChoice.automatic(ascii).method, .none)
    expect(PictureChoice.wanted(.blocks(.braille), ascii).method, .none)
  }

  @Test func `the most colours that a terminal states are taken, by whatever it stated them`() {
    let named = Self.facts([:], .version("foot(1.25.0)"), .keptColors(.palette256))
    let kept = Self.facts([:], .version("XTerm(379)"), .keptColors(.direct))
    let stated = Self.facts(
      [:], .capability(name: "Co", value: "256"), .capability(name: "RGB", value: "8"))
    let tmux = Self.facts([:], .version("tmux 3.3a"), .attributes([1, 2]))
    let silent = Self.facts([:], .version("XTerm(200)"), .capability(name: "Co", value: "x"))

    expect(named.answeredColors, ColorCapability(depth: .direct, source: .version))
    expect(kept.answeredColors, ColorCapability(depth: .direct, source: .background))
    expect(stated.answeredColors, ColorCapability(depth: .direct, source: .capability))
    expect(tmux.answeredColors, ColorCapability(depth: .palette256, source: .version))
    expect(silent.answeredColors, nil)
  }

  @Test func `without colours nothing is drawn unless dots are wanted`() {
    let facts = Self.facts(["TERM": "xterm-kitty"], depth: .none)

    expect(PictureChoice.automatic(facts).method, .none)
    expect(PictureChoice.wanted(.blocks(.braille), facts).method, .blocks(.braille))
    expect(PictureChoice.wanted(.sixel, facts).method, .none)
    expect(PictureChoice.wanted(.sixel, Self.facts([:])).reason, .wanted)
  }
}
