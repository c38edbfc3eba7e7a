import MarketModel

/// How products are written in a file.
package enum ArchiveFormat: Hashable, Sendable {
  /// One JSON object a line with all that a market holds of a product; pictures lie beside the file.
  case lines
  /// Comma-separated values (RFC 4180) with a line of column names; no pictures and no passwords.
  case table

  /// By the ending of a file's name: `.csv` is a table, everything else lines.
  package init(path: String) {
    self = path.lowercased().hasSuffix(".csv") ? .table : .lines
  }

  /// By the beginning of what a pipe brings: what opens with a record of a table's column names is a
  /// table.
  init(sniffing bytes: [UInt8]) {
    let header = bytes.prefix { $0 != 0x0A }
    self = TableSource.columns(Array(header)).map { _ in .table } ?? .lines
  }
}

/// Reads products one after the other, whatever a file's format.
protocol ProductSource {
  /// The next product, or what is wrong with it; nil at the end.
  mutating func next() throws(TransferError) -> SourceRecord?
}

/// One product of a file.
struct SourceRecord {
  /// Where it begins, counted from 1.
  let line: Int
  /// What it was read from.
  let bytes: [UInt8]
  let product: Result<ArchivedProduct, ImportProblem.Reason>
}
