import CommandKit
import Expectations
import MarketModel
import MarketStrings
import MarketTransfer
import Testing

struct OperatorCommandsTests {
  private struct Values: OperatorCommandValues {
    var operating = OperatorValues()
    var strings: Strings { Strings(.english) }
  }

  private enum Outcome: Equatable {
    case moved(TransferRequest)
    case operated(OperatorRequest)
    case said(String)
  }

  private func outcome(_ line: String) throws -> Outcome {
    let table = CommandTable<Values, Outcome>(
      "trial", version: .own, .usageTitle, .usageAbout,
      commands: OperatorCommands.all(
        "trial", store: [], move: { order, _ in .moved(order) },
        operate: { order, _ in .operated(order) }),
      everywhere: [], firstExamples: [], topics: [], related: [], defaults: Values(),
      hidden: \.self
    ) { .said($0) }
    return try table.parse(line.split(separator: " ").map(String.init)).outcome
  }

  @Test(
    arguments: [
      ("admin seller set", .setSeller()),
      (
        "admin seller set --id 6 --name Hana",
        .setSeller(number: Seller.ID(rawValue: 6), name: "Hana")
      ),
      ("admin seller block 0", .setBlocked(true, Seller.guest.id)),
      ("admin seller unblock 7", .setBlocked(false, Seller.ID(rawValue: 7))),
      ("admin password 7", .setPassword(Product.ID(rawValue: 7))),
      ("admin pictures move --to storage", .movePictures(.outward)),
      ("admin pictures move --to store", .movePictures(.inward)),
      ("admin questions", .listQuestions(by: nil)),
      ("admin questions --by 6", .listQuestions(by: Seller.ID(rawValue: 6))),
      (
        "admin questions delete 7 8",
        .removeQuestions([Question.ID(rawValue: 7), Question.ID(rawValue: 8)], by: nil)
      ),
      ("admin questions delete --by 6", .removeQuestions([], by: Seller.ID(rawValue: 6))),
      ("admin reports", .reports(.list, [])),
      (
        "admin reports delete 7 8", .reports(.delete, [7, 8].map(Report.ID.init(rawValue:)))
      ),
      ("admin reports block 7", .reports(.block, [Report.ID(rawValue: 7)])),
      ("admin reports dismiss 7", .reports(.dismiss, [Report.ID(rawValue: 7)])),
      ("admin delete 1 2", .remove([Product.ID(rawValue: 1), Product.ID(rawValue: 2)])),
    ] as [(String, OperatorRequest)])
  func `an order of whoever runs a market is read, and written as it was`(
    line: String, order: OperatorRequest
  ) throws {
    try expect(outcome(line), .operated(order))
    expect(order.words.joined(separator: " "), line)
  }

  @Test func `pictures are moved only where it is said whereto`() {
    #expect(throws: CommandLineError.missingArgument("--to storage|store")) {
      try outcome("admin pictures move")
    }
  }

  @Test(arguments: ["import - --strict", "export a --overwrite", "backup b"])
  func `an order to move is read, and written as it was`(line: String) throws {
    guard case .moved(let order) = try outcome(line) else {
      Issue.record("read as something else")
      return
    }

    expect(order.words.joined(separator: " "), line)
  }

  @Test(arguments: ["import a --overwrite", "export a --strict", "admin seller block 1 --id 2"])
  func `an option that means nothing to an order is a mistake`(line: String) {
    #expect(throws: CommandLineError.self) { try outcome(line) }
  }
}
