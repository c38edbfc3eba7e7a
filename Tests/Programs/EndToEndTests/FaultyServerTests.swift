import Expectations
import Glibc
import HTTPTestSupport
import TerminalTestSupport
import TestSupport
import Testing

/// A seller on servers that fail in the middle of things: nothing is lost, and nothing happens twice.
@Suite(.ownThread) struct FaultyServerTests {
  private static let name = KeyboardSeller.name

  /// Whether a request registers a product.
  private static func registers(_ request: ReceivedRequest) -> Bool {
    request.method == "POST" && ["/item", "/api/products"].contains(request.path)
  }

  @Test(arguments: MarketKind.servers)
  func `a registration whose answer is lost is there once after another try`(
    kind: MarketKind
  ) async throws {
    let market = try await MarketUnderTest(kind) { request, count in
      Self.registers(request) && count == 0 ? .losesAnswer : nil
    }
    let seller = try market.open()
    try seller.fillIn()

    try seller.submit()
    try seller.wait("The connection was lost")
    try seller.submit()
    try seller.wait("Listed")

    try expect(market.count(of: Self.name, waitingFor: Self.name), 1)
  }

  @Test(arguments: MarketKind.servers)
  func `a registration whose answer is lost with the program is there once after another try`(
    kind: MarketKind
  ) async throws {
    let market = try await MarketUnderTest(kind) { request, count in
      Self.registers(request) && count == 0 ? .losesAnswer : nil
    }
    let killed = try market.open()
    try killed.fillIn()
    try killed.submit()
    try killed.wait("The connection was lost")
    killed.session.terminal.signal(SIGKILL)
    _ = try killed.session.waitForExit()

    let seller = try market.open()
    seller.type("n")
    try seller.wait("New (draft)")
    seller.type("<Enter>")
    try seller.wait("1/5")
    seller.typeNewPassword()
    try seller.submit()
    try seller.wait("Listed")

    try expect(market.count(of: Self.name, waitingFor: Self.name), 1)
  }

  /// A product that was sent to a server which went away just before.
  private func sending(
    toOneThatIsAway kind: MarketKind
  ) async throws -> (MarketUnderTest, KeyboardSeller) {
    let market = try await MarketUnderTest(kind)
    let seller = try market.open()
    try seller.fillIn()
    try seller.ask()
    market.server?.goAway()
    seller.type("<Enter>")
    try seller.wait("is the server running?")
    return (market, seller)
  }

  /// Before a plain server stands a proxy, which would be there all the same.
  @Test(arguments: MarketKind.servers.filter { $0 != .plain2023 })
  func `what was sent to a server that was away is there once when it is back`(
    kind: MarketKind
  ) async throws {
    let (market, seller) = try await sending(toOneThatIsAway: kind)

    try market.server?.restore()
    try seller.submit()
    try seller.wait("Listed")

    try expect(market.count(of: Self.name, waitingFor: Self.name), 1)
  }

  @Test(arguments: MarketKind.servers.filter { $0 != .plain2023 })
  func `what is sent to a server that is away waits, and goes out when it is back`(
    kind: MarketKind
  ) async throws {
    let (market, seller) = try await sending(toOneThatIsAway: kind)

    seller.type("<C-s>")
    try seller.wait("saved as a draft")
    try market.server?.restore()
    seller.type("R")
    try seller.wait("Connected again")
    try seller.wait(Self.name)
    seller.type("y")
    try seller.wait("Password")
    seller.give()
    try seller.wait("Listed")

    try expect(market.count(of: Self.name, waitingFor: Self.name), 1)
  }

  @Test(arguments: MarketKind.servers)
  func `a server that fails leaves the form and its draft`(kind: MarketKind) async throws {
    let market = try await MarketUnderTest(kind) { request, _ in
      Self.registers(request) ? .answers(status: 500) : nil
    }
    let seller = try market.open()
    try seller.fillIn()

    try seller.submit()
    try seller.wait("(status 500)")
    #expect(seller.session.screen.contains(Self.name))
    seller.session.terminal.signal(SIGKILL)
    _ = try seller.session.waitForExit()
    let next = try market.open()
    next.type("n")
    try next.wait("New (draft)")
    next.type("<Enter>")

    try next.wait("1/5")
    #expect(next.session.screen.contains(Self.name))
  }
}
