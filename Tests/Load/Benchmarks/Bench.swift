/// What is measured, and where it is prepared.
struct Bench {
  let workbench: Workbench
  let market: Market?
  /// The other programs of the terminal; none where nothing is compared.
  let others: [Subject]
  /// Whether other servers are measured as well.
  let comparesOthers: Bool

  /// Does something that may fail for one subject alone, with a word on standard error.
  func attempt(_ what: String, _ body: () throws -> Void) {
    do {
      try body()
    } catch {
      StandardError.print("\(what): \(error)")
    }
  }

  /// The program, for what cannot be measured without it.
  func requiredMarket() throws(BenchError) -> Market {
    guard let market else { throw .noAnswer("there is no market") }
    return market
  }
}
