import DispatchBridge
import Glibc
import MarketModel
import MarketViewModels

/// The seller's account on one market, in a file of the settings folder that only its owner reads.
actor AccountFile: SellerAccountKeeper {
  private let executor = QueueExecutor(label: "account")
  private let folder: String
  private let name: String

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private static let longestFile = 1 << 20

  /// - Parameters:
  ///   - folder: the settings folder, which need not exist yet.
  ///   - name: the file's name, another one for each market.
  init(folder: String, name: String) {
    self.folder = folder
    self.name = name
  }

  func known() -> SellerAccount? {
    guard let bytes = PrivateFile.read(folder + "/" + name, limit: Self.longestFile),
      let records = Records(bytes), let secret = records.first("identifier")
    else { return nil }
    let seller = records.first("seller").flatMap { Int64($0) }.map(Seller.ID.init(rawValue:))
    return SellerAccount(
      identifier: SellerIdentifier(secret: secret), name: records.first("name"),
      seller: seller.map { Seller(id: $0, name: records.first("sellerName") ?? "") },
      registered: records.all("product").compactMap { Int64($0) }
        .map(Product.ID.init(rawValue:)))
  }

  func account() -> SellerAccount {
    if let known = known() { return known }
    // What cannot be read, or not now, may still be somebody's only key to their products.
    let path = folder + "/" + name
    rename(path, path + ".old")
    let made = SellerAccount(identifier: SellerIdentifier(secret: RandomToken.uuid()))
    _ = save(made)
    return made
  }

  func save(_ account: SellerAccount) -> Bool {
    var records = Records()
    records.add("identifier", account.identifier.secret)
    if let name = account.name { records.add("name", name) }
    if let seller = account.seller {
      records.add("seller", String(seller.id.rawValue))
      records.add("sellerName", seller.name)
    }
    for id in account.registered { records.add("product", String(id.rawValue)) }
    return Locations.makeFolder(folder) == nil
      && PrivateFile.write(records.bytes, to: folder + "/" + name)
  }
}
