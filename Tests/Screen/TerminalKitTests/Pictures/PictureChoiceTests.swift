import Expectations
import Testing

@testable import TerminalKit

struct PictureChoiceTests {
  private static func facts(
    _ variables: [String: String], tmux: Bool = false, screen: Bool = false,
    depth: ColorDepth = .direct, cell: CellPixels? = nil, _ replies: TerminalReply...
  ) -> TerminalFacts {
    var environment = TerminalEnvironment(
      name: variables["TERM"] ?? "xterm-256color", isInsideTmux: tmux, isInsideScreen: screen)
    environment.brand = TerminalBrand.find { variables[$0] }?.brand
    var facts = TerminalFacts(
      environment: environment, colorDepth: depth, isUTF8: true, windowCell: cell)
    for reply in replies { facts.didReceive(reply) }
    return facts
  }

  /// Answers of a terminal whose variables name `inherited`, and what it gets.
  struct Case: CustomStringConvertible, Sendable {
    let description: String
    let inherited: [String: String]
    let replies: [TerminalReply]
    let method: PictureMethod

    init(
      _ description: String, _ inherited: [String: String] = [:], _ replies: [TerminalReply],
      _ method: PictureMethod
    ) {
      self.description = description
      self.inherited = inherited
      self.replies = replies
      self.method = method
    }
  }

  private nonisolated static let quadrants = PictureMethod.blocks(.quadrant)
  private nonisolated static let sextants = PictureMethod.blocks(.sextant)
  private nonisolated static let cell = TerminalReply.cellPixels(width: 8, height: 15)

  nonisolated static let cases = [
    Case(
      "kitty", ["TERM": "xterm-kitty"],
      [.version("kitty(0.43.0)"), .graphics("i=31;OK"), .attributes([62])], .kitty),
    Case("kitty over ssh", [:], [.version("kitty(0.43.0)"), .attributes([62])], .kitty),
    Case("Ghostty", [:], [.version("ghostty 1.2.0"), .attributes([62, 22])], .kitty),
    Case("old kitty", [:], [.version("kitty(0.26.5)"), .attributes([62])], sextants),
    Case(
      "st with kitty's protocol", ["TERM": "xterm-kitty"],
      [.graphics("i=31;OK"), .attributes([62])], .kitty),
    Case("WezTerm", [:], [.version("WezTerm 20240203"), .attributes([65, 4])], .inline),
    Case("iTerm2", [:], [.version("iTerm2 3.5.0"), .attributes([64, 4])], .inline),
    Case(
      "iTerm2 without a name", ["LC_TERMINAL": "iTerm2"],
      [.inlineCell(width: 16, height: 34), .attributes([62])], .inline),
    Case("mintty", [:], [.version("mintty 3.6.4"), .attributes([64, 4])], .inline),
    Case(
      "VS Code with images", ["TERM_PROGRAM": "vscode"],
      [.version("xterm.js(5.5.0)"), .attributes([62, 4, 9, 22])], .inline),
    Case("foot", [:], [.version("foot(1.25.0)"), cell, .attributes([62, 4, 22])], .sixel),
    Case("Konsole", [:], [.version("Konsole 22.12.3"), cell, .attributes([62, 1, 4])], .sixel),
    Case("mlterm", [:], [.version("mlterm(3.9.2)"), cell, .attributes([63, 4])], .sixel),
    Case("Windows Terminal", ["WT_SESSION": "1"], [cell, .attributes([61, 4])], .sixel),
    Case("sixel without a cell", [:], [.attributes([62, 4])], quadrants),
    Case(
      "kitty in Konsole's variables", ["KONSOLE_VERSION": "220"],
      [.version("kitty(0.43.0)"), .attributes([62])], .kitty),
    // The variables name another terminal than the one at hand.
    Case("before any answer", ["TERM": "xterm-kitty"], [], sextants),
    Case("silent, by WezTerm", ["TERM_PROGRAM": "WezTerm"], [], quadrants),
    Case("Alacritty", ["TERM": "alacritty"], [.attributes([6])], quadrants),
    Case("VTE", [:], [.version("VTE(7800)"), .attributes([65, 1])], .blocks(.octant)),
    Case("VTE before octants", [:], [.version("VTE(7006)"), .attributes([65, 1])], sextants),
    Case("foot without its version", ["TERM": "foot"], [.attributes([62])], sextants),
    Case("foot", [:], [.version("foot(1.20.2)"), .attributes([62])], .blocks(.octant)),
    Case("st from WezTerm", ["TERM_PROGRAM": "WezTerm"], [.attributes([6])], quadrants),
    Case("st from kitty", ["KITTY_WINDOW_ID": "1"], [.attributes([6])], quadrants),
    Case("dvtm in iTerm2", ["LC_TERMINAL": "iTerm2"], [.attributes([1, 2])], quadrants),
    Case("mosh in iTerm2", ["LC_TERMINAL": "iTerm2"], [.attributes([62])], quadrants),
    Case("vterm in iTerm2", ["TERM_PROGRAM": "iTerm.app"], [.attributes([1, 2])], quadrants),
    Case(
      "nvim in WezTerm", ["WEZTERM_PANE": "0"], [.version("libvterm(0.3)"), .attributes([1, 2])],
      quadrants),
    Case(
      "Zellij in WezTerm", ["TERM_PROGRAM": "WezTerm"],
      [.version("Zellij(0.41)"), .attributes([62])], quadrants),
    Case(
      "Zellij in foot", ["TERM_PROGRAM": "WezTerm"],
      [.version("Zellij(0.41)"), cell, .attributes([62, 4])], .sixel),
    Case("VS Code", ["TERM_PROGRAM": "vscode"], [.attributes([1, 2])], quadrants),
    Case(
      "VS Code, images off", ["TERM_PROGRAM": "vscode"],
      [.version("xterm.js(5.5.0)"), .attributes([1, 2])], quadrants),
    Case("mintty's variable", ["TERM_PROGRAM": "mintty"], [.attributes([1, 2])], quadrants),
    Case(
      "Konsole from kitty", ["KITTY_WINDOW_ID": "1"],
      [.version("Konsole 22.12.3"), cell, .graphics("i=31;OK"), .attributes([62, 4])], .sixel),
    Case(
      "WezTerm from kitty", ["KITTY_WINDOW_ID": "1"],
      [.version("WezTerm 20240203"), .graphics("i=31;OK"), .attributes([65, 4])], .inline),
    Case(
      "unknown name from kitty", ["KITTY_WINDOW_ID": "1"],
      [.version("Warp(v0.2)"), .graphics("i=31;OK"), .attributes([62])], quadrants),
    Case(
      "wide symbols", [:],
      [0, 2, 4, 6, 6].map { .cursor(CellPoint(column: $0, row: 1)) } + [.attributes([62])],
      .blocks(.corner)),
  ]

