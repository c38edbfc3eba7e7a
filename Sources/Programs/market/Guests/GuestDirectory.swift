import Glibc
import MarketModel
import Posix

/// House of the guests: the folder in which their account keeps its secret, who is here, and what each has
/// left here.
///
/// It belongs to the account alone, so that nobody else can put a link or a device where a file is meant.
nonisolated struct GuestDirectory {
  private static let secretName = "secret"
  /// Runs of one guest at a time.
  private static let maxOfOne = 5
  /// Places by which one guest's runs are counted; guests who share one share the bound.
  private static let counters = 1_024
  /// Seconds after which the place of a guest who does not come may go to another one, whatever is kept
  /// in it.
  private static let absence: Int64 = 30 * 86_400
  /// Bytes that one guest may leave here.
  static let maxBytes = 24 << 20

  private let path: String
  private let limits: HostingOptions
  let secret: GuestSecret

  /// Opens the folder that the host has named; its secret is made with the first guest.
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
      // Another guest may have come first. What is there and no secret stays: sellers hang on it.
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

  /// Takes a place in the house for as long as the process runs.
  func enter(_ caller: SSHClientInfo) throws(GuestError) {
    let number = number(of: caller.key?.text ?? caller.address)
    guard takePlace("guest-\(number)-", of: Self.maxOfOne) else { throw .tooOften }
    guard takePlace("place-", of: limits.maxGuests) else { throw .full }
  }

  /// The count of what comes from an address; addresses that share one share the limit.
  func counter(of address: String) -> GuestCounter {
    GuestCounter(path: path + "/here/sent-\(number(of: ClientNetwork(of: address).text))")
  }

  private func number(of guest: String) -> Int {
    (Int(secret.name("place", of: guest).prefix(8), radix: 16) ?? 0) % Self.counters
  }

  /// Locks one of a row of files; the descriptor stays open, and the end of the process gives it back.
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

  /// Takes a guest's place for as long as the process runs; one is made where there is room for one more.
  ///
  /// - Returns: the folder of the place and the descriptor that holds it (`GuestFolder.take`); nil where
  ///   nothing is kept for the guest.
  func folder(of key: KeyFingerprint) -> (folder: String, lock: Int32)? {
    let guests = path + "/guests"
    let folder = GuestFolder(folder: guests + "/" + secret.name("folder", of: key.text))
    guard folder.byteCount <= Self.maxBytes else { return nil }
    let lock =
      folder.take()
      ?? (try? FolderLock.holding(guests) { () -> Int32? in
        // Another connection with the key, or a newcomer, may have been faster.
        if let lock = folder.take() { return lock }
        guard hasRoom(in: guests), mkdir(folder.folder, 0o700) == 0 else { return nil }
        return folder.take()
      }) ?? nil
    return lock.map { (folder.folder, $0) }
  }

  /// Makes room for one more place where there is none: the place goes whose guest was here longest ago of
  /// those in which nothing is kept, else of those who have been absent for longer than `absence`.
  ///
  /// - Returns: whether there is room.
  private func hasRoom(in guests: String) -> Bool {
    guard limits.maxSavedGuests > 0 else { return false }
    let places = Folder.names(in: guests).compactMap { name in
      let folder = GuestFolder(folder: guests + "/" + name)
      // Names with a dot are the lock's and the trash's.
      return name.hasPrefix(".") ? nil : folder.lastVisit.map { (folder: folder, visit: $0) }
    }
    guard places.count >= limits.maxSavedGuests else { return true }
    let maxAge = places.sorted { $0.visit < $1.visit }
    let trash = guests + "/.trash"
    let end = (Int64(time(nil)) - Self.absence) * 1_000_000_000
    return maxAge.contains { one in one.folder.remove(by: trash) { one.folder.isEmpty } }
      || maxAge.contains { $0.visit < end && $0.folder.remove(by: trash) { true } }
  }

  // MARK: Files

  /// Whether a path is a folder itself, no link to one, that belongs to this account alone.
  static func isOwn(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == geteuid()
      && status.st_mode & 0o077 == 0
  }
}
