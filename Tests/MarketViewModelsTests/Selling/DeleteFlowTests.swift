import MarketModel
import MarketViewModels
import Testing

@Suite struct DeleteFlowTests {
  private func questioned() -> DeleteFlow {
    var flow = DeleteFlow()
    let attempt = flow.verify() ?? 0
    flow.didVerify(attempt, error: nil)
    return flow
  }

  @Test func `nothing is deleted before password and question`() {
    var flow = DeleteFlow()
    #expect(flow.answer(isYes: true) == nil)
    let attempt = flow.verify() ?? 0

    flow.didVerify(attempt, error: .wrongPassword)

    #expect(flow.phase == .password && flow.gate.wrongCount == 1)
    #expect(flow.answer(isYes: true) == nil)
  }

  @Test func `no is no`() {
    var flow = questioned()

    #expect(flow.answer(isYes: false) == nil)

    #expect(flow.phase == .question)
  }

  @Test func `a second yes sends nothing`() {
    var flow = questioned()

    #expect(flow.answer(isYes: true) != nil)

    #expect(flow.answer(isYes: true) == nil)
  }

  @Test func `a password that was changed meanwhile is asked for again`() {
    var flow = questioned()
    let attempt = flow.answer(isYes: true) ?? 0

    #expect(flow.didFail(attempt, error: .wrongPassword) == true)

    #expect(flow.phase == .password && flow.gate.phase == .asking(.wrongPassword))
  }

  @Test func `a deletion that comes through after a cancel still counts`() {
    var flow = questioned()
    let attempt = flow.answer(isYes: true) ?? 0
    #expect(flow.cancel() == true)

    #expect(flow.didFail(attempt, error: .cancelled) == false)
    #expect(flow.didDelete() == true)

    #expect(flow.phase == .deleted && flow.cancel() == false)
  }
}
