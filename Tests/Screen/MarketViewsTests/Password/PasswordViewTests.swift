import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// The prompt for a product's password.
struct PasswordViewTests {
  private func stage(tries: Int? = nil, sample: String? = nil) async throws -> Stage {
    var capabilities = RepositoryCapabilities.full
    capabilities.passwordTries = tries
    let stage = Stage(
      repository: GatedProductRepository(capabilities: capabilities), sells: true,
      samplePassword: sample)
    try await stage.show([.sample(id: 7, name: "자전거", price: 240_000)])
    stage.press("e")
    let prompt = stage.navigator.stack.first(PasswordModel.self)
    await until { prompt?.tryLimit == tries && prompt?.samplePassword == sample }
    return stage
  }

  private func failTry(_ stage: Stage, with error: RepositoryError = .wrongPassword) async throws {
    stage.press("n", "o", "n", "e", .enter)
    try await stage.repository.verifications.next().fail(error)
    await until {
      stage.navigator.stack.first(PasswordModel.self)?.gate.phase == .asking(error)
    }
  }

  private func contains(_ text: String, _ stage: Stage, _ language: Language = .korean) -> Bool {
    stage.lines(80, 24, language).contains { $0.contains(text) }
  }

  @Test func `what is typed is shown on demand, and hidden when it was wrong`() async throws {
    let stage = try await stage()
    stage.press("s", "e", "c", "r", .function(9))
    #expect(contains("비밀번호   secr", stage))
    expect(stage.lines(80, 24).last?.contains("F9 숨기기"), true)

    stage.press(.enter)
    try await stage.repository.verifications.next().fail(.wrongPassword)
    let prompt = stage.navigator.stack.first(PasswordModel.self)
    await until { prompt?.gate.phase == .asking(.wrongPassword) }
    stage.press("s", "e")

    #expect(contains("비밀번호   ••", stage) && !contains("secr", stage))
  }

  @Test func `of several products it names the first and how many there are besides`() async throws
  {
    let stage = Stage(sells: true)
    try await stage.show([1, 2, 3].map { .sample(id: $0, name: "자전거 \($0)") })
    let products = [1, 2, 3].map { ListedProduct(.sample(id: $0, name: "Bicycle \($0)")) }

    stage.navigator.selling?.change(products, by: .stock(1))

    #expect(contains("│  Bicycle 1 and 2 more ", stage, .english))
    #expect(contains("│  Local market  ", stage, .english))
    #expect(contains("│  Bicycle 1 외 2개 ", stage))
  }

  @Test
  func `after a wrong password it says how many tries are left where the market says the limit`()
    async throws
  {
    let stage = try await stage(tries: 5)

    try await failTry(stage)
    try await failTry(stage)

    #expect(contains("✗ 비밀번호가 틀렸습니다. 3번 남았습니다", stage))
    #expect(contains("✗ Wrong password. 3 tries left", stage, .english))
  }

  @Test func `wrong passwords are counted alone where nobody says a limit`() async throws {
    let stage = try await stage()

    try await failTry(stage)
    #expect(contains("✗ Wrong password, tried once ", stage, .english))
    try await failTry(stage)

    #expect(contains("✗ 비밀번호가 틀렸습니다. 지금까지 2번 시도했습니다", stage))
  }

  @Test func `leaving the prompt takes no wrong password back`() async throws {
    let stage = try await stage(tries: 5)
    try await failTry(stage)

    stage.press(.escape, "e")
    await until { stage.navigator.stack.first(PasswordModel.self)?.tryLimit == 5 }
    try await failTry(stage)

    #expect(contains("3번 남았습니다", stage))
  }

  /// A list after an edit that was left: the password is kept.
  private func favorites() async throws -> Stage {
    let stage = try await stage()
    stage.press("r", "i", "g", "h", "t", .enter)
    try await stage.repository.verifications.next().answer(())
    try await stage.repository.details.next().answer(.sample(of: .sample(id: 7)))
    await until { stage.top is FormModel }
    stage.press(.escape)
    await until { stage.top === stage.browser }
    return stage
  }

