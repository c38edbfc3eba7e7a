import Glibc
import MarketModel
import MarketStore
import SQLiteKit
import StoreCore

/// A small market file, and copies of it in which a stranger has put what no market writes.
///
/// Its tables have our columns and indexes and take any value, as a file made by hand may.
package struct MarketForgery: Sendable {
  private let original: [UInt8]

  /// - Parameters:
  ///   - schemaFolder: where the scripts of our tables are (`store-101.sql` and so on).
  ///   - path: where the market is made once; nothing is left there.
  /// - Throws: what the store or the system answered.
  package init(schemaFolder: String, at path: String) async throws {
    var script = ""
    var version = Schema.firstVersion - 1
    while let text = FileBytes.read("\(schemaFolder)/store-\(version + 1).sql") {
      script += String(decoding: text, as: UTF8.self)
      version += 1
    }
    Self.remove(path)
    let lax = script.replacing("STRICT, WITHOUT", with: "WITHOUT").replacing(" STRICT;", with: ";")
      .replacing(" IS NOT NULL", with: " NOTNULL").replacing(" NOT NULL", with: "")
    try Self.run(
      lax + "PRAGMA application_id = 1330473844; PRAGMA user_version = \(version);", on: path,
      creating: true)
    let store = try await ForgedMarketVisit.open(path)
    try await Self.fill(store)
    await store.close()
    original = FileBytes.read(path) ?? []
    Self.remove(path)
  }

  /// Writes a forged copy.
  ///
  /// - Parameters:
  ///   - bytes: what decides how it is forged; the same bytes forge the same.
  ///   - path: where the copy is to lie.
  package func write(by bytes: some Sequence<UInt8>, to path: String) {
    Self.remove(path)
    FileBytes.write(original, to: path)
    var choices = ForgeryChoices(bytes)
    for _ in 0..<(1 + choices.next(below: 4)) {
      switch choices.next(below: 10) {
      case 0...6: try? Self.run(Self.statement(for: path, &choices), on: path)
      case 7:
        Self.change(path) { file in
          for _ in 0..<(1 + choices.next(below: 16)) where !file.isEmpty {
            file[choices.next(below: file.count)] = UInt8(choices.next(below: 256))
          }
        }
      case 8:
        Self.change(path) { file in file = Array(file.prefix(choices.next(below: file.count + 1))) }
      default:
        let garbage = (0..<choices.next(below: 9_000)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        FileBytes.write(garbage, to: path + "-wal")
      }
    }
  }

  /// Writes a copy that was changed by SQL alone.
  package func write(changedBy script: String, to path: String) throws {
    Self.remove(path)
    FileBytes.write(original, to: path)
    try Self.run(script, on: path)
  }

  /// Takes a market away, with all that lies beside it.
  package static func remove(_ path: String) {
    for ending in ["", "-wal", "-shm", "-journal"] { unlink(path + ending) }
  }

  // MARK: What is in the file

  private static func fill(_ store: SQLiteStore) async throws {
    for number in 1...6 {
      let author = number % 2 == 0 ? Author.guest : ForgedMarketVisit.seller
      _ = try await store.register(
        ProductRegistration(
          name: "mug \(number)", description: "두 줄\n끝",
          price: Money(hundredths: Int64(number) * 10_000, currency: .krw),
          discountHundredths: Int64(number % 3) * 1_000, stock: Int64(number % 2),
          pictures: [ForgedMarketVisit.picture(UInt8(number % 4))],
          password: ForgedMarketVisit.password),
        by: author, key: IdempotencyKey(rawValue: "key \(number)"))
    }
    let origin = AttemptOrigin(address: "192.0.2.1", author: .guest)
    _ = try await store.changeAttempts(on: Product.ID(rawValue: 1), by: origin) { attempts in
      attempts.wrongCount = 3
      attempts.lastSeconds = 1_700_000_000
    }
    _ = try await store.authenticationCode(for: [1])
  }

  // MARK: How it is forged

  private static let values = [
    "-9223372036854775808", "9223372036854775807", "-9223372036854775807", "-1", "0", "1", "2",
    "9007199254740993", "1099511627776", "268435456", "NULL", "''", "'text'", "'1.5'",
    "x'00ff80'", "CAST(x'ff80fe' AS TEXT)", "char(0)", "char(0xd800)", "zeroblob(100000)",
    "1e308", "-9e999", "0.5", "hex(zeroblob(150000))", "printf('%.*c', 50000, 'x')", "'KRW'",
    "'EUR'", "replace(hex(zeroblob(5000)), '00', char(0x301))", "rowid", "-rowid",
  ]

  private static func statement(for path: String, _ choices: inout ForgeryChoices) -> String {
    let columns = columns(of: path)
    guard !columns.isEmpty else { return "" }
    let (table, column) = columns[choices.next(below: columns.count)]
    let value = values[choices.next(below: values.count)]
    switch choices.next(below: 16) {
    case 0: return "DROP TABLE \(table)"
    case 1: return "ALTER TABLE \(table) RENAME TO gone"
    case 2: return "ALTER TABLE \(table) RENAME COLUMN \(column) TO gone"
    case 3: return "DELETE FROM \(table)"
    case 4: return "PRAGMA user_version = \(choices.next(below: 256))"
    case 5: return "DROP INDEX product_newest"
    case 6: return "INSERT INTO \(table) (\(column)) VALUES (\(value))"
    case 7...10: return "UPDATE \(table) SET \(column) = \(value)"
    default:
      let skipped = choices.next(below: 6)
      return """
        UPDATE \(table) SET \(column) = \(value)
        WHERE \(column) = (SELECT \(column) FROM \(table) LIMIT 1 OFFSET \(skipped))
        """
    }
  }

  private static func columns(of path: String) -> [(table: String, column: String)] {
    let columns = try? SQLiteConnection(opening: path, .init()).all(
      """
      SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
      WHERE t.type = 'table' ORDER BY 1, c.cid
      """
    ) { row in (table: row.text(0), column: row.text(1)) }
    return columns ?? []
  }

  private static func run(
    _ script: String, on path: String, creating: Bool = false
  ) throws(StoreError) {
    let connection = try SQLiteConnection(opening: path, .init(createsFile: creating))
    let laxity = "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;"
    try connection.execute(laxity + script)
  }

  private static func change(_ path: String, _ body: (inout [UInt8]) -> Void) {
    var file = FileBytes.read(path) ?? []
    body(&file)
    FileBytes.write(file, to: path)
  }
}

/// Numbers out of bytes; zeros when those are used up.
private struct ForgeryChoices {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)[...]
  }

  mutating func next(below bound: Int) -> Int {
    var number = 0
    for _ in 0..<(bound > 256 ? 3 : 1) { number = number << 8 | Int(bytes.popFirst() ?? 0) }
    return bound > 0 ? number % bound : 0
  }
}

/// Whole files, without Foundation.
private enum FileBytes {
  /// Nil where there is none.
  static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 {
      bytes += piece[..<count]
    }
    return bytes
  }

  static func write(_ bytes: [UInt8], to path: String) {
    guard let file = fopen(path, "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }
}
