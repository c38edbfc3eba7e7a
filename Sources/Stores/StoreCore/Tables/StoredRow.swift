import MarketModel

/// One row of a database, whoever filled it; the one place where what is stored becomes a value of
/// the domain.
///
/// Market files come from strangers too. Amounts, dates and counts are brought within their bounds and
/// texts are cut, so that nothing that is read can overflow or fill the memory. A number by which
/// something is found again cannot be bent: where it is impossible, the reader answers nil, and its
/// caller reports a damaged store.
package protocol StoredRow: ~Copyable {
  func isNull(_ column: Int32) -> Bool
  /// A number of 64 bits; 0 where the column holds none.
  func integer(_ column: Int32) -> Int64
  /// The beginning of a text; empty where the column holds none, repaired where it is no UTF-8.
  func text(_ column: Int32, atMost bytes: Int) -> String
  /// Bytes; nil where there are more.
  func bytes(_ column: Int32, atMost count: Int) -> [UInt8]?
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

  /// Below all that an import may bring (`ArchivedSeller.favoriteID`) a market counts on by itself; what
  /// is lower still, only a forged file holds.
  package static let lowestCountedSellerID: Int64 = -(1 << 40)

  package static func count(_ number: Int64) -> Int64 {
    min(max(number, counts.lowerBound), counts.upperBound)
  }
}

extension StoredRow where Self: ~Copyable {
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

  /// The attempts of an origin: how many were wrong, time of the last one, whether the password was
  /// known once; `PasswordAttempts` brings them within bounds.
  package func attempts(busyUntilSeconds: Int64, isOpenToStrangers: Bool) -> PasswordAttempts {
    PasswordAttempts(
      wrongCount: integer(0), lastSeconds: integer(1), isTrusted: integer(2) != 0,
      busyUntilSeconds: busyUntilSeconds, isOpenToStrangers: isOpenToStrangers)
  }
}