  @Test func `a password that is kept stands in the top bar, and a click on it wipes it`()
    async throws
  {
    let stage = try await favorites()
    let bar = stage.lines(80, 24)[0]
    #expect(bar.contains("  비밀번호 5분"))

    stage.click(bar.columns(before: "비밀번호 5"), 0)

    #expect(!stage.lines(80, 24)[0].contains("비밀번호"))
    #expect(contains("Password forgotten", stage, .english))
    stage.press("e")
    #expect(stage.top is PasswordModel)
  }

  @Test(
    arguments: [
      ["!"], [":", "f", "o", "r", "g", "e", "t", .enter],
    ] as [[KeyPress]])
  func `keys wipe it, and are there as long as it is`(keys: [KeyPress]) async throws {
    let stage = try await favorites()

    for key in keys { stage.press(key) }

    await until { stage.navigator.selling?.passwordCache.hasPassword == false }
    #expect(!stage.lines(80, 24)[0].contains("비밀번호"))
    #expect(stage.top === stage.browser)
  }

  @Test func `a plain screen has the words without the minutes, which would change by themselves`()
    async throws
  {
    let stage = try await favorites()
    var context = stage.screen(80, 24, .english).context
    context.isPlain = true

    let window = Window(
      navigator: stage.navigator, size: CellSize(columns: 80, rows: 24), context: context)

    #expect(window.draw().lines[1].contains("password remembered"))
  }

  @Test
  func
    `while it is kept the footer offers changes of its product, and a deletion says that it asks`()
    async throws
  {
    let stage = try await favorites()
    expect(stage.lines(160, 24, .english).last?.contains("  e Edit  D Delete  "), true)

    stage.press("D")
    #expect(contains("Deleting always asks, even while one is remembered", stage, .english))
    stage.press(.escape)
    await until { stage.top === stage.browser }
    stage.press("!")
    expect(stage.lines(160, 24, .english).last?.contains("Edit"), false)
    stage.press("D")

    #expect(contains("Enter the password set when it was listed", stage, .english))
  }

  @Test func `where the one that is kept was tried in vain that is said`() async throws {
    let stage = try await favorites()
    stage.browser.didRegister(.sample(of: .sample(id: 8)), isOnTop: true)
    stage.browser.list.select(0)

    stage.press("e")
    try await stage.repository.verifications.next().fail(.wrongPassword)
    await until {
      stage.navigator.stack.first(PasswordModel.self)?.gate.phase == .asking(.wrongPassword)
    }

    #expect(contains("✗ The remembered password does not open this product", stage, .english))
    try await failTry(stage)
    #expect(contains("✗ Wrong password, tried 2 times", stage, .english))
  }

  @Test func `the right password takes the wrong ones back`() async throws {
    let stage = try await stage(tries: 5)
    try await failTry(stage)
    stage.press("r", "i", "g", "h", "t", .enter)
    try await stage.repository.verifications.next().answer(())
    try await stage.repository.details.next().answer(.sample(of: .sample(id: 7)))
    await until { stage.top is FormModel }

    // The right one is kept; without it the prompt comes again.
    stage.press(.escape, "!", "e")
    await until { stage.navigator.stack.first(PasswordModel.self)?.tryLimit == 5 }
    try await failTry(stage)

    #expect(contains("4번 남았습니다", stage))
  }

  @Test func `after the limit the prompt says how long to wait`() async throws {
    let stage = try await stage(tries: 5)

    try await failTry(stage, with: .tooManyAttempts(retryAfterSeconds: 30))

    #expect(contains("30초", stage))
  }

  @Test func `the password of a sample product is said, also after a wrong one`() async throws {
    let stage = try await stage(sample: "openmarket")
    #expect(contains("샘플 상품의 비밀번호: openmarket", stage))
    try await failTry(stage)
    #expect(contains("✗ Wrong password", stage, .english))

    stage.press("o")

    #expect(contains("The password of sample products is openmarket", stage, .english))
  }
}
