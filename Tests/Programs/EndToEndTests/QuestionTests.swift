import Expectations
import PostgresTestSupport
import TerminalTestSupport
import TestSupport
import Testing

/// A sale from the question to its end, by keys in two programs on each kind of market.
@Suite(.ownThread) struct QuestionTests {
  enum Door: CaseIterable, Sendable {
    case file, serverOfFile, serverOfDatabase, guests

    static let possible = allCases.filter { $0 != .serverOfDatabase || TestCluster.isPossible }
  }

  private static let question = "Is it still there?"
  private static let told = "Answered: “Come this evening.” – Old chair (reserved"

  @Test(arguments: Door.possible)
  func `asked with an offer, answered with a reservation, told, sold and told`(
    place: Door
  ) async throws {
    let people = try await TwoPeople(at: place)
    let seller = try people.open(.seller)
    try seller.wait(forText: "Old chair")
    seller.type("N")
    try seller.wait(forText: "do you sell under")
    seller.type("<Enter>")
    try seller.wait(forText: "How can buyers reach you")
    seller.type("010-1234-5678<Enter>")
    try seller.wait(forText: "Seller name and contact saved")
    var asker = try people.open(.asker)
    try openProduct(asker)
    asker.type("a")
    try asker.wait(forText: "Ask about “Old chair”")
    asker.type(KeyScript(Self.question + "<Tab>900<Tab>Mi"))
    try asker.wait(forText: "10% less")
    if place == .file {
      await poll { people.askersDraft.contains("Mi") && people.askersDraft.contains("900") }
      try crash(&asker, of: people)
      asker.type("a")
      try asker.wait(forText: Self.question)
      try asker.wait(forText: "10% less")
    }
    asker.type("na<C-s>")
    try asker.wait(forText: "Mina (you)")
    if place == .file {
      await poll { people.askersDraft.isEmpty }
      try crash(&asker, of: people)
      try asker.wait(forText: "Mina (you)")
    }

    try seller.wait(forText: "Mina offers ₩900 for “Old chair”: " + Self.question)
    seller.type("<Enter>")
    try seller.wait(forText: "Offers ₩900")
    seller.type("Q<Enter>")
    try seller.wait(forText: "[ ] Reserve for Mina")
    seller.type("Come this evening.<Tab> <C-s>")
    try seller.wait(forText: "Password")
    seller.type("sesame<Enter>")
    try seller.wait(forText: "Answered")

    // The sentence shares its line with that of the reservation, which may come behind it.
    try asker.wait(forText: "◆ 1")
    if place == .file {
      try crash(&asker, of: people)
      try asker.wait(forText: "◆ 1")
    }
    try asker.wait(forText: "010-1234-5678")
    asker.type("T")
    try asker.wait(forText: Self.told)
    try asker.wait(for: "nothing that nobody has seen") { !$0.contains("◆ 1") }
    asker.type("<Esc>")
    try asker.wait(forText: "As good as new.")
    asker.type("<Esc>")
    try asker.wait(for: "the reserved product in the list") {
      $0.contains("Old chair") && $0.contains("Reserved") && !$0.contains("As good as new.")
    }

    seller.type("<Esc>")
    try seller.wait(forText: "z End reservation")
    seller.type("Z")
    try seller.wait(forText: "Marked as sold")
    try asker.wait(for: "the sold product in the list") {
      $0.contains("Old chair") && $0.contains("Sold")
    }
    asker.type("a")
    try asker.wait(forText: "sold")
    if place == .file { try crash(&asker, of: people) }
  }

  private func openProduct(_ session: TerminalSession) throws {
    try session.wait(forText: "Old chair")
    session.type("<Enter>")
    try session.wait(forText: "As good as new.")
  }

  /// Kills the program and opens the product in another one.
  private func crash(_ session: inout TerminalSession, of people: TwoPeople) throws {
    try session.kill()
    session = try people.open(.asker)
    try openProduct(session)
  }
}

/// Two persons, of whom one sells a chair, each with a program or a key of their own.
private final class TwoPeople {
  enum Person: String {
    case seller = "one"
    case asker = "two"
  }

  private let programs: [Person: MarketProgram]
  /// Words that lead a program to the market.
  private let market: [String]
  private let door: GuestDoor?
  private let server: TrialServer?
  private let cluster: TestCluster?

  init(at place: QuestionTests.Door) async throws {
    let (seller, asker) = (try await MarketProgram(nil), try await MarketProgram(nil))
    programs = [.seller: seller, .asker: asker]
    cluster = place == .serverOfDatabase ? try TestCluster() : nil
    let empty = GeneratedMarket(products: [])
    server =
      switch place {
      case .file, .guests: nil
      case .serverOfFile: try await TrialServer(empty)
      case .serverOfDatabase: try cluster.map { try TrialServer(of: $0.emptySchema()) }
      }
    let store = seller.path(of: "trial.market")
    if place == .file { try await empty.write(to: store) }
    market = server.map { ["--server", $0.address] } ?? ["--store", store]
    door = place == .guests ? try await GuestDoor(empty) : nil
    let offer = [
      "new", "--name", "Old chair", "--price", "1000", "--currency", "KRW", "--description",
      "As good as new.",
      "--seller", "Hana",
    ]
    let run: PipedRun
    if let door {
      let photo = try door.runShell(
        "$SSH $TARGET upload-photo < Tests/Fixtures/Pictures/baseline.jpg")
      expect(photo.exit, .exited(status: 0), "\(photo.errors)")
      let words = offer.map { "'\($0)'" }.joined(separator: " ")
      run = try door.run(words, input: "sesame\n")
    } else {
      try seller.addPhoto("chair.jpg", fixture: "baseline.jpg")
      let photo = ["--photo", seller.path(of: "chair.jpg"), "--language", "en"]
      run = try seller.run(offer + photo + market, input: "sesame\n")
    }
    expect(run.exit, .exited(status: 0), "\(run.errors)")
  }

  func open(_ person: Person) throws -> TerminalSession {
    if let door { return try door.open(as: person.rawValue) }
    let program = try #require(programs[person])
    return try program.open(words: market + ["--language", "en", "--view", "list"])
  }

  /// What the files of the asker's drafts hold.
  var askersDraft: String {
    let script = "find \"$HOME\" -name draft -exec cat {} +"
    return (try? programs[.asker]?.runShell(script).output) ?? ""
  }
}
