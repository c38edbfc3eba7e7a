import DispatchBridge
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
    return SellerAccount(
      identifier: SellerIdentifier(secret: secret), name: records.first("name"),
      registered: records.all("product").compactMap { Int64($0) }
        .map(Product.ID.init(rawValue:)))
  }

  func account() -> SellerAccount {
    if let known = known() { return known }
    let made = SellerAccount(identifier: SellerIdentifier(secret: RandomToken.uuid()))
    save(made)
    return made
  }

  func save(_ account: SellerAccount) {
    var records = Records()
    records.add("identifier", account.identifier.secret)
    if let name = account.name { records.add("name", name) }
    for id in account.registered { records.add("product", String(id.rawValue)) }
    guard Locations.makeFolder(folder) == nil else { return }
    _ = PrivateFile.write(records.bytes, to: folder + "/" + name)
  }
}
