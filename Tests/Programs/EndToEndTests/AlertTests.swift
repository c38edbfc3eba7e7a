import Expectations
import Glibc
import MarketModel
import MarketStore
import StoreCore
import TerminalTestSupport
import TestSupport
import Testing

/// What a person waits for, in the program, beside it and without it.
@Suite(.ownThread) struct AlertTests {
  /// A market with a cup for 12,000 won, whose password is known.
  private func program(name: String = "Cup") async throws -> MarketProgram {
    let program = try await MarketProgram(.rows(2))
    try program.addPhoto("cup.jpg", fixture: "baseline.jpg")
    let registration = try program.runShell(
      """
      echo sesame | market new --name '\(name)' --price 12000 --currency KRW --description 'A blue cup for tea.' --stock 1 \
        --photo cup.jpg --seller Hana --store "$HOME/trial.market" --json | grep -o '"id":[0-9]*'
      """)
    expect(registration.exit, .exited(status: 0))
    return program
  }

  private static func change(_ what: String) -> String {
    "echo sesame | market edit 3 \(what) --store \"$HOME/trial.market\" > /dev/null"
  }

  /// Opens the program and waits for the cup at a price below 10,000 won.
  private func alertForPrice(
    in program: MarketProgram, _ options: [String] = []
  ) throws -> TerminalSession {
    let session = try program.open(words: ["--view", "list", "--language", "en"] + options)
    try session.wait(forText: "Ware 001")
    try session.watchForPrice(below: "10,000")
    return session
  }

  @Test func `another program lowers the price, and the first one shows what has come`()
    async throws
  {
    let program = try await program()
    let session = try alertForPrice(in: program)

    _ = try program.runShell(Self.change("--price 9000"))

    try session.wait(forText: "Cup is ₩9,000, below ₩10,000")
    try session.wait(forText: "◆ 1")
    session.type("T")
    try session.wait(forText: "◆ Cup")
    try session.wait(for: "nothing that nobody has seen") { !$0.contains("◆ 1") }
    session.type("<Enter>")
    try session.wait(forText: "#3")
    session.type("<C-c>")
    try expect(session.waitForExit(), .exited(status: 0))
  }

  @Test func `without a screen what has come is told once, by its exit status as well`()
    async throws
  {
    let program = try await program()
    let session = try alertForPrice(in: program)
    session.type("<C-c>")
    _ = try session.waitForExit()

    let first = try program.runShell("market alerts --language en")
    let second = try program.runShell(
      Self.change("--price 9000") + "\nmarket alerts --language en --json")
    let third = try program.runShell("market alerts --language en")
    let fourth = try program.runShell(
      """
      \(Self.change("--price 11000")); market alerts --language en; echo "status $?"
      \(Self.change("--price 8000")); market alerts --language en; echo "status $?"
      """)

    #expect(first.exit == .exited(status: 5) && first.output == "")
    expect(second.exit, .exited(status: 0))
    #expect(second.output.hasPrefix(#"{"event":"below","market":""#))
    #expect(second.output.contains(#""product":3,"name":"Cup","price":9000,"currency":"KRW""#))
    #expect(third.exit == .exited(status: 5) && third.output == "")
    #expect(fourth.output.hasPrefix("status 5\n"))
    #expect(fourth.output.hasSuffix("Cup is ₩8,000, below ₩10,000\nstatus 0\n"))
  }

