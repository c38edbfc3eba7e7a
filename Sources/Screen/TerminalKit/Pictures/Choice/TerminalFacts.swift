/// Facts about the terminal: what the environment says, and what it has answered so far.
package struct TerminalFacts: Hashable, Sendable {
  package let environment: TerminalEnvironment
  /// The colours that text has on the screen at present.
  package var colorDepth: ColorDepth
  package let isUTF8: Bool
  /// The size of a cell as the system knows it (TIOCGWINSZ).
  package var windowCell: CellPixels?
  /// The same as the terminal answers it.
  package private(set) var answeredCell: CellPixels?
  /// Name and version (XTVERSION), as they came.
  package private(set) var version: String?
  /// The device attributes (DA1), whose answer comes after all others; nil before it.
  package private(set) var attributes: [Int]?
  /// Whether the terminal took part in kitty's protocol.
  package private(set) var knowsKitty = false
  /// The background's colour.
  package private(set) var background: RGB?
  /// Colours that a sixel picture may have, as far as the terminal said.
  package private(set) var sixelColors: Int?
  /// The most colours that the terminal said it shows; nil before it has.
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
      if let colors = Self.colors(ofVersion: version) { didLearn(colors, by: .version) }
    case .capability(let name, let value):
      if let colors = ColorQuery.stated(name, value) { didLearn(colors, by: .capability) }
    case .keptColors(let colors): didLearn(colors, by: .background)
    case .cellPixels(let width, let height):
      answeredCell = CellPixels(checked: width, height) ?? answeredCell
    case .graphics(let answer): if answer.hasPrefix("i=31;OK") { knowsKitty = true }
    case .background(let color): background = color
    case .colorRegisters(let count): if count >= 2 { sixelColors = min(256, count) }
    case .foreground, .cursor, .mode, .colorScheme, .ready, .other: break
    }
  }

  /// Whether the background is light, as far as anybody says.
  package var isGroundLight: Bool {
    background?.isLight ?? environment.hintsLightBackground ?? false
  }

  private mutating func didLearn(_ colors: ColorDepth, by source: ColorCapability.Source) {
    if let known = answeredColors, known.depth >= colors { return }
    answeredColors = ColorCapability(depth: colors, source: source)
  }

  /// tmux takes 256 colours in any case, and shows the nearest that the terminal around it has.
  private static func colors(ofVersion version: String) -> ColorDepth? {
    version.hasPrefix("tmux") ? .palette256 : TerminalBrand(version: version)?.colors
  }

  /// The size of a cell; nil where nobody knows it.
  package var cell: CellPixels? { windowCell ?? answeredCell }

  /// The terminal in which the program runs; inside tmux that is tmux, and this is nil.
  package var brand: TerminalBrand? {
    guard multiplexer == nil else { return nil }
    return version.flatMap { TerminalBrand(version: $0) } ?? environment.brand
  }

  /// The name that the terminal gives itself, else that of what it seems to be.
  package var name: String { version ?? brand?.rawValue ?? "unknown" }

  /// Whether the terminal itself has said that it takes kitty's pictures.
  var confirmsKitty: Bool {
    knowsKitty || version.flatMap { TerminalBrand(version: $0) }?.pictures == .kitty
  }

  /// The multiplexer between the program and the terminal.
  package var multiplexer: Multiplexer? {
    if environment.isInsideTmux { return .tmux }
    return environment.isInsideScreen ? .screen : nil
  }

  package enum Multiplexer: String, Hashable, Sendable {
    case tmux
    case screen
  }

  /// The version of a kitty that has said it, as in `kitty(0.43.0)`.
  var kittyVersion: (Int, Int)? {
    guard let version, version.hasPrefix("kitty(") else { return nil }
    let numbers = version.dropFirst(6).split(separator: ".").prefix(2).compactMap { Int($0) }
    return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
  }

  /// Whether the terminal says that it shows sixel graphics.
  package var knowsSixel: Bool { attributes?.contains(4) == true }
}
