import MarketModel
import MarketStore
import MarketTransfer
import SQLiteKit
import StoreCore
import Synchronization
import TestSupport

/// Markets in a folder of their own, to move between.
package struct TransferMarkets: ~Copyable {
  private let folder: TemporaryFolder

  package init() throws {
    folder = try TemporaryFolder()
  }

  package func path(of name: String) -> String { folder.path(of: name) }

  package func store(_ name: String) async throws -> SQLiteStore {
    try await SQLiteStore.open(
      at: path(of: name), pictureProcessor: PassThroughPictureProcessor(),
      options: SQLiteStore.Options(
        createsFile: true, passwordCost: .least))
  }

  package func write(_ text: String, to name: String) throws {
    try FileContent(bytes: Array(text.utf8)).write(to: path(of: name))
  }

  package func text(of name: String) throws -> String {
    String(decoding: try FileContent(of: path(of: name)).bytes, as: UTF8.self)
  }

  package func write(_ bytes: [UInt8], to name: String) throws {
    try FileContent(bytes: bytes).write(to: path(of: name))
  }

  /// What a market has written, without its id.
  package func text(of name: String, of market: any MarketArchive) async throws -> String {
    let id = try await market.ownMarketID()?.text ?? "none"
    return try text(of: name).replacing(id, with: "")
  }

  /// Takes a file into a store, and tells what was wrong with its lines.
  package func importing(
    _ name: String, into store: any MarketArchive, isStrict: Bool = false,
    now: Int64 = 1_700_000_000, batchSize: Int = 500
  ) async throws -> (summary: ImportRun.Summary, problems: [ImportProblem]) {
    let problems = Collector<ImportProblem>()
    var options = ImportRun.Options(
      path: path(of: name), isStrict: isStrict, now: now)
    options.batchSize = batchSize
    let run = ImportRun(
      options, into: store, preparing: PassThroughPictureProcessor(), report: { problems.add($0) },
      show: { _ in })
    return (try await run.run(), problems.elements)
  }

  @discardableResult
  package func exporting(
    _ store: any MarketArchive, to name: String, replaces: Bool = false
  ) async throws -> ExportRun.Summary {
    try await ExportRun(to: path(of: name), replaces: replaces, from: store) { _ in }.run()
  }

  /// All rows of a market file that say something about products, as text.
  package func rows(of name: String) throws -> [String] {
    let connection = try SQLiteConnection(opening: path(of: name), .init(readsOnly: true))
    // All columns, but for keys that another market may have given otherwise.
    let columns = try connection.all(
      """
      SELECT name FROM pragma_table_info('product') WHERE name NOT IN ('thumbnail', 'password')
      UNION ALL SELECT name FROM pragma_table_info('product_text') WHERE name <> 'product'
      """
    ) { row in row.text(0) }
    let tables = [
      """
      SELECT \(columns.joined(separator: ", ")), (SELECT hash FROM password WHERE id = password)
      FROM product JOIN product_text ON product = id ORDER BY id
      """,
      """
      SELECT id, name, hex(identifier) FROM seller
      WHERE id IN (SELECT seller FROM product) ORDER BY id
      """,
      """
      SELECT product, position, hex(hash) FROM product_picture
      JOIN picture ON picture.id = picture ORDER BY product, position
      """,
      """
      SELECT hex(hash), hex(thumbnail), hex(original) FROM picture
      JOIN picture_file ON picture = id ORDER BY hash
      """,
      "SELECT level, number, state_0, state_1, state_2, state_3 FROM block ORDER BY level, number",
      "SELECT hash, uses FROM password ORDER BY hash, uses",
    ]
    return try tables.flatMap { sql in
      try connection.all(SQL(sql)) { row in
        (0..<row.columnCount).map { row.text($0) }.joined(separator: "|")
      }
    }
  }
}

/// Gathers what comes from another queue.
package final class Collector<Element: Sendable>: Sendable {
  private let gathered = Mutex<[Element]>([])

  package func add(_ element: Element) {
    gathered.withLock { $0.append(element) }
  }

  package init() {}

  package var elements: [Element] { gathered.withLock { $0 } }
}
