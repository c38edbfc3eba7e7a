import MarketClient
import MarketModel
import MarketServer
import TestSupport
import Testing

struct ServedContractTests {
  @Test(arguments: RepositoryContract.casesOfTheWire)
  func `a market behind our server keeps the contract of repositories`(
    _ contract: RepositoryContract
  ) async throws {
    let market = try await ServedStore()
    let server = try HTTPServer(
      on: ListeningSocket(on: HostAndPort(host: "127.0.0.1", port: 0)),
      answering: market.responder)
    let address = try #require(WebAddress("http://\(server.address)"))
    let repository = HTTPProductRepository(
      over: ServerConnection(to: address, over: CurlTransport()))

    try await contract.run(on: SoleSeller(repository))

    await server.stop(after: 10)
  }
}
