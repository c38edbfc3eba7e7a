import Glibc
import TerminalTestSupport
import TestSupport
import Testing

@Suite struct SellingTests {
  private static let password = "p4ss-사과나무"

  /// Fills the form in and registers; the detail of the new product is on the screen then.
  private func register(_ program: MarketProgram, _ session: TerminalSession) throws {
    for number in 1...3 { try program.addPhoto("photo \(number).jpg", fixture: "baseline.jpg") }
    session.type("n")
    try session.wait(forText: "0/5")
    session.type(#"<Enter>~/photo\ 1.jpg '~/photo 2.jpg'"#)
    session.type(KeyScript(" file://\(program.path(of: "photo%203.jpg"))<Enter>"))
    try session.wait(forText: "3/5")
    try session.wait(forText: "→")
    session.type("<Tab>로드 자전거<Tab>240000<Tab><Tab>30000<Tab><Tab>")
    session.type("작년에 사서 출퇴근에만 탔습니다.<Tab>")
    session.type(KeyScript(Self.password))
    session.type("<C-s>")
    try session.wait(forText: "판매자 이름")
    session.type("하나<Enter>")
    try session.wait(forText: "등록할까요?")
    session.type("<Enter><Enter>")
    try session.wait(forText: "1/3")
  }

  private func give(_ password: String, to session: TerminalSession) {
    session.type(KeyScript(password + "<Enter>"))
  }

  @Test func `a product lives its whole life by keys alone, and its password is nowhere`()
    async throws
  {
    let program = try await MarketProgram()
    let session = try program.open("--language", "ko")
    try session.wait(forText: "Ware 001")
    try register(program, session)
    try session.wait(forText: "₩210,000")

    session.type("<BS>e")
    for count in 1...3 {
      give("wrong", to: session)
      try session.wait(forText: "(\(count)번째)")
    }
    give(Self.password, to: session)
    try session.wait(forText: "^S 저장")
    session.type("!<C-s>")
    try session.wait(forText: "바꿀까요: 이름")
    session.type("<Enter>")
    try session.wait(forText: "수정했습니다")
    #expect(session.screen.contains("로드 자전거!"))
    session.type("D")
    give(Self.password, to: session)
    try session.wait(forText: "되돌릴 수 없습니다")
    session.type("y")
    try session.wait(forText: "삭제했습니다")
    #expect(!session.screen.contains("로드 자전거"))

    session.type("q")
    _ = try session.waitForExit()
    let secret = Array(Self.password.utf8)
    #expect(session.output.firstRange(of: secret) == nil)
    #expect(try program.files().allSatisfy { $0.bytes.firstRange(of: secret) == nil })
  }

  @Test func `a draft survives a kill in the middle of a syllable, with its caret`() async throws {
    let program = try await MarketProgram()
    let killed = try program.open("--language", "ko")
    try killed.wait(forText: "Ware 001")
    try program.addPhoto("bike.jpg", fixture: "baseline.jpg")
    killed.type("n")
    try killed.wait(forText: "0/5")
    killed.type("<Paste:~/bike.jpg>")
    try killed.wait(forText: "1/5")
    killed.type("<Tab>한글 자전ㄱ<Left>")
    try killed.wait(for: "the draft's time") { $0.contains("자동 저장됨") && $0.contains("자전ㄱ") }
    _ = killed.listen(for: .seconds(1))
    killed.terminal.signal(SIGKILL)
    _ = try killed.waitForExit()

    let session = try program.open("--language", "ko")
    try session.wait(forText: "Ware 001")
    session.type("n")
    try session.wait(forText: "한글 자전ㄱ")
    session.type("<Enter>")
    try session.wait(forText: "1/5")

    #expect(session.screen.lines[8].contains("한글 자전ㄱ"))
    #expect(session.screen.cursor == (8, 15 + 2 + 2 + 1 + 2 + 2))
  }

  @Test func `the cursor stands at the caret behind wide letters`() async throws {
    let session = try await MarketProgram().open("--language", "ko")
    try session.wait(forText: "Ware 001")
    session.type("n")
    try session.wait(forText: "0/5")

    session.type("<Tab>가나a")
    try session.wait(forText: "가나a")

    #expect(session.screen.cursor == (8, 15 + 5))
    #expect(session.screen.modes.isCursorVisible)
  }

  @Test func `what two sellers changed is shown side by side`() async throws {
    let program = try await MarketProgram()
    let first = try program.open("--language", "ko")
    try first.wait(forText: "Ware 001")
    try register(program, first)
    first.type("<BS>e")
    give(Self.password, to: first)
    try first.wait(forText: "^S 저장")
    let second = try program.open("--language", "ko")
    try second.wait(forText: "로드 자전거")
    second.type("e")
    give(Self.password, to: second)
    try second.wait(forText: "^S 저장")
    second.type("!<C-s>")
    try second.wait(forText: "바꿀까요")
    second.type("<Enter>")
    try second.wait(forText: "수정했습니다")

    first.type("?<C-s>")
    try first.wait(forText: "바꿀까요")
    first.type("<Enter>")
    try first.wait(forText: "그사이 상품이 바뀌었습니다")

    #expect(first.screen.contains("로드 자전거?") && first.screen.contains("로드 자전거!"))
    first.type("<Enter><C-s>")
    try first.wait(forText: "바꿀까요")
    first.type("<Enter>")
    try first.wait(forText: "수정했습니다")
    #expect(first.screen.contains("로드 자전거?"))
  }

  @Test(arguments: [("", "kept"), ("; exit 1", "kept")])
  func `an editor of one's own changes the description or leaves it`(
    ending: String, text: String
  ) async throws {
    let program = try await MarketProgram()
    let editor = program.path(of: "edit.sh")
    let script = "#!/bin/sh\necho ' and more' >> \"$1\"\(ending)\n"
    try FileContent(bytes: Array(script.utf8)).write(to: editor)
    chmod(editor, 0o700)
    let session = try program.open("--language", "ko", environment: ["VISUAL": editor])
    try session.wait(forText: "Ware 001")
    session.type("n")
    try session.wait(forText: "0/5")
    session.type("<BackTab><BackTab>")
    session.type(KeyScript(text))
    try session.wait(forText: text)

    session.type("<C-e>")

    if ending.isEmpty {
      try session.wait(forText: "and more")
    } else {
      try session.wait(forText: "편집기가 실패했습니다")
      #expect(session.screen.contains(text) && !session.screen.contains("and more"))
    }
  }
}
