import EditorKit
import Expectations
import MarketModel
import MarketViewModels
import MarketViews
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// The box about registrations that waited for their market.
struct OutboxPromptViewTests {
  private func stage(drafts count: Int = 1) async throws -> Stage {
    let drafts = (1...count).map { number in
      var values = FormValues()
      values[.name] = "자전거 \(number)"
      values[.price] = "240000"
      return Draft(
        id: Draft.ID(rawValue: "\(number)"), target: .registration,
        key: IdempotencyKey(rawValue: "\(number)"), isWaiting: true, values: values,
        changed: Timestamp(seconds: Stage.now.seconds - 7_200 * Int64(number)))
    }
    let reach = ReachabilityMonitor()
    let stage = Stage(sells: true, drafts: FakeDrafts(drafts), reach: reach)
    try await stage.show([.sample(id: 7)])
    reach.didAnswer()
    await until { stage.top is OutboxPromptModel }
    return stage
  }

  @Test func `letters that were meant for the products are no password`() async throws {
    let stage = try await stage()

    stage.press("j", "j", "j", "j")
    expect(stage.navigator.stack.first(OutboxPromptModel.self)?.secret.isEmpty, true)
    stage.press(.enter, "s", "e", "c", .enter)

    let lines = stage.lines(80, 24)
    #expect(lines.contains { $0.contains("비밀번호   •••") })
    #expect(lines.contains { $0.contains("✗ 4자 이상이어야 합니다") })
    expect(stage.repository.registrations.callCount, 0)
  }

  @Test func `several wait one behind the other, the oldest first`() async throws {
    let stage = try await stage(drafts: 2)
    #expect(stage.lines(80, 24).contains { $0.contains("전송 대기 상품 2개") })
    #expect(stage.lines(80, 24).contains { $0.contains("자전거 2") })

    stage.press(.escape)
    await stage.settle()
    await until { stage.navigator.stack.first(OutboxPromptModel.self)?.count == 1 }
    #expect(stage.lines(80, 24).contains { $0.contains("자전거 1") })
    stage.press("n")
    await stage.settle()

    #expect(stage.top === stage.browser)
  }

  @Test func `a click answers`() async throws {
    let stage = try await stage()
    let lines = stage.lines(80, 24)
    let row = lines.firstIndex { $0.contains("나중에") } ?? 0
    let column = lines[row].distance(
      from: lines[row].startIndex, to: lines[row].firstIndex(of: "등") ?? lines[row].startIndex)

    stage.click(column, row)

    expect(stage.navigator.stack.first(OutboxPromptModel.self)?.phase, .asking(nil))
  }
}
