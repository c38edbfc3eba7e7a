import Glibc
import MarketModel
import Posix

/// Directory of the guests' data: the secret, the locks of present guests, and a folder for each guest.
///
/// It must belong to the account alone, so that no other account can put a link or device in the place
/// of a file.
nonisolated struct GuestDirectory {
  private static let secretName = "secret"
  /// Maximum number of concurrent connections of one guest.
  private static let maxOfOne = 5
  /// Number of counters of connections; guests with the same counter share its limit.
  private static let counters = 1_024
  /// Seconds of absence after which a guest's folder may be given to another guest, with its content
  /// deleted.
  private static let absence: Int64 = 30 * 86_400
  /// Maximum bytes of one guest's folder; beyond it nothing is saved.
  static let maxBytes = 24 << 20

  private let path: String
  private let limits: HostingOptions
  let secret: GuestSecret

  /// Opens the folder of the options and creates the secret if it is missing.
  /// - Throws: `.notSetUp` without the option, `.badState` if a file or folder cannot be made or read,
  ///   `.openState` if other accounts have access.
  init(_ limits: HostingOptions) throws(GuestError) {
    guard let path = limits.state else { throw .notSetUp(missing: "--state DIR") }
    self.path = path
    self.limits = limits
    for folder in [path, path + "/here", path + "/guests"] {
      do throws(SystemError) {
        try Folder.make(folder)
      } catch {
        throw .badState(folder: folder, error)
      }
      guard Self.isOwn(folder) else { throw .openState(folder: folder) }
    }
    let file = path + "/" + Self.secretName
    do throws(SystemError) {
      secret = try Self.secret(in: file, of: path)
    } catch {
      throw .badState(folder: file, error)
    }
  }

  private static func secret(in file: String, of folder: String) throws(SystemError) -> GuestSecret
  {
    func known() -> GuestSecret? {
      (try? PrivateFile.read(file, limit: GuestSecret.byteCount)).flatMap(GuestSecret.init)
    }
    if let secret = known() { return secret }
    let made = try? FolderLock.holding(folder) { () -> Result<Void, SystemError> in
      // Another guest may have come first. An unreadable secret is never replaced, since the sellers'
      // identifiers depend on it.
      guard access(file, F_OK) != 0 else { return .success(()) }
      do throws(SystemError) {
        return .success(try PrivateFile.write(GuestSecret.random(), to: file))
      } catch {
        return .failure(error)
      }
    }
    try made?.get()
    guard let secret = known() else { throw SystemError(number: EINVAL) }
    return secret
  }

  // MARK: Places

  /// Counts the connection until the process ends.
  /// - Throws: `.tooOften` if the guest has the maximum number of connections, `.full` if all guests
  ///   together do.
  func enter(_ caller: SSHClientInfo) throws(GuestError) {
    let number = number(of: caller.key?.text ?? caller.address)
    guard takePlace("guest-\(number)-", of: Self.maxOfOne) else { throw .tooOften }
    guard takePlace("place-", of: limits.maxGuests) else { throw .full }
  }

  /// Counter of questions and answers from an address; addresses with the same number share the limit.
  func counter(of address: String) -> GuestCounter {
    GuestCounter(path: path + "/here/sent-\(number(of: ClientNetwork(of: address).text))")
  }

  private func number(of guest: String) -> Int {
    (Int(secret.name("place", of: guest).prefix(8), radix: 16) ?? 0) % Self.counters
  }

  /// Locks one of `count` files; false if all are locked.
  ///
  /// The descriptor stays open until the process ends.
  private func takePlace(_ name: String, of count: Int) -> Bool {
    for number in 0..<count {
      let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
      let file = open(path + "/here/" + name + String(number), flags, 0o600)
      guard file >= 0 else { return false }
      if flock(file, LOCK_EX | LOCK_NB) == 0 { return true }
      close(file)
    }
    return false
  }

  // MARK: What guests keep

  /// Opens the folder of a guest until the process ends; a new one is created if there is room.
  ///
  /// - Returns: the folder and the descriptor with its lock (`GuestFolder.take`); nil if nothing is
  ///   saved for the guest.
  func folder(of key: KeyFingerprint) -> (folder: String, lock: Int32)? {
    let guests = path + "/guests"
    let folder = GuestFolder(folder: guests + "/" + secret.name("folder", of: key.text))
    guard folder.byteCount <= Self.maxBytes else { return nil }
    let lock =
      folder.acquire()
      ?? (try? FolderLock.holding(guests) { () -> Int32? in
        // Another connection with the key, or a new guest, may have been faster.
        if let lock = folder.acquire() { return lock }
        guard hasRoom(in: guests), mkdir(folder.folder, 0o700) == 0 else { return nil }
        return folder.acquire()
      }) ?? nil
    return lock.map { (folder.folder, $0) }
  }

  /// Makes room for a new folder: removes the longest unvisited one that is empty, else the longest
  /// unvisited one whose guest was absent for longer than `absence`.
  ///
  /// - Returns: whether there is room.
  private func hasRoom(in guests: String) -> Bool {
    guard limits.maxSavedGuests > 0 else { return false }
    let places = Folder.names(in: guests).compactMap { name in
      let folder = GuestFolder(folder: guests + "/" + name)
      // Names that begin with a dot are those of the lock and the trash.
      return name.hasPrefix(".") ? nil : folder.lastVisit.map { (folder: folder, visit: $0) }
    }
    guard places.count >= limits.maxSavedGuests else { return true }
    let oldestFirst = places.sorted { $0.visit < $1.visit }
    let trash = guests + "/.trash"
    let end = (Int64(time(nil)) - Self.absence) * 1_000_000_000
    return oldestFirst.contains { one in one.folder.remove(by: trash) { one.folder.isEmpty } }
      || oldestFirst.contains { $0.visit < end && $0.folder.remove(by: trash) { true } }
  }

  // MARK: Files

  /// Whether a path is a folder, not a link, that belongs to this account alone.
  static func isOwn(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == geteuid()
      && status.st_mode & 0o077 == 0
  }
}
