import TerminalTestSupport
import TestSupport

/// One run of the program in the emulator: the keys that are typed, and the screens that are kept.
struct DemoRun {
  /// A screen that is kept for the picture.
  struct Scene {
    let caption: String
    let milliseconds: Int
    let screen: DemoScreen
  }

  /// Keys, what they lead to, and for how long the picture shows it, if at all.
  struct Step {
    let keys: KeyScript
    /// A text that the screen then holds.
    let text: String
    let caption: String
    let milliseconds: Int
    /// Whether pictures come after the frame that makes room for them.
    var hasPictures = false
  }

  static let size = TerminalSize(columns: 120, rows: 34)
  static let cell = (width: 10, height: 20)
  /// How long nothing comes when a screen is whole.
  private static let rest = Duration.seconds(2)

  let options: [String]
  let persona: TerminalPersona
  let steps: [Step]

  static let all = [
    DemoRun(
      options: ["--language", "en"], persona: .sixel,
      steps: [
        Step(
          keys: "", text: "Quit", caption: "Browse products as a grid of pictures",
          milliseconds: 2_500, hasPictures: true),
        Step(
          keys: "l", text: "Quit", caption: "Move with the arrow keys or h j k l", milliseconds: 700
        ),
        Step(
          keys: "l", text: "Quit", caption: "Move with the arrow keys or h j k l", milliseconds: 700
        ),
        Step(keys: "/camera", text: "3 products", caption: "Search with /", milliseconds: 1_800),
        Step(keys: "<Enter>", text: "Show all", caption: "Search with /", milliseconds: 700),
        Step(
          keys: "<Enter>", text: "1/4", caption: "Open a product with Enter",
          milliseconds: 3_000, hasPictures: true),
        Step(keys: "<Esc>", text: "Show all", caption: "", milliseconds: 0),
        Step(keys: "<Esc>", text: "66 products", caption: "", milliseconds: 0),
        Step(
          keys: "v", text: "1/4",
          caption: "Switch to the list with v; wide windows show the product beside it",
          milliseconds: 2_500, hasPictures: true),
        Step(keys: "n", text: "Price", caption: "Sell with n", milliseconds: 1_000),
        Step(
          keys: "<Tab>Desk lamp, warm light<Tab><Tab>42000", text: "42,000", caption: "Sell with n",
          milliseconds: 2_200),
      ]),
    DemoRun(
      options: ["--language", "ko"], persona: .dark,
      steps: [
        Step(
          keys: "", text: "종료",
          caption: "Korean and English; block characters where a terminal shows no pictures",
          milliseconds: 2_500),
        Step(
          keys: "v", text: "1/4",
          caption: "Korean and English; block characters where a terminal shows no pictures",
          milliseconds: 2_500),
      ]),
  ]

  /// Plays all steps in a new market with the sample products.
  ///
  /// - Parameter take: takes each scene.
  /// - Throws: where the program shows something else.
  func play(_ take: (Scene) throws -> Void) throws {
    let folder = try TemporaryFolder()
    let session = try TerminalSession(
      [try ChildProcess.path(of: "market")] + options,
      environment: [
        "PATH": "/nonexistent", "HOME": folder.path, "LANG": "C.UTF-8", "TERM": "xterm-256color",
        "COLORTERM": "truecolor", "SWIFT_BACKTRACE": "enable=no",
      ], size: Self.size, persona: persona)
    for step in steps {
      session.type(step.keys)
      try session.wait(for: step.text) { screen in
        screen.contains(step.text) && !(step.hasPictures && session.pictures.painted.isEmpty)
      }
      while !session.listen(for: Self.rest).isEmpty {}
      guard step.milliseconds > 0 else { continue }
      try take(
        Scene(
          caption: step.caption, milliseconds: step.milliseconds, screen: DemoScreen(session)))
    }
  }
}
