import MarketModel
import SQLiteKit
import StoreCore

extension Query {
  /// Begins a read-only transaction, which sees one state of the database.
  static var beginReading: Query { Query("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY") }
  static var begin: Query { Query("BEGIN") }
  static var commit: Query { Query("COMMIT") }

  /// Calls `body` with the values in the protocol's binary format, as libpq takes them: count, pointers,
  /// sizes, and formats.
  func withParameters<Answer>(
    _ body: (Int32, [UnsafePointer<CChar>?], [Int32], [Int32]) -> Answer
  ) -> Answer {
    let binaries = values.map(\.binary)
    var bytes: [UInt8] = []
    for binary in binaries { bytes += binary ?? [] }
    // An empty value needs a pointer that is not null.
    bytes.append(0)
    return bytes.withUnsafeBytes { buffer in
      var pointers: [UnsafePointer<CChar>?] = []
      var offset = 0
      for binary in binaries {
        let start = buffer.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
        pointers.append(binary == nil ? nil : start)
        offset += binary?.count ?? 0
      }
      return body(
        Int32(values.count), pointers, binaries.map { Int32($0?.count ?? 0) },
        values.map { _ in 1 })
    }
  }
}

extension SQLValue {
  /// OID of the type (`pg_type.oid`), which is part of the protocol.
  var type: UInt32 {
    switch self {
    case .integer: 20
    case .text: 25
    case .blob: 17
    case .integers: 1016
    case .texts: 1009
    case .blobs: 1001
    case .hashes: 1007
    }
  }

  /// The value in the protocol's binary format; nil is null.
  var binary: [UInt8]? {
    switch self {
    case .integer(let number): number.map(Self.bigEndian)
    case .text(let text): text.map { Array(StorableText.encoded($0).utf8) }
    case .blob(let bytes): bytes
    case .integers(let numbers): Self.array(of: numbers.map { $0.map(Self.bigEndian) }, type: 20)
    case .texts(let texts):
      Self.array(
        of: texts.map { $0.map { Array(StorableText.encoded($0).utf8) } }, type: 25)
    case .blobs(let blobs): Self.array(of: blobs, type: 17)
    case .hashes(let numbers): Self.array(of: numbers.map(Self.bigEndian), type: 23)
    }
  }

  /// Array format: number of dimensions, null flag, element type; length and lower bound of the
  /// dimension; then the size and bytes of each element.
  private static func array(of elements: [[UInt8]?], type: Int32) -> [UInt8] {
    guard !elements.isEmpty else {
      return bigEndian(Int32(0)) + bigEndian(Int32(0)) + bigEndian(type)
    }
    var bytes: [UInt8] = []
    let hasNulls: Int32 = elements.contains { $0 == nil } ? 1 : 0
    for word in [1, hasNulls, type, Int32(elements.count), 1] { bytes += bigEndian(word) }
    for element in elements {
      guard let element else {
        bytes += bigEndian(Int32(-1))
        continue
      }
      bytes += bigEndian(Int32(element.count))
      bytes += element
    }
    return bytes
  }

  private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}
