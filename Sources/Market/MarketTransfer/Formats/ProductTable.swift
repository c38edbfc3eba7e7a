import MarketAPI
import MarketModel
import TextCoding

/// Columns of exported tables.
enum ProductTable {
  /// The product fields that are columns, under their names.
  static let fields = ProductField.inArchives.filter { $0.kind != .pictures }

  /// Names of all columns in order.
  static let columns =
    ["id"] + fields.map(\.rawValue) + ["seller", "created", "changed", "version", "market"]

  /// The byte order mark, by which spreadsheets recognize UTF-8, and the names of the columns.
  static func header(separator: UInt8 = RecordReader.comma) -> [UInt8] {
    ByteOrderMark.bytes + RecordReader.bytes(columns, separator: separator)
  }

  /// The record of a market's product.
  static func bytes(
    _ product: ArchivedProduct, of market: MarketID? = nil, separator: UInt8 = RecordReader.comma
  ) -> [UInt8] {
    var texts = [product.id.map { String($0.rawValue) } ?? ""]
    for field in fields { texts.append(text(product[field])) }
    texts += [product.seller.name]
    texts += [product.created, product.changed].map { WireDate.instant(Timestamp(seconds: $0)) }
    texts += [String(product.version), market?.text ?? ""]
    return RecordReader.bytes(texts, separator: separator)
  }

  private static func text(_ value: FieldValue?) -> String {
    switch value {
    case .text(let text), .code(let text): text
    case .amount(let hundredths): amount(hundredths)
    case .number(let number): String(number)
    case .yes: "yes"
    case .pictures, .absent, nil: ""
    }
  }

  /// An amount in main units, with decimals only where they are not zero.
  static func amount(_ hundredths: Int64) -> String {
    String(hundredths: hundredths, decimals: .twoOrNone)
  }
}
