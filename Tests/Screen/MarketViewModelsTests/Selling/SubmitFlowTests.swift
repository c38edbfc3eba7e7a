import MarketViewModels
import Testing

@Suite struct SubmitFlowTests {
  private func sending() -> (flow: SubmitFlow, attempt: Int) {
    var flow = SubmitFlow()
    _ = flow.ask()
    let attempt = flow.confirm() ?? 0
    return (flow, attempt)
  }

  @Test func `a second press sends nothing`() {
    var (flow, _) = sending()

    #expect(flow.confirm() == nil)
    #expect(flow.ask() == false)
  }

  @Test func `nothing is sent unasked`() {
    var flow = SubmitFlow()

    #expect(flow.confirm() == nil)
    _ = flow.ask()
    flow.decline()

    #expect(flow.confirm() == nil && flow.phase == .resting)
  }

  @Test func `a failure lets one try again`() throws {
    var (flow, first) = sending()

    #expect(flow.didFail(first) == true)
    #expect(flow.ask() == true)
    let second = flow.confirm() ?? 0

    #expect(second != first && flow.phase == .sending(attempt: second))
  }

  @Test func `a failure that comes after a cancel and another attempt is dropped`() {
    var (flow, first) = sending()
    flow.cancel()
    _ = flow.ask()
    let second = flow.confirm() ?? 0

    #expect(flow.didFail(first) == false)

    #expect(flow.phase == .sending(attempt: second))
  }

  @Test func `whichever attempt comes through first, it counts once`() {
    var (flow, _) = sending()
    flow.cancel()
    _ = flow.ask()
    _ = flow.confirm()

    #expect(flow.didSucceed() == true)
    #expect(flow.didSucceed() == false)

    #expect(flow.phase == .done && flow.ask() == false && flow.confirm() == nil)
  }
}
