import Expectations
import MarketAPI
import MarketClient
import MarketModel
import MarketViewModels
import SafeTextKit
import SellingTestSupport
import TestSupport
import Testing

@testable import market

/// Where a telephone's photos are received: by the market's server, this machine, or a command.
struct MarketPhotoReceiverTests {
  /// Server that answers every request with 404, as one without pages does.
  private nonisolated struct OtherServer: HTTPTransport {
    func answer(to hop: HTTPHop) async throws(TransportError) -> HTTPHopResponse {
      HTTPHopResponse(response: HTTPResponse(.notFound))
    }
  }

  private nonisolated struct Market: RepositoryDecorator {
    let repository: any ProductRepository = InMemoryProductRepository()
    /// Whether it announces pages; nil where it cannot be asked.
    let takesUploads: Bool?

    func capabilities() async throws(RepositoryError) -> RepositoryCapabilities {
      guard let takesUploads else { throw .unreachable(.disconnected) }
      var capabilities = RepositoryCapabilities.full
      capabilities.takesUploads = takesUploads
      return capabilities
    }

    func perform<Answer: Sendable>(
      _ operation: RepositoryOperation,
      _ call: @Sendable () async throws(RepositoryError) -> Answer
    ) async throws(RepositoryError) -> Answer { try await call() }
  }

  private static let here = PhotoRoutes([
    .local(LocalAddress(host: "192.168.0.12", interface: "wlan0", isLikely: true))
  ])
  private static let server = PhotoRoutes([.server])
  private static let command = PhotoRoutes(obstacle: .command("ssh market@m upload-photo < FILE"))

  private let here = FakePhotoReceiver(Self.here)

  private func receiver(
    isFile: Bool = false, takesUploads: Bool? = true, isGuest: Bool = false,
    accounts: FakeAccounts = FakeAccounts()
  ) throws -> MarketPhotoReceiver {
    let base = try #require(WebAddress("https://market.example"))
    return MarketPhotoReceiver(
      server: isFile ? nil : ServerConnection(to: base, over: OtherServer()),
      repository: Market(takesUploads: takesUploads), accounts: accounts,
      local: isGuest ? nil : here, command: isGuest ? "ssh market@m upload-photo < FILE" : nil)
  }

  @Test func `the server receives where it has pages, else this machine, and a command for guests`()
    async throws
  {
    try await expect(receiver().routes(), Self.server)
    try await expect(receiver(isGuest: true).routes(), Self.server)
    for takesUploads in [false, nil] {
      try await expect(receiver(takesUploads: takesUploads).routes(), Self.here)
      try await expect(
        receiver(takesUploads: takesUploads, isGuest: true).routes(), Self.command)
    }
    try await expect(receiver(isFile: true).routes(), Self.here)
    try await expect(receiver(isFile: true, isGuest: true).routes(), Self.command)
  }

  @Test func `who cannot be known to the server receives on this machine`() async throws {
    let accounts = FakeAccounts(isKnown: false)
    await accounts.setFull(true)

    try await expect(receiver(accounts: accounts).routes(), Self.here)
  }

  @Test func `a server that lost its pages is not asked again`() async throws {
    let receiver = try receiver()

    var events: [ReceiverEvent] = []
    for await event in receiver.open(.server).events { events.append(event) }

    expect(events, [.refused(.unsupported)])
    await expect(receiver.routes(), Self.here)
  }

  @Test func `an address of this machine is opened by this machine`() throws {
    let route = try #require(Self.here.routes.first)

    _ = try receiver().open(route)

    expect(here.opened, [route])
  }
}
