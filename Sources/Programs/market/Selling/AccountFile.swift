import DispatchBridge
import Glibc
import MarketModel
import MarketViewModels
import Posix
import TextCoding

/// Seller account of one market, in a file of the settings folder that only its owner can read.
actor AccountFile: SellerAccountStore {
  private let executor = QueueExecutor(label: "account")
  private let folder: String
  private let name: String
  /// Fixed identifier (ssh guests: derived from their key).
  ///
  /// If nil, a random one is generated on first use.
  private let fixed: SellerIdentifier?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Prefix of the account files.
  static let namePrefix = "seller-"
  /// Maximum bytes of the file; a larger one counts as unreadable.
  private static let maxFileSize = 1 << 20
  /// Maximum number of unreadable files that are renamed; beyond it no new account is made.
  private static let maxMovedAside = 100

  /// Creates the file `name`, unique for each market, in the settings `folder`; both are created on the
  /// first write.
  init(folder: String, name: String, of fixed: SellerIdentifier? = nil) {
    self.folder = folder
    self.name = name
    self.fixed = fixed
  }

  func known() -> SellerAccount? {
    let bytes = try? PrivateFile.read(folder + "/" + name, limit: Self.maxFileSize)
    guard let records = bytes.flatMap(RecordFile.init), let secret = records.first("identifier"),
      fixed == nil || fixed?.secret == secret
    else { return nil }
    let seller = records.first("seller").flatMap { Int64($0) }.map(Seller.ID.init(rawValue:))
    return SellerAccount(
      identifier: SellerIdentifier(secret: secret), name: records.first("name"),
      seller: seller.map { Seller(id: $0, name: records.first("sellerName") ?? "") },
      registered: records.all("product").compactMap { Int64($0) }
        .map(Product.ID.init(rawValue:)), isMadeHere: records.first(Self.madeRecord) != nil)
  }

  private static let madeRecord = "made"

  func account() -> SellerAccount? {
    if let known = known() { return known }
    let made = changing { known() ?? makeAccount() } ?? nil
    // A fixed identifier needs no file.
    return made ?? (fixed == nil ? nil : newAccount())
  }

  /// Merges the account with the one in the file.
  ///
  /// - Returns: the merged account, with the registrations of other runs; nil if it could not be
  ///   written or the file has another identifier by now.
  func save(_ account: SellerAccount) -> SellerAccount? {
    changing {
      guard let known = known() else { return write(account) ? account : nil }
      guard known.identifier == account.identifier else { return nil }
      let merged = account.merged(into: known)
      return merged == known || write(merged) ? merged : nil
    } ?? nil
  }

  /// Replaces the account in the file; false if it could not be written.
  func replace(with account: SellerAccount) -> Bool {
    changing { write(account) } ?? false
  }

  /// Runs `body` under the folder's lock; nil if the lock is not available.
  private func changing<Value>(_ body: () -> Value) -> Value? {
    guard (try? Folder.make(folder)) != nil else { return nil }
    return try? FolderLock.holding(folder, body)
  }

  /// Whether a folder has an account with a name, seller number or product; nil if a file cannot be
  /// read and no other has.
  static func hasSeller(in folder: String) -> Bool? {
    let answers = Folder.names(in: folder).filter { $0.hasPrefix(namePrefix) }.map { name in
      (try? PrivateFile.read(folder + "/" + name, limit: maxFileSize)).flatMap(RecordFile.init)
        .map { records in
          ["name", "seller", "product"].contains { records.first($0) != nil }
        }
    }
    return answers.contains(true) ? true : answers.contains(nil) ? nil : false
  }

  private func newAccount() -> SellerAccount {
    SellerAccount(
      identifier: fixed ?? SellerIdentifier(secret: RandomToken.uuid()), isMadeHere: true)
  }

  /// Creates and writes an account; nil if it is not safely on the disk.
  private func makeAccount() -> SellerAccount? {
    guard moveAside() else { return nil }
    let made = newAccount()
    guard write(made) else { return nil }
    // The folder may be as new as the file.
    return (try? Folder.sync(Folder.containing(folder))) == nil ? nil : made
  }

  /// Renames a file that cannot be read, possibly only for now: it may be the only key to a seller's
  /// products.
  ///
  /// False if it cannot be renamed.
  private func moveAside() -> Bool {
    let path = folder + "/" + name
    guard isTaken(path) else { return true }
    let others = (1...Self.maxMovedAside).map { path + ($0 == 1 ? ".old" : ".old-\($0)") }
    // The folder is locked, so the name stays free.
    guard let other = others.first(where: { !isTaken($0) }) else { return false }
    return rename(path, other) == 0
  }

  /// Whether a file exists, also as a dangling link.
  private func isTaken(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  private func write(_ account: SellerAccount) -> Bool {
    var records = RecordFile()
    records.add("identifier", account.identifier.secret)
    if let name = account.name { records.add("name", name) }
    if let seller = account.seller {
      records.add("seller", String(seller.id.rawValue))
      records.add("sellerName", seller.name)
    }
    for id in account.registered { records.add("product", String(id.rawValue)) }
    if account.isMadeHere { records.add(Self.madeRecord, "here") }
    return (try? PrivateFile.write(records.bytes, to: folder + "/" + name)) != nil
  }
}

/// Random values of the system's generator.
nonisolated enum RandomToken {
  /// Random UUID (RFC 9562, version 4) in lowercase.
  static func uuid() -> String {
    var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { Hexadecimal.text(of: bytes[$0]) }
      .joined(separator: "-")
  }
}