  @Test(arguments: cases)
  func `pictures are what the terminal itself has answered for`(example: Case) {
    var facts = Self.facts(example.inherited)
    for reply in example.replies { facts.didReceive(reply) }

    expect(PictureChoice.automatic(facts).method, example.method)
  }

  @Test func `a choice of blocks says why`() {
    let old = Self.facts([:], .version("kitty(0.26.5)"), .attributes([62]))
    let blind = Self.facts([:], .attributes([62, 4]))

    expect(PictureChoice.automatic(old).reason, .tooOld)
    expect(PictureChoice.automatic(blind).reason, .unknownCell)
    expect(PictureChoice.automatic(Self.facts([:])).reason, .unanswered)
    expect(PictureChoice.automatic(Self.facts([:], .attributes([1]))).reason, .nothingBetter)
  }

  @Test func `a multiplexer is what answers as one, not what a variable says`() {
    let kitty = TerminalReply.version("kitty(0.43.0)")
    let inherited = Self.facts([:], tmux: true, kitty, .attributes([62]))
    let fromScreen = Self.facts([:], screen: true, kitty, .attributes([62]))
    let overSSH = Self.facts([:], .version("tmux 3.4"), .attributes([1, 2]))

    expect(PictureChoice.automatic(inherited).method, .kitty)
    expect(PictureChoice.automatic(fromScreen).method, .kitty)
    expect(overSSH.multiplexer, .tmux)
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
    expect(PictureChoice.wantedBlocks(ascii).method, .none)
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

  @Test func `what a terminal returns of colours counts as 256 where it states nothing else`() {
    let nameless = Self.facts([:], .keptColors(.direct), .attributes([1, 2]))
    let old = Self.facts([:], .capability(name: "Co", value: "256"), .keptColors(.direct))

    expect(nameless.answeredColors, ColorCapability(depth: .palette256, source: .background))
    expect(old.answeredColors, ColorCapability(depth: .direct, source: .background))
  }

  @Test func `what Neovim returns of colours that it does not show counts as 256`() {
    var facts = TerminalFacts(
      environment: TerminalEnvironment(name: "xterm-256color", isInsideNeovim: true),
      colorDepth: .palette256, isUTF8: true)
    facts.didReceive(.keptColors(.direct))

    expect(facts.answeredColors, ColorCapability(depth: .palette256, source: .background))
  }

  @Test func `without colours nothing is drawn unless blocks are wanted, which are dots then`() {
    let facts = Self.facts(["TERM": "xterm-kitty"], depth: .none)

    expect(PictureChoice.automatic(facts).method, .none)
    expect(PictureChoice.wantedBlocks(facts).method, .blocks(.braille))
    expect(PictureChoice.wanted(.sixel, facts).method, .none)
    expect(PictureChoice.wanted(.sixel, Self.facts([:])).reason, .wanted)
  }
}
