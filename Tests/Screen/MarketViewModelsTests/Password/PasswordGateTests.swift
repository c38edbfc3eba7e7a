import Expectations
import MarketModel
import MarketViewModels
import Testing

struct PasswordGateTests {
  @Test func `wrong passwords are counted and the right one opens`() {
    var gate = PasswordGate()

    for _ in 1...3 {
      let attempt = gate.verify() ?? 0
      expect(gate.didVerify(attempt, error: .wrongPassword), false)
    }
    #expect(gate.wrongCount == 3 && gate.phase == .asking(.wrongPassword))
    let attempt = gate.verify() ?? 0

    expect(gate.didVerify(attempt, error: nil), true)
    expect(gate.phase, .open)
  }

  @Test func `a second press while it is checked does nothing`() {
    var gate = PasswordGate()
    _ = gate.verify()

    expect(gate.verify(), nil)
  }

  @Test(arguments: [nil, RepositoryError.wrongPassword])
  func `the answer to a check that was cancelled is dropped`(error: RepositoryError?) {
    var gate = PasswordGate()
    let first = gate.verify() ?? 0

    expect(gate.cancel(), true)
    let second = gate.verify() ?? 0
    expect(gate.didVerify(first, error: error), false)

    #expect(gate.phase == .verifying(attempt: second) && gate.wrongCount == 0)
  }

  @Test func `cancelling without a check leaves the question`() {
    var gate = PasswordGate()

    expect(gate.cancel(), false)
  }

  @Test func `what is no wrong password is told but not counted`() throws {
    var gate = PasswordGate()
    let attempt = gate.verify() ?? 0

    _ = gate.didVerify(attempt, error: .tooManyAttempts(retryAfterSeconds: 30))

    expect(gate.phase, .asking(.tooManyAttempts(retryAfterSeconds: 30)))
    expect(gate.wrongCount, 0)
  }
}
