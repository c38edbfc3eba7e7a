/// A value that stands for a parameter of a statement.
enum PostgresValue: Hashable, Sendable {
  case integer(Int64?)
  case text(String)
  case bytes([UInt8]?)
  case integers([Int64?])
  case texts([String?])
  case blobs([[UInt8]?])
  case hashes([Int32])

  /// Number of the type (`pg_type.oid`), which is part of the protocol.
  var type: UInt32 {
    switch self {
    case .integer: 20
    case .text: 25
    case .bytes: 17
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
    case .text(let text): Array(StorableText.encoded(text).utf8)
    case .bytes(let bytes): bytes
    case .integers(let numbers): Self.array(of: numbers.map { $0.map(Self.bigEndian) }, type: 20)
    case .texts(let texts):
      Self.array(
        of: texts.map { $0.map { Array(StorableText.encoded($0).utf8) } }, type: 25)
    case .blobs(let blobs): Self.array(of: blobs, type: 17)
    case .hashes(let numbers): Self.array(of: numbers.map(Self.bigEndian), type: 23)
    }
  }

  /// Dimensions, whether there are nulls, the elements' type; length and lower bound of the one
  /// dimension; each element after its size.
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

extension PostgresValue: ExpressibleByIntegerLiteral {
  init(integerLiteral value: Int64) { self = .integer(value) }
}
