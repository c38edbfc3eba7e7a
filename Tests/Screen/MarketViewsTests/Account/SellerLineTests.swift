import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// The questions who sells, and how to be reached.
struct SellerLineTests {
  private func stage(_ contact: String? = nil) async throws -> Stage {
    let stage = Stage(.list, sells: true)
    try await stage.show(Product.samples([2, 1]))
    let start = Task.immediate { await stage.navigator.selling?.start() }
    try await stage.repository.sellers.next().answer(
      Seller(
        id: Seller.ID(rawValue: 7), name: "하나", contact: contact.flatMap { SellerContact($0) }))
    await start.value
    stage.press("N")
    return stage
  }

  @Test func `the name comes first, then the contact, and both are sent together`() async throws {
    let stage = try await stage("old@example.com")

    stage.press("!", .enter)
    await stage.settle()
    let question = stage.lines(80, 24, .english).joined(separator: "\n")
    stage.press(.control("u"), "0", "1", "0", .enter)
    await stage.settle()
    let sent = try await stage.repository.renames.next()

    #expect(question.contains("How can buyers reach you?"))
    #expect(question.contains("old@example.com"))
    expect(sent.request.name, "하나!")
    expect(sent.request.contact, SellerContact("010").map { .set($0) })
  }

  @Test func `the question for a contact stands whole, on two lines where it has to`() async throws
  {
    let stage = try await stage()

    stage.press(.enter)
    await stage.settle()

    #expect(words(stage.lines(80, 24, .english)).contains("or phone; leave it empty for none"))
    #expect(words(stage.lines(80, 24)).contains("(없으면 비워 주세요)"))
  }

  @Test(arguments: [20, 24, 30, 39])
  func `the question for a contact stands whole in a narrow window, above its field`(
    columns: Int
  ) async throws {
    let stage = try await stage("old@x.kr")

    stage.press(.enter)
    await stage.settle()
    let (english, korean) = (stage.lines(columns, 24, .english), stage.lines(columns, 24))

    // Words that are longer than a line are cut there.
    #expect(letters(english).contains("phone;leaveitemptyfornone"))
    #expect(letters(korean).contains("(없으면비워주세요)"))
    // In less than that the field shows its end.
    let shows = [english, korean].allSatisfy { letters($0).contains("old@x.kr") }
    #expect(shows || columns < 30)
  }

  /// What stands on the screen but for its frames.
  private func words(_ lines: [String]) -> String {
    lines.joined(separator: " ").split { $0 == " " || $0 == "│" }.joined(separator: " ")
  }

  private func letters(_ lines: [String]) -> String { words(lines).filter { $0 != " " } }

  @Test func `an empty contact takes it away`() async throws {
    let stage = try await stage("old@example.com")

    stage.press(.enter, .control("u"), .enter)

    try await expect(stage.repository.renames.next().request.contact, .removed)
  }

  @Test func `the way back from the contact leads to the name as it was typed`() async throws {
    let stage = try await stage()

    stage.press("!", .enter, .escape)

    #expect(stage.lines(80, 24).joined().contains("하나!"))
    expect((stage.top as? PromptModel)?.subject, .sellerName)
  }

  @Test func `a failure brings the contact back as it was typed`() async throws {
    let stage = try await stage()

    stage.press(.enter, "0", "1", "0", .enter)
    try await stage.repository.renames.next().fail(.unreachable(.refused))
    await until { stage.top is PromptModel }

    #expect(stage.lines(80, 24).joined().contains("010"))
  }
}