  @Test func `questions and answers are told once without a screen, from each known market`()
    async throws
  {
    let program = try await program()
    let path = program.path(of: "trial.market")
    let servers = #"{ "servers": { "trial": "\#(path)", "away": "http://127.0.0.1:1" } }"#
    try program.addFile(".config/market/settings.json", servers)
    let first = try program.runShell("market alerts --language en")
    let secret = try program.runShell("market identity --store \"$HOME/trial.market\"").output
    let store = try await SQLiteStore.open(
      at: path, pictureProcessor: PassThroughPictureProcessor(), options: SQLiteStore.Options())
    let other = SellerIdentifier(secret: "other")
    for text in ["Is it still there?", "Any cracks?"] {
      _ = try await store.ask(
        NewQuestion(text: text, offerHundredths: 9_000_00), about: Product.ID(rawValue: 3),
        by: other, key: IdempotencyKey(rawValue: text))
    }
    let bike = try await store.register(
      .sample(name: "Road bike", password: "secret"), by: .seller(other),
      key: IdempotencyKey(rawValue: "bike"))
    let question = try await store.ask(
      NewQuestion(text: "Which size?"), about: bike.id,
      by: SellerIdentifier(secret: secret.filter { !$0.isNewline }),
      key: IdempotencyKey(rawValue: "size"))

    let asked = try program.runShell("market alerts --language en")
    _ = try await store.answer(
      question.id, with: NewAnswer(text: "54."), by: .seller(other), password: nil)
    let answered = try program.runShell("market alerts --language en --json")
    let last = try program.runShell("market alerts --language ko")

    #expect(first.exit == .exited(status: 5) && first.output == "" && first.errors == "")
    #expect(asked.output == "trial: 2 new questions; m shows them\n" && asked.errors == "")
    expect(
      answered.output,
      #"{"event":"answer","market":"trial","text":"54.","product":4,"name":"Road bike"}"#
        + "\n")
    #expect(last.exit == .exited(status: 5) && last.output == "")
  }

  @Test func `the user's own command gets what has come, whatever a product is called`()
    async throws
  {
    let program = try await program(name: "Cup; touch evil $(touch evil)\u{202E}`touch evil`")
    try program.addFile(
      ".config/market/settings.json", #"{ "on-alert": ["hear", "$(touch evil)"] }"#)
    try program.addFile("bin/hear", "#!/bin/sh\n(echo \"$1\"; cat; ls /proc/self/fd) > heard\n")
    let session = try alertForPrice(in: program)
    session.type("<C-c>")
    _ = try session.waitForExit()

    let run = try program.runShell(
      """
      export PATH="$HOME/bin:$PATH"
      \(Self.change("--price 9000")); market alerts --on-alert --language en > told
      cat heard; ls
      """)

    let lines = run.output.split(separator: "\n")
    expect(lines.first, "$(touch evil)")
    expect(lines.dropFirst().first?.contains(#""name":"Cup; touch evil $(touch evil)"#), true)
    #expect(!run.output.contains("\u{202E}"))
    #expect(!lines.contains("evil"))
  }

  private static let told = "OpenMarket: Cup, red is ₩9,000, below ₩10,000\u{1B}\\"

  @Test(arguments: [
    ("osc777", "\u{1B}]777;notify;OpenMarket;" + told), ("osc99", "\u{1B}]99;;" + told),
    ("osc9", "\u{1B}]9;" + told), ("bell", "\u{7}"),
  ])
  func `the terminal is told where that is wanted, in one safe command`(
    choice: String, command: String
  ) async throws {
    let program = try await program(name: "Cup; red")
    let session = try alertForPrice(in: program, ["--notify", choice])
    // The window loses the focus.
    session.type(KeyScript(bytes: Array("\u{1B}[O".utf8)))

    _ = try program.runShell(Self.change("--price 9000"))

    try session.wait(forText: "below ₩10,000")
    #expect(session.output.firstRange(of: Array(command.utf8)) != nil)
    let rest = session.output.split(separator: Array(command.utf8)).joined()
    expect(EscapeAudit.unexpectedSequences(in: Array(rest)), [])
  }

  @Test func `a window that has the focus gets no notification`() async throws {
    let program = try await program()
    let session = try alertForPrice(in: program, ["--notify", "osc9"])

    _ = try program.runShell(Self.change("--price 9000"))

    try session.wait(forText: "below ₩10,000")
    expect(session.output.firstRange(of: Array("\u{1B}]9;".utf8)), nil)
  }
}
