import MarketStore
import StoreCore
import TerminalTestSupport
import Testing

@Suite(.ownThread) struct BrowseCommandTests {
  @Test func `the first start shows the sample market`() async throws {
    let session = try await MarketProgram(nil).open()

    try session.wait(forText: "Road bike")

    #expect(session.screen.modes.isInAlternateScreen)
  }

  @Test func `pages come before the selection gets to their products`() async throws {
    let session = try await MarketProgram(.rows(45)).open("--view", "list")
    try session.wait(forText: "Ware 001")

    for number in 2...45 {
      session.type("j")
      try session.waitForSelection("Ware " + "00\(number)".suffix(3))
    }

    #expect(!session.screen.contains("Ware 001"))
  }

  @Test func `the last key goes to a product that has not been read yet`() async throws {
    let session = try await MarketProgram(.rows(145)).open("--view", "list")
    try session.wait(forText: "Ware 001")

    session.type("G")

    try session.waitForSelection("Ware 145")
  }

  @Test func `keys that wait are all obeyed`() async throws {
    let session = try await MarketProgram(.rows(15)).open("--view", "list")
    try session.wait(forText: "Ware 015")

    session.type("jjjjjjjk")

    try session.waitForSelection("Ware 007")
  }

  @Test func `Enter opens the product and Esc returns to it`() async throws {
    let session = try await MarketProgram().open("--view", "list")
    try session.wait(forText: "Ware 001")

    session.type("jj<Enter>")
    try session.wait(forText: "As good as new.")
    session.type("<Esc>")

    try session.waitForSelection("Ware 003")
  }

  @Test func `a search in Korean finds what contains the word`() async throws {
    var market = GeneratedMarket.rows(30)
    market.products[7] = .trial(name: "어린이 자전거 16인치")
    let session = try await MarketProgram(market).open("--view", "list")
    try session.wait(forText: "Ware 001")

    session.type("/전거")

    try session.wait(for: "the only hit") {
      $0.contains("자전거 16인치") && !$0.contains("Ware")
    }
  }

  @Test func `one line finds by several parts, and keys take the chips away`() async throws {
    let session = try await MarketProgram(.rows(45)).open("--view", "list", "--language", "en")
    try session.wait(forText: "Ware 001")

    session.type("/ware 04 stock sort:price-desc<Enter>")
    try session.wait(for: "the hits in their order, with chips") {
      $0.contains("“ware 04” ×   In stock ×") && $0.lines[1].contains("Ware 045")
    }
    session.type("/")
    try session.wait(forText: "ware 04 stock sort:price-desc")
    // At once they would be one key, Alt-Backspace.
    session.type("<Esc>")
    try session.wait(for: "the end of the search line") { !$0.contains("Syntax") }
    session.type("<BS><BS>")

    try session.wait(for: "all products in that order") {
      !$0.lines[0].contains("×") && $0.lines[1].contains("Ware 045") && $0.contains("Ware 039")
    }
  }

  @Test func `the filter box narrows the list by keys`() async throws {
    let session = try await MarketProgram(.rows(45)).open("--view", "list", "--language", "en")
    try session.wait(forText: "Ware 001")

    session.type("fware 045<Enter>")

    try session.wait(for: "the only hit") { $0.contains("Ware 045") && !$0.contains("Ware 001") }
  }

  @Test func `the selected product stays when list and grid are switched`() async throws {
    let session = try await MarketProgram().open("--view", "list")
    try session.wait(forText: "Ware 001")

    session.type("jjjjv")
    try session.wait(for: "the grid") { $0.lines.contains { $0.contains("┏") } }
    session.type("v")

    try session.waitForSelection("Ware 005")
  }

  @Test func `keys of the Hangul mode move and quit`() async throws {
    let session = try await MarketProgram().open("--view", "list")
    try session.wait(forText: "Ware 001")

    session.type("ㅓㅓ")
    try session.waitForSelection("Ware 003")
    session.type("ㅂ")

    #expect(try session.waitForExit() == .exited(status: 0))
  }

  @Test(arguments: [("ko", "종료"), ("en", "Quit")])
  func `the footer speaks the language that is asked for`(language: String, word: String)
    async throws
  {
    let session = try await MarketProgram().open("--language", language)

    try session.wait(for: word) { $0.lines.last?.lowercased().contains(word.lowercased()) == true }
  }

  @Test func `what was drawn step by step is what is drawn at once`() async throws {
    var market = GeneratedMarket.rows(45)
    for index in stride(from: 0, to: 45, by: 2) { market.products[index].name += " 한글 이름과 A" }
    let session = try await MarketProgram(market).open("--view", "list")
    try session.wait(forText: "Ware 001")

    session.type("G")
    try session.waitForSelection("Ware 045")
    session.type("jjjkk<C-d>jkg")
    try session.waitForSelection("Ware 001")
    let inSteps = session.screen.lines
    try session.resizeAndWait(to: TerminalSize(columns: 81, rows: 24))
    try session.resizeAndWait(to: .standard)

    try session.wait(for: "the same rows as in steps") { $0.lines == inSteps }
  }

  @Test func `an idle program writes nothing`() async throws {
    let session = try await MarketProgram(.rows(5)).open("--view", "list")
    try session.wait(forText: "Ware 005")

    session.comeToRest()

    #expect(session.listen(for: .milliseconds(300)).isEmpty)
  }
}
