import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SafeTextKit
import TerminalKit
import TestSupport
import Testing

/// QR code of a product's page.
struct ProductCodeViewTests {
  private func stage(_ address: String?) async throws -> Stage {
    var capabilities = RepositoryCapabilities.full
    capabilities.publicAddress = address.flatMap { WebAddress($0) }
    let stage = Stage(
      repository: GatedProductRepository(capabilities: capabilities),
      marketAddress: address.map { SafeText($0) })
    try await stage.show([.sample(id: 66, name: "Road bike")])
    return stage
  }

  @Test func `the page's address is shown as a code`() async throws {
    let stage = try await stage("https://market.example")

    stage.press("#")

    let lines = stage.lines(80, 24, .english)
    #expect(lines.contains { $0.hasSuffix("Scan to open it on the telephone.") })
    #expect(lines.contains { $0.hasSuffix("https://market.example/products/66") })
    #expect(lines.contains { $0.contains("▀▀▀▀▀") })
    stage.press("#")
    #expect(stage.top === stage.browser)
  }

  @Test(arguments: [
    ("http://127.0.0.1:8080", "leads to this computer only"),
    ("http://localhost:8080", "leads to this computer only"),
    ("http://[::1]:8080", "leads to this computer only"), (nil, "A market file has no addresses"),
  ])
  func `an address that no telephone opens is told instead`(
    address: String?, words: String
  ) async throws {
    let stage = try await stage(address)

    stage.press("#")

    #expect(stage.top === stage.browser)
    #expect(stage.lines(80, 24, .english).last?.contains(words) == true)
  }
}
