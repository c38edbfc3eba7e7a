/// Facts about the terminal from the environment and from its replies so far.
package struct TerminalFacts: Hashable, Sendable {
  package private(set) var environment: TerminalEnvironment
  /// Colour depth of text at present.
  package var colorDepth: ColorDepth
  package let isUTF8: Bool
  /// Size of a cell as the system reports it (TIOCGWINSZ); nil where it does not.
  package var windowCell: CellPixels?
  /// Size of a cell as the terminal replied; nil before.
  package private(set) var answeredCell: CellPixels?
  /// Name and version (XTVERSION), untrusted text; nil before the reply.
  package private(set) var version: String?
  /// Device attributes (DA1), whose reply comes after all others; nil before it.
  package private(set) var attributes: [Int]?
  /// Whether the terminal confirmed kitty's protocol.
  package private(set) var knowsKitty = false
  /// Whether the terminal reported its cell as iTerm2 does, whose inline pictures it then has.
  package private(set) var knowsInline = false
  /// Whether ambiguous characters take two columns, and whether control strings are printed.
  package private(set) var probe = CursorProbe()
  /// Colour of the background; nil before the reply.
  package private(set) var background: RGB?
  /// Maximum colours of a sixel picture, at most 256; nil before the reply.
  package private(set) var sixelColors: Int?
  /// Whether the terminal stated any capability (XTGETTCAP), which it does before it returns a colour.
  private var hasStatedCapability = false
  /// Highest colour depth that the terminal reported; nil before a reply.
  package private(set) var answeredColors: ColorCapability?

  package init(
    environment: TerminalEnvironment, colorDepth: ColorDepth, isUTF8: Bool,
    windowCell: CellPixels? = nil
  ) {
    self.environment = environment
    self.colorDepth = colorDepth
    self.isUTF8 = isUTF8
    self.windowCell = windowCell
  }

  package mutating func didReceive(_ reply: TerminalReply) {
    switch reply {
    case .attributes(let attributes): self.attributes = attributes
    case .version(let version):
      self.version = version
      environment.didReceive(version: version)
      if let colors = Self.colors(ofVersion: version) { didLearn(colors, by: .version) }
    case .capability(let name, let value):
      hasStatedCapability = true
      if let colors = ColorQuery.stated(name, value) { didLearn(colors, by: .capability) }
    case .keptColors(let colors):
      // Neovim's terminal returns what was set, but shows it only where it states so; from inside ssh it is
      // known by stating nothing else.
      let isTrusted = !environment.isInsideNeovim && (version != nil || hasStatedCapability)
      didLearn(isTrusted ? colors : min(colors, .palette256), by: .background)
    case .cellPixels(let width, let height):
      answeredCell = CellPixels(checked: width, height) ?? answeredCell
    case .graphics(let answer): if answer.hasPrefix("i=31;OK") { knowsKitty = true }
    case .background(let color): background = color
    case .colorRegisters(let count): if count >= 2 { sixelColors = min(256, count) }
    case .inlineCell(let width, let height):
      knowsInline = true
      answeredCell = answeredCell ?? CellPixels(checked: width, height)
    case .cursor(let point): probe.didReceive(point)
    case .foreground, .mode, .colorScheme, .ready, .other: break
    }
  }

  /// Whether the background is light, by the terminal's reply or else the environment; nil where
  /// neither says.
  package var isGroundLight: Bool? { background?.isLight ?? environment.hintsLightBackground }

  private mutating func didLearn(_ colors: ColorDepth, by source: ColorCapability.Source) {
    if let known = answeredColors, known.depth >= colors { return }
    answeredColors = ColorCapability(depth: colors, source: source)
  }

  /// Returns the depth of a version; tmux takes 256 colours in any case and shows the nearest that its
  /// terminal has.
  private static func colors(ofVersion version: String) -> ColorDepth? {
    version.hasPrefix("tmux") ? .palette256 : TerminalBrand(version: version)?.colors
  }

  /// Size of a cell; nil where neither system nor terminal reports it.
  package var cell: CellPixels? { windowCell ?? answeredCell }

  /// Terminal program; nil in a multiplexer.
  package var brand: TerminalBrand? { multiplexer == nil ? environment.knownBrand : nil }

  /// Name that the terminal reported, else that of its program; "unknown" without either.
  package var name: String { version ?? brand?.rawValue ?? "unknown" }

  /// Multiplexer between program and terminal; nil where there is none.
  package var multiplexer: Multiplexer? {
    if environment.isInsideTmux { return .tmux }
    return environment.isInsideScreen ? .screen : nil
  }

  package enum Multiplexer: String, Hashable, Sendable {
    case tmux
    case screen
  }

  /// Major and minor version of a known program that reported them, as in `kitty(0.43.0)`; else nil.
  var brandVersion: (Int, Int)? {
    guard environment.reportedBrand != nil, let version else { return nil }
    let numbers = version.drop { !$0.isNumber }.split(omittingEmptySubsequences: false) {
      !$0.isNumber
    }
    guard let major = numbers.first.flatMap({ Int($0) }) else { return nil }
    return (major, numbers.dropFirst().first.flatMap { Int($0) } ?? 0)
  }

  /// Whether the terminal reported support of sixel.
  package var knowsSixel: Bool { attributes?.contains(4) == true }
}
