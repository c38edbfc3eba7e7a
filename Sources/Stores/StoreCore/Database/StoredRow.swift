import MarketModel
import SQLiteKit

/// Row of a database, whoever filled it; the one place where what is stored becomes a value of the
/// domain.
///
/// It is valid while it is read. Columns count from 0.
///
/// Market files come from strangers too. Amounts, dates and counts are brought within their bounds and
/// texts are cut, so that nothing that is read can overflow or fill the memory. A number by which
/// something is found again cannot be bent: where it is impossible, the reader returns nil, and its
/// caller reports a damaged store.
package struct StoredRow {
  /// Columns of a row in PostgreSQL's binary format; nil is null.
  package typealias Columns = UnsafeBufferPointer<UnsafeRawBufferPointer?>

  private enum Content {
    case file(Row)
    /// The owner keeps the bytes as long as the row is there.
    case message(Columns, owner: AnyObject)
  }

  private let content: Content

  package init(_ row: Row) { content = .file(row) }

  package init(_ columns: Columns, of owner: AnyObject) {
    content = .message(columns, owner: owner)
  }

  private static func bytes(_ columns: Columns, _ column: Int32) -> UnsafeRawBufferPointer? {
    precondition(columns.indices.contains(Int(column)), "a row is asked for the columns it has")
    return columns[Int(column)]
  }

  package func isNull(_ column: Int32) -> Bool {
    switch content {
    case .file(let row): row.isNull(column)
    case .message(let columns, _): Self.bytes(columns, column) == nil
    }
  }

  /// A number of at most 64 bits; 0 where the column holds none.
  package func integer(_ column: Int32) -> Int64 {
    switch content {
    case .file(let row): return row.integer(column)
    case .message(let columns, _):
      guard let bytes = Self.bytes(columns, column), let first = bytes.first else { return 0 }
      // The first byte carries the sign.
      return bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
    }
  }

  /// The beginning of a text; empty where the column holds none, repaired where it is no UTF-8.
  package func text(_ column: Int32, atMost bytes: Int = .max) -> String {
    switch content {
    case .file(let row): return row.text(column, atMost: bytes)
    case .message(let columns, _):
      guard let all = Self.bytes(columns, column) else { return "" }
      // As it is kept a byte may take five.
      let (kept, overflow) = bytes.multipliedReportingOverflow(by: 5)
      let beginning = overflow ? all[...] : all.prefix(kept)
      return StorableText.decoded(String(decoding: beginning, as: UTF8.self))
    }
  }

  /// The bytes; empty where the column is null.
  package func blob(_ column: Int32) -> [UInt8] {
    switch content {
    case .file(let row): row.blob(column)
    case .message(let columns, _): Self.bytes(columns, column).map(Array.init) ?? []
    }
  }

  /// The bytes; nil where there are more.
  package func bytes(_ column: Int32, atMost count: Int) -> [UInt8]? {
    switch content {
    case .file(let row): row.bytes(column, atMost: count)
    case .message(let columns, _):
      Self.bytes(columns, column)?.count ?? 0 <= count ? blob(column) : nil
    }
  }
}

/// Text as a column of text can hold it: PostgreSQL refuses U+0000, which is kept as two scalars
/// that begin with a noncharacter.
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
      // A text that was cut between the two ends here.
      guard let kind = rest.next() else { break }
      scalars.append(kind == "0" ? "\0" : escape)
    }
    return String(scalars)
  }
}

/// The bounds of what a store may hold.
package enum StoredNumbers {
  /// Whatever is counted: pieces, products, versions, attempts.
  ///
  /// Doubles are exact up to there.
  package static let counts: ClosedRange<Int64> = 0...(1 << 53)
  package static let productIDs: ClosedRange<Int64> = 1...(1 << 53)
  /// Sellers who cannot sign in have numbers below 1.
  package static let sellerIDs: ClosedRange<Int64> = -(1 << 53)...(1 << 53)

  /// Numbers of products and sellers that an import may keep; numbers that follow have to find room.
  package static let preservableIDs: Range<Int64> = 1..<(1 << 28)

  /// Below all that an import may bring (`ArchivedSeller.preservableID`) a market counts on by itself; what
  /// is lower still, only a forged file holds.
  package static let lowestCountedSellerID: Int64 = -(1 << 40)

  package static func count(_ number: Int64) -> Int64 {
    min(max(number, counts.lowerBound), counts.upperBound)
  }
}

extension StoredRow {
  /// A text as it may be stored today; what is longer is cut.
  package func text(_ column: Int32, _ limit: TextLimit) -> String {
    limit.cut(text(column, atMost: limit.bytes))
  }

  /// A number of pieces, products, versions or attempts.
  package func count(_ column: Int32) -> Int64 { StoredNumbers.count(integer(column)) }

  package func productID(_ column: Int32) -> Product.ID? {
    let number = integer(column)
    return StoredNumbers.productIDs.contains(number) ? Product.ID(rawValue: number) : nil
  }

  package func seller(id: Int32, name: Int32, contact: Int32) -> Seller? {
    let number = integer(id)
    guard StoredNumbers.sellerIDs.contains(number) else { return nil }
    return Seller(
      id: Seller.ID(rawValue: number), name: text(name, .sellerName),
      contact: SellerContact(text(contact, .contact)))
  }

  package func timestamp(_ column: Int32) -> Timestamp { Timestamp(seconds: integer(column)) }

  /// Nil where there is none, or a hash that names none.
  package func picture(id: Int32, hash: Int32) -> Picture? {
    bytes(hash, atMost: ContentHash.byteCount).flatMap {
      Picture(number: integer(id), storedHash: $0)
    }
  }

  /// A file of a picture, in one column, or the hash of the thumbnail outside, in another; nil where it
  /// is in neither, or longer than any picture that is kept.
  package func pictureFile(_ file: Int32, thumbnailHash hash: Int32) -> StoredPictureFile? {
    guard isNull(file) else {
      return bytes(file, atMost: StorageRules.storedPictureBytes).map { .inside($0) }
    }
    guard !isNull(hash) else { return nil }
    return bytes(hash, atMost: ContentHash.byteCount).map { .outside(thumbnailHash: $0) }
  }
}
