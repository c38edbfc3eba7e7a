import Expectations
import Glibc
import MarketAPI
import MarketModel
import MarketTransfer
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

/// What version 0.2.0 exported, in `Tests/Fixtures/Exports`.
struct ReleasedExportTests {
  private static let folder = "Tests/Fixtures/Exports/"
  private static let market = "17e9a3572cbb33dd418721d78eae9fdd"
  private static let pictures = [
    "28166287209b496a5bbb04d981a4dc9dae18a34d05aad0f6dc431fd4e994584e.jpg",
    "39c5230f5527f5aead9b4d2021f937c01ed24c5a4874c26317ee1a4df41c0dc5.png",
    "c5a37a7ea1573c544a264ca5fb10e2fd0f71709d06fe76db75c22867d5b60cde.webp",
    "f5bce923f1e1fea9310ffec370f005e6d189700932a2ca20f18095cb8548c15d.png",
  ]

  @Test(arguments: ["csv", "tsv", "ndjson"])
  func `each row is a product once, and all that it says is there`(ending: String) async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    mkdir(markets.path(of: "products.ndjson.pictures"), 0o700)
    let names = ["products.\(ending)"] + Self.pictures.map { "products.ndjson.pictures/\($0)" }
    for name in names {
      try markets.write(try FileContent(of: Self.folder + name).bytes, to: name)
    }

    // A day after the export.
    let later: Int64 = 1_795_964_400
    let (first, problems) = try await markets.importing(
      names[0], into: store, isStrict: true, now: later)
    let second = try await markets.importing(names[0], into: store, now: later).summary
    try await markets.exporting(store, to: "b.\(ending)")

    #expect(problems == [] && first == ImportRun.Summary(added: 4))
    expect(second, ImportRun.Summary(known: 4))
    let text = try markets.text(of: names[0]).replacing(Self.market, with: "")
    let exported = try await markets.text(of: "b.\(ending)", of: store)
    expect(ending == "ndjson" ? exported : Self.withSeconds(exported), text)
  }

  /// A table with its dates as seconds, which tables were first released with.
  private static func withSeconds(_ text: String) -> String {
    var text = text
    while let end = text.firstRange(of: "Z,") ?? text.firstRange(of: "Z\t") {
      let start = text.index(end.lowerBound, offsetBy: -19)
      guard let date = WireDate.read(String(text[start...end.lowerBound])) else { return text }
      text.replaceSubrange(start...end.lowerBound, with: String(date.seconds))
    }
    return text
  }
}
