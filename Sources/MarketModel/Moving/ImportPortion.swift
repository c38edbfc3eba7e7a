/// Products that come into a market in one step.
package struct ImportPortion: Sendable {
  package var products: [IncomingProduct] = []
  /// Files that the products name and no earlier portion has brought, fit to be kept.
  package private(set) var pictures: [String: PreparedPicture] = [:]
  private var pictureBytes = 0

  package init() {}

  /// Whether its pictures are as many as should be in memory at a time: 32 MB.
  package var isFull: Bool { pictureBytes >= 32 << 20 }

  package mutating func add(_ picture: PreparedPicture, named name: String) {
    pictures[name] = picture
    pictureBytes += picture.bytes.count + picture.thumbnail.count
  }
}

/// A product that is to come into a market.
package struct IncomingProduct: Hashable, Sendable {
  /// Bytes that are always the same for this product and for no other: what it was read from.
  ///
  /// A product that has come once does not come again.
  package var identity: [UInt8]
  package var product: ArchivedProduct

  package init(identity: [UInt8], product: ArchivedProduct) {
    self.identity = identity
    self.product = product
  }
}

/// What became of a portion.
package struct ImportReceipt: Sendable {
  /// How many of its products were new.
  package var added: Int
  /// By which names the market keeps the pictures of the portion; later portions may use them.
  package var pictureNames: [String: String]

  package init(added: Int, pictureNames: [String: String]) {
    self.added = added
    self.pictureNames = pictureNames
  }
}
