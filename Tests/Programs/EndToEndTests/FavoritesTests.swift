import Expectations
import TerminalTestSupport
import TestSupport
import Testing

/// What a person keeps, by keys.
@Suite(.ownThread) struct FavoritesTests {
  private static let file = ".config/market/settings.json"

  private func program(servers: String = "") async throws -> MarketProgram {
    let program = try await MarketProgram()
    try program.addFile(
      Self.file, "{ \"language\": \"en\", \"view\": \"list\", \"servers\": { \(servers) } }")
    return program
  }

  @Test func `a star outlives kill -9, takes a note, and leads to its product`() async throws {
    let program = try await program()
    let killed = try program.open()
    try killed.wait(forText: "Ware 001")
    killed.type("j*")
    try killed.wait(for: "the star, and that it is kept") {
      $0.contains("★ Ware 002") && $0.contains("Added to favorites; press * again to remove it")
    }
    try killed.kill()

    let session = try program.open()
    try session.wait(forText: "★ Ware 002")
    session.type("i")
    try session.wait(for: "the list") {
      $0.contains("Favorites 1") && $0.contains("Ware 002")
        && !$0.contains("Ware 001")
    }
    session.type("n")
    try session.wait(forText: "Only you see it")
    session.type("ask about the saddle<Enter>")
    try session.wait(forText: "Note: ask about the saddle")
    try session.watchForPrice(below: "1000")
    session.type("<Enter>")
    try session.wait(for: "the detail with the note") {
      $0.contains("As good as new.") && $0.contains("★ favorite")
        && $0.contains("Note: ask about the saddle")
    }
    session.type("q*")
    try session.wait(forText: "Removed from favorites; press * again to undo")
    session.type("*")
    try session.wait(forText: "Added to favorites; press * again to remove it")
    session.type("/saddle<Enter>")
    try session.wait(forText: "Find   saddle")
    session.type("qq")

    try session.wait(forText: "Ware 001")
  }

  @Test func `what a server had is there without it, and says why it is old`() async throws {
    let server = try await TrialServer(.rows(3))
    let program = try await program(servers: "\"far\": \"\(server.address)\"")
    let session = try program.open()
    try session.wait(forText: "Ware 001")
    session.type("w")
    try session.wait(forText: "3 products")
    session.type("2")
    try session.wait(forText: "far ▾ · 3 products")
    session.type("<Enter>")
    try session.wait(forText: "As good as new.")
    session.type("*")
    try session.wait(forText: "Added to favorites; press * again to remove it")
    session.type("qW")
    try session.wait(for: "the market before") { $0.contains("45 products") }
    server.goAway()
    session.type("i")
    try session.wait(forText: "Cannot connect")
    session.type("q")
    try session.kill()

    let later = try program.open()
    try later.wait(forText: "Ware 001")
    later.type("i")
    try later.wait(for: "the product with its market") {
      $0.contains("Ware 001") && $0.contains("far") && $0.contains("Cannot connect")
    }
    later.type("<Enter>")

    try later.wait(for: "what is kept of it, and why") {
      $0.contains("As good as new.") && $0.contains("Cannot connect")
    }
  }

  @Test func `what got its star in the list keeps its text when it is gone`() async throws {
    let program = try await program()
    let session = try program.open()
    try session.wait(forText: "Ware 001")
    session.type("j*")
    try session.wait(forText: "Added to favorites; press * again to remove it")
    session.comeToRest()
    let removal = try program.runShell("market admin delete 44 --store ~/trial.market")
    expect(removal.exit, .exited(status: 0), "\(removal.errors)")

    session.type("i")
    try session.wait(forText: "unavailable since")
    session.type("<Enter>")

    try session.wait(for: "what is kept of it, and why") {
      $0.contains("Ware 002") && $0.contains("As good as new.")
        && $0.contains("may have been deleted")
    }
  }

  @Test func `a seller stands in a part of its own, and a saved search in a tab`() async throws {
    let session = try await program().open()
    try session.wait(forText: "Ware 001")
    session.type("s")
    try session.wait(forText: "products for sale")
    session.type("*")
    try session.wait(forText: "Seller added to favorites")
    session.type("<Esc>")
    try session.wait(for: "all products") { !$0.contains("products for sale") }
    session.type("/Ware 03<C-s>")
    try session.wait(forText: "Save this search")
    session.type("thirties<Enter>")
    try session.wait(forText: "Search saved")
    session.type("<Enter>")
    try session.wait(for: "the finds") { !$0.contains("Ware 001") }
    session.type("i")

    try session.wait(for: "the seller") {
      $0.contains("Sellers") && $0.contains("Someone") && $0.contains("Saved searches 1")
    }
    session.type("<Tab>")
    try session.wait(forText: "thirties")
    session.type("<Enter>")
    try session.wait(for: "the finds") { $0.contains("Ware 030") && !$0.contains("Ware 001") }
    session.type("i")
    try session.wait(forText: "Sellers")
    session.type("<Enter>")
    try session.wait(forText: "products for sale")
  }
}
