import Expectations
import Glibc
import MarketModel
import MarketStore
import MarketTransfer
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

/// Imports and exports with files and folders that an attacker has prepared.
struct TransferFileTests {
  @Test(arguments: [
    "../secret.jpg", "/etc/passwd", ".hidden", "-rf", "a/b.jpg", "..", "", "a\u{0}b", "a\nb",
  ])
  func `a picture's name leads nowhere else`(name: String) async throws {
    let markets = try TransferMarkets()
    try FileContent(bytes: PictureFile.jpeg()).write(to: markets.path(of: "secret.jpg"))
    mkdir(markets.path(of: "a.ndjson.pictures"), 0o700)
    let escaped = name.replacing("\u{0}", with: "\\u0000").replacing("\n", with: "\\n")
    try markets.write(#"{"name":"x","price":1,"pictures":["\#(escaped)"]}"#, to: "a.ndjson")
    let store = try await markets.store("a.sqlite")

    let (_, problems) = try await markets.importing("a.ndjson", into: store)

    expect(problems, [ImportProblem(line: 1, reason: .pictureMissing(name))])
  }

  @Test func `links, pipes and folders are no pictures`() async throws {
    let markets = try TransferMarkets()
    let folder = markets.path(of: "a.ndjson.pictures")
    mkdir(folder, 0o700)
    try FileContent(bytes: PictureFile.jpeg()).write(to: markets.path(of: "secret.jpg"))
    symlink(markets.path(of: "secret.jpg"), folder + "/link.jpg")
    mkfifo(folder + "/pipe.jpg", 0o600)
    mkdir(folder + "/folder.jpg", 0o700)
    let names = ["link.jpg", "pipe.jpg", "folder.jpg"]
    let lines = names.map { #"{"name":"x","price":1,"pictures":["\#($0)"]}"# }
    try markets.write(lines.joined(separator: "\n"), to: "a.ndjson")
    let store = try await markets.store("a.sqlite")

    let (_, problems) = try await markets.importing("a.ndjson", into: store)

    expect(problems.map(\.reason), names.map { .pictureMissing($0) })
  }

  @Test func `a folder of pictures that is a link is not read and not written`() async throws {
    let markets = try TransferMarkets()
    mkdir(markets.path(of: "elsewhere"), 0o700)
    symlink(markets.path(of: "elsewhere"), markets.path(of: "a.ndjson.pictures"))
    let store = try await markets.store("a.sqlite")
    _ = try await store.register(.sample())

    await #expect(throws: TransferError.self) { try await markets.exporting(store, to: "a.ndjson") }

    #expect(access(markets.path(of: "a.ndjson"), F_OK) != 0)
  }

  @Test func `nothing is overwritten unless that is asked for`() async throws {
    let markets = try TransferMarkets()
    try markets.write("mine", to: "a.ndjson")
    let store = try await markets.store("a.sqlite")

    await #expect(throws: TransferError.exists(path: markets.path(of: "a.ndjson"))) {
      try await markets.exporting(store, to: "a.ndjson")
    }
    try expect(markets.text(of: "a.ndjson"), "mine")

    try await markets.exporting(store, to: "a.ndjson", replaces: true)
    try expect(markets.text(of: "a.ndjson"), "")
  }

  @Test func `a link in the way is replaced, not followed`() async throws {
    let markets = try TransferMarkets()
    try markets.write("mine", to: "victim")
    symlink(markets.path(of: "victim"), markets.path(of: "a.csv"))
    let store = try await markets.store("a.sqlite")

    try await markets.exporting(store, to: "a.csv", replaces: true)

    try expect(markets.text(of: "victim"), "mine")
  }

  @Test func `what is written is for its owner alone`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    _ = try await store.register(.sample())

    try await markets.exporting(store, to: "a.ndjson")

    expect(mode(of: markets.path(of: "a.ndjson")), 0o600)
    expect(mode(of: markets.path(of: "a.ndjson.pictures")), 0o700)
  }

  private func mode(of path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }
}
