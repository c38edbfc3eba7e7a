import Expectations
import MarketModel
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

  @Test func `keys that wait are all obeyed`() async throws {
    let session = try await MarketProgram(.rows(15)).open("--view", "list")
    try session.wait(forText: "Ware 015")

    session.type("jjjjjjjk")

    try session.waitForSelection("Ware 007")
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

  @Test func `keys of the Hangul mode move and quit`() async throws {
    let session = try await MarketProgram().open("--view", "list")
    try session.wait(forText: "Ware 001")

    session.type("ㅓㅓ")
    try session.waitForSelection("Ware 003")
    session.type("ㅂ")

    try expect(session.waitForExit(), .exited(status: 0))
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
