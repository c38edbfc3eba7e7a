import MarketModel
import SQLiteKit

/// Row of a database, of SQLite or PostgreSQL; all stored values become values of the domain here.
///
/// It is valid only inside the closure that reads it. Columns count from 0.
///
/// Market files are untrusted. Amounts, dates and counts are clamped to their bounds and texts are cut,
/// so that no value can overflow or fill the memory. An id cannot be clamped: where it is out of range,
/// the reader returns nil, and its caller throws `.damaged`.
package struct StoredRow {
  /// Columns of a row in PostgreSQL's binary format; nil is null.
  package typealias Columns = UnsafeBufferPointer<UnsafeRawBufferPointer?>

  private enum Content {
    case sqlite(Row)
    /// Row in a response of PostgreSQL, whose `owner` retains the bytes.
    case postgres(Columns, owner: AnyObject)
  }

  private let content: Content

  package init(_ row: Row) { content = .sqlite(row) }

  package init(_ columns: Columns, of owner: AnyObject) {
    content = .postgres(columns, owner: owner)
  }

  private static func bytes(_ columns: Columns, _ column: Int32) -> UnsafeRawBufferPointer? {
    precondition(columns.indices.contains(Int(column)), "a row is asked for the columns it has")
    return columns[Int(column)]
  }

  package func isNull(_ column: Int32) -> Bool {
    switch content {
    case .sqlite(let row): row.isNull(column)
    case .postgres(let columns, _): Self.bytes(columns, column) == nil
    }
  }

  /// A number of at most 64 bits; 0 where the column holds no number.
  package func integer(_ column: Int32) -> Int64 {
    switch content {
    case .sqlite(let row): return row.integer(column)
    case .postgres(let columns, _):
      guard let bytes = Self.bytes(columns, column), let first = bytes.first else { return 0 }
      // The first byte carries the sign.
      return bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
    }
  }

  /// The beginning of a text: at most `bytes` bytes from SQLite, up to five times as many from PostgreSQL,
  /// where a byte may be escaped; empty where the column is null, and invalid UTF-8 is replaced.
  package func text(_ column: Int32, atMost bytes: Int = .max) -> String {
    switch content {
    case .sqlite(let row): return row.text(column, atMost: bytes)
    case .postgres(let columns, _):
      guard let all = Self.bytes(columns, column) else { return "" }
      // An escaped byte may take five.
      let (length, overflow) = bytes.multipliedReportingOverflow(by: 5)
      let beginning = overflow ? all[...] : all.prefix(length)
      return StorableText.decoded(String(decoding: beginning, as: UTF8.self))
    }
  }

  /// The bytes; empty where the column is null.
  package func blob(_ column: Int32) -> [UInt8] {
    switch content {
    case .sqlite(let row): row.blob(column)
    case .postgres(let columns, _): Self.bytes(columns, column).map(Array.init) ?? []
    }
  }

  /// The bytes; nil where there are more than `count`.
  package func bytes(_ column: Int32, atMost count: Int) -> [UInt8]? {
    switch content {
    case .sqlite(let row): row.bytes(column, atMost: count)
    case .postgres(let columns, _):
      Self.bytes(columns, column)?.count ?? 0 <= count ? blob(column) : nil
    }
  }
}

/// Escaping of texts for columns: PostgreSQL refuses U+0000, which is stored as a noncharacter and `0`.
package enum StorableText {
  private static let escape: Unicode.Scalar = "\u{10FFFF}"

  package static func encoded(_ text: String) -> String {
    let needsEscape = text.unicodeScalars.contains { $0 == "\0" || $0 == escape }
    guard needsEscape else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\0": scalars += [escape, "0"]
      case escape: scalars += [escape, "1"]
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  fileprivate static func decoded(_ text: String) -> String {
    guard text.unicodeScalars.contains(escape) else { return text }
    var scalars = String.UnicodeScalarView()
    var rest = text.unicodeScalars.makeIterator()
    while let scalar = rest.next() {
      guard scalar == escape else {
        scalars.append(scalar)
        continue
      }
      // The text was cut between the escape and its second scalar.
      guard let kind = rest.next() else { break }
      scalars.append(kind == "0" ? "\0" : escape)
    }
    return String(scalars)
  }
}

/// Bounds of stored numbers.
package enum StoredNumbers {
  /// Numbers of pieces, products, versions and attempts.
  ///
  /// A double represents all integers up to 2^53 exactly.
  package static let counts: ClosedRange<Int64> = 0...(1 << 53)
  package static let productIDs: ClosedRange<Int64> = 1...(1 << 53)
  /// Ids of sellers without an identifier are below 1.
  package static let sellerIDs: ClosedRange<Int64> = -(1 << 53)...(1 << 53)

  /// Ids of products and sellers that an import may preserve; larger ones would leave no room for new
  /// ids.
  package static let preservableIDs: Range<Int64> = 1..<(1 << 28)

  /// Lowest id of sellers without an identifier from which a market counts on; ids below it are beyond
  /// what an import may bring (`ArchivedSeller.preservableID`), and only a forged file holds them.
  package static let lowestCountedSellerID: Int64 = -(1 << 40)

  package static func count(_ number: Int64) -> Int64 {
    min(max(number, counts.lowerBound), counts.upperBound)
  }
}

extension StoredRow {
  /// A text, cut to `limit`.
  package func text(_ column: Int32, _ limit: TextLimit) -> String {
    limit.cut(text(column, atMost: limit.bytes))
  }

  /// A number of pieces, products, versions or attempts, clamped to `StoredNumbers.counts`.
  package func count(_ column: Int32) -> Int64 { StoredNumbers.count(integer(column)) }

  package func productID(_ column: Int32) -> Product.ID? {
    let number = integer(column)
    return StoredNumbers.productIDs.contains(number) ? Product.ID(rawValue: number) : nil
  }

  package func seller(id: Int32, name: Int32, contact: Int32) -> Seller? {
    var seller = seller(id: id, name: name)
    seller?.contact = SellerContact(text(contact, .contact))
    return seller
  }

  /// A seller as lists have it; nil where the id is invalid.
  package func seller(id: Int32, name: Int32) -> Seller? {
    let number = integer(id)
    guard StoredNumbers.sellerIDs.contains(number) else { return nil }
    return Seller(id: Seller.ID(rawValue: number), name: text(name, .sellerName))
  }

  package func timestamp(_ column: Int32) -> Timestamp { Timestamp(seconds: integer(column)) }

  /// The picture of a hash; nil where the column is null or is not a valid hash.
  package func picture(id: Int32, hash: Int32) -> Picture? {
    bytes(hash, atMost: ContentHash.byteCount).flatMap {
      Picture(number: integer(id), storedHash: $0)
    }
  }

  /// A file of a picture, from one column, or the hash of the externally stored thumbnail, from another;
  /// nil where both are null or the file exceeds `StorageRules.storedPictureBytes`.
  package func pictureFile(_ file: Int32, thumbnailHash hash: Int32) -> StoredPictureFile? {
    guard isNull(file) else {
      return bytes(file, atMost: StorageRules.storedPictureBytes).map { .inside($0) }
    }
    guard !isNull(hash) else { return nil }
    return bytes(hash, atMost: ContentHash.byteCount).map { .outside(thumbnailHash: $0) }
  }
}
