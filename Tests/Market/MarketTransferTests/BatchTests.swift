import Expectations
import Glibc
import MarketModel
import MarketStore
import MarketTransfer
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

/// How much of a file is in memory at a time.
struct BatchTests {
  private func batchCount(
    of name: String, in markets: borrowing TransferMarkets
  ) async throws -> (batches: Int, summary: ImportRun.Summary) {
    let store = try await markets.store("a.sqlite")
    let numbers = Collector<Int>()
    let counted = InterruptedMarket(store) { number throws(RepositoryError) in numbers.add(number) }
    let (summary, _) = try await markets.importing(name, into: counted)
    return (numbers.elements.count, summary)
  }

  @Test func `many large pictures come in several batches`() async throws {
    let markets = try TransferMarkets()
    let lines = (1...50).map { #"{"name":"mug","price":\#($0),"pictures":["\#($0).jpg"]}"# }
    try markets.write(lines.joined(separator: "\n"), to: "a.ndjson")
    mkdir(markets.path(of: "a.ndjson.pictures"), 0o700)
    for number in 1...50 {
      try FileContent(bytes: PictureFile.jpeg(UInt8(number), byteCount: 780_000))
        .write(to: markets.path(of: "a.ndjson.pictures/\(number).jpg"))
    }

    let (batches, summary) = try await batchCount(of: "a.ndjson", in: markets)

    expect(batches, 2)
    expect(summary, ImportRun.Summary(added: 50))
  }

  @Test func `very long lines come in several batches`() async throws {
    let markets = try TransferMarkets()
    let filling = String(repeating: " ", count: 1_000_000)
    let lines = (1...10).map { #"{"name":"mug","price":\#($0)}"# + filling }
    try markets.write(lines.joined(separator: "\n"), to: "a.ndjson")

    let (batches, summary) = try await batchCount(of: "a.ndjson", in: markets)

    expect(batches, 2)
    expect(summary, ImportRun.Summary(added: 10))
  }

  @Test func `an empty market takes every row, however alike some are`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    let rows = [
      #"{"name":"mug","price":1}"#, #"{"price":1,"name":"mug"}"#, #"{"name":"mug","price":1}"#,
      #"{"id":1,"name":"mug","price":1}"#, #"{"id":1,"name":"mug","price":1,"stock":0}"#,
      #"{"id":7,"name":"cup","price":2}"#, #"{"id":7,"name":"cup","price":2}"#,
    ]
    try markets.write(rows.joined(separator: "\n"), to: "a.ndjson")

    let (first, _) = try await markets.importing("a.ndjson", into: store, batchSize: 1)
    let (second, _) = try await markets.importing("a.ndjson", into: store, batchSize: 1)

    expect(first, ImportRun.Summary(added: rows.count))
    expect(second, ImportRun.Summary(known: rows.count))
    try await expect(store.page(PageRequest()).total, .exactly(rows.count))
  }

  @Test func `what is all there already is not written again`() async throws {
    let markets = try TransferMarkets()
    try markets.write(#"{"name":"mug","price":1}"#, to: "a.ndjson")
    _ = try await batchCount(of: "a.ndjson", in: markets)

    let (batches, summary) = try await batchCount(of: "a.ndjson", in: markets)

    expect(batches, 0)
    expect(summary, ImportRun.Summary(known: 1))
  }
}
