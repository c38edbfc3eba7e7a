import CommandKit
import Expectations
import MarketModel
import MarketStore
import MarketStrings
import StoreCore
import TestSupport
import Testing

@testable import market_server

struct MarketTimeZoneTests {
  private static func zone(_ option: String?, _ variables: [String: String]) -> MarketTimeZone {
    MarketTimeZone(option, environment: { variables[$0] })
  }

  @Test func `the option counts before TZ, and Korea where there is neither`() {
    expect(Self.zone("UTC", ["TZ": "Europe/Berlin"]).name, "UTC")
    expect(Self.zone(nil, ["TZ": "Europe/Berlin"]).name, "Europe/Berlin")
    expect(Self.zone(nil, [:]).name, "Asia/Seoul")
  }

  @Test(arguments: ["Asia/Seoul", "UTC", "KST-9", "<+0530>-5:30", "EST5EDT"])
  func `Korea, UTC and rules need no files`(name: String) {
    expect(Self.zone(name, ["TZDIR": "/none"]).mistake, nil)
  }

  @Test(arguments: ["Asia/Seul", "Seoul", "KST", "+9", "", "../../../etc/passwd"])
  func `what the system does not know is refused, not taken for UTC`(name: String) {
    expect(Self.zone(name, [:]).mistake, .said(.timeZoneUnknown, name))
    expect(Self.zone(name, ["TZDIR": "/none"]).mistake, .said(.timeZonesMissing, name))
  }

  @Test(arguments: [
    ["--time-zone", "Asia/Seul"], ["--check-config", "--time-zone", "Asia/Seul"],
  ])
  func `a server does not start by a zone that nobody knows`(words: [String]) throws {
    let folder = try TemporaryFolder()

    let program = try ChildProcess(
      "market-server",
      arguments: words + ["--store", folder.path(of: "market.sqlite"), "--listen", "127.0.0.1:0"])

    #expect(try [1, 2].contains(program.wait()))
  }

  @Test(arguments: [("<+14>-14", "2023-11-15"), ("UTC", "2023-11-14"), (nil, "2023-11-15")])
  func `a server dates its products by its zone, in both APIs and on pages`(
    name: String?, day: String
  ) async throws {
    let folder = try TemporaryFolder()
    let store = folder.path(of: "market.sqlite")
    // Late in the evening of the 14th in UTC, early on the 15th in Korea.
    let instant = Timestamp(seconds: 1_700_000_000)
    let market = try await SQLiteStore.open(
      at: store, pictureProcessor: PassThroughPictureProcessor(),
      options: SQLiteStore.Options(
        createsFile: true, now: { instant.seconds }))
    let id = try await market.register(.sample()).id
    await market.close()

    let program = try ServerProgram(
      store: store, arguments: name.map { ["--time-zone", $0] } ?? [])
    func answer(to path: String) async throws -> String {
      try await program.client.exchange(
        "GET \(path)/\(id.rawValue) HTTP/1.1\nHost: localhost\nAccept: text/html\nConnection: close\n\n"
      )
    }
    let detail = try await answer(to: "/api/products")
    let page = try await answer(to: "/products")

    #expect(detail.contains("\"created_at\":\"\(day)T"), "\(detail)")
    #expect(page.contains("(\(day))"), "\(page)")
  }
}
