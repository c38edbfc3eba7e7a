import DispatchBridge
import Glibc
import MarketModel
import MarketViewModels
import Posix
import TextCoding

/// The seller's account on one market, in a file of the settings folder that only its owner reads.
actor AccountFile: SellerAccountStore {
  private let executor = QueueExecutor(label: "account")
  private let folder: String
  private let name: String
  /// The identifier of who is known otherwise, as guests are by their key; nil makes one at random.
  private let fixed: SellerIdentifier?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private static let longestFile = 1 << 20
  private static let mostKeptAside = 100

  /// Takes the settings folder, which need not exist yet, and the file's name, another one for each
  /// market.
  init(folder: String, name: String, of fixed: SellerIdentifier? = nil) {
    self.folder = folder
    self.name = name
    self.fixed = fixed
  }

  func known() -> SellerAccount? {
    guard let bytes = try? PrivateFile.read(folder + "/" + name, limit: Self.longestFile),
      let records = Records(bytes), let secret = records.first("identifier"),
      fixed == nil || fixed?.secret == secret
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
    return changing { known() ?? makeAccount() } ?? newAccount()
  }

  /// Adds what is new about the account to what the file holds.
  ///
  /// - Returns: the account as the file holds it now, with what other runs registered; nil where it
  ///   could not be written, or where one sells under another identifier by now.
  func save(_ account: SellerAccount) -> SellerAccount? {
    changing {
      guard let known = known() else { return write(account) ? account : nil }
      guard known.identifier == account.identifier else { return nil }
      let merged = account.merged(into: known)
      return merged == known || write(merged) ? merged : nil
    } ?? nil
  }

  /// Puts an account in the place of whatever the file holds; false where it could not be written.
  func replace(with account: SellerAccount) -> Bool {
    changing { write(account) } ?? false
  }

  /// Lets nobody else change the file meanwhile.
  private func changing<Value>(_ body: () -> Value) -> Value? {
    guard (try? Folder.make(folder)) != nil else { return nil }
    return FolderLock.holding(folder, body)
  }

  private func newAccount() -> SellerAccount {
    SellerAccount(identifier: fixed ?? SellerIdentifier(secret: RandomToken.uuid()))
  }

  private func makeAccount() -> SellerAccount {
    keepAside()
    let made = newAccount()
    _ = write(made)
    return made
  }

  /// Gives a file that cannot be read, or not now, another name: it may still be somebody's only key
  /// to their products.
  private func keepAside() {
    let path = folder + "/" + name
    for number in 1...Self.mostKeptAside {
      let other = path + (number == 1 ? ".old" : ".old-\(number)")
      // A link never overwrites.
      if link(path, other) == 0 {
        unlink(path)
        return
      }
      guard errno == EEXIST else { break }
    }
    rename(path, path + ".old")
  }

  private func write(_ account: SellerAccount) -> Bool {
    var records = Records()
    records.add("identifier", account.identifier.secret)
    if let name = account.name { records.add("name", name) }
    if let seller = account.seller {
      records.add("seller", String(seller.id.rawValue))
      records.add("sellerName", seller.name)
    }
    for id in account.registered { records.add("product", String(id.rawValue)) }
    return (try? PrivateFile.write(records.bytes, to: folder + "/" + name)) != nil
  }
}

/// Random texts from the system's generator.
nonisolated enum RandomToken {
  /// A random UUID (RFC 9562, version 4) in lower case.
  static func uuid() -> String {
    var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { Hexadecimal.text(of: bytes[$0]) }
      .joined(separator: "-")
  }
}
