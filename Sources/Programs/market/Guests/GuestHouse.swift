import Glibc
import Posix

/// House of the guests: the folder in which their account keeps its secret, who is here, and what each has
/// left here.
///
/// It belongs to the account alone, so that nobody else can put a link or a device where a file is meant.
nonisolated struct GuestHouse {
  private static let secretName = "secret"
  /// Runs of one guest at a time.
  private static let mostOfOne = 5
  /// Places by which one guest's runs are counted; guests who share one share the bound.
  private static let counters = 1_024
  /// Seconds after which the place of a guest who does not come may go to another one.
  private static let absence: Int64 = 30 * 86_400
  /// Bytes that one guest may leave here.
  static let mostBytes = 24 << 20

  private let path: String
  private let limits: HostingOptions
  let secret: GuestSecret

  /// Opens the folder that the host has named; its secret is made with the first guest.
  init(_ limits: HostingOptions) throws(GuestTrouble) {
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
  func enter(_ caller: GuestCaller) throws(GuestTrouble) {
    let counter = secret.name("place", of: caller.key?.text ?? caller.address)
    let number = (Int(counter.prefix(8), radix: 16) ?? 0) % Self.counters
    guard takePlace("guest-\(number)-", of: Self.mostOfOne) else { throw .tooOften }
    guard takePlace("place-", of: limits.mostGuests) else { throw .full }
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

  /// The folder of a guest, made where there is room for one more; nil where there is none.
  func folder(of key: KeyFingerprint) -> String? {
    let guests = path + "/guests"
    let folder = guests + "/" + secret.name("folder", of: key.text)
    if Self.isOwn(folder) { return isWithinBounds(folder) && didCome(to: folder) ? folder : nil }
    return try? FolderLock.holding(guests) { () -> String? in
      let others = Folder.entries(of: guests).filter(\.isFolder).map(\.name)
      if others.count >= limits.mostKept, !makeRoom(among: others.map { guests + "/" + $0 }) {
        return nil
      }
      guard mkdir(folder, 0o700) == 0 || Self.isOwn(folder) else { return nil }
      return didCome(to: folder) ? folder : nil
    } ?? nil
  }

  /// Notes that the guest was here, as the time of the folder itself.
  private func didCome(to folder: String) -> Bool {
    utimensat(AT_FDCWD, folder, nil, AT_SYMLINK_NOFOLLOW) == 0
  }

  private func isWithinBounds(_ folder: String) -> Bool {
    Self.bytes(below: folder) <= Self.mostBytes
  }

  /// Takes away what the guest has left who was not here for longest; false where all have been.
  private func makeRoom(among folders: [String]) -> Bool {
    let visits = folders.compactMap { folder in
      Self.status(of: folder).map { (folder: folder, time: Int64($0.st_mtim.tv_sec)) }
    }
    guard limits.mostKept > 0, let oldest = visits.min(by: { $0.time < $1.time }),
      oldest.time < Int64(time(nil)) - Self.absence
    else { return false }
    return Self.remove(oldest.folder)
  }

  // MARK: Files

  /// Whether a path is a folder itself, no link to one, that belongs to this account alone.
  static func isOwn(_ path: String) -> Bool {
    guard let status = status(of: path) else { return false }
    return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
      && status.st_mode & 0o077 == 0
  }

  private static func status(of path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }

  private static func bytes(below folder: String) -> Int {
    Folder.entries(of: folder).reduce(0) { sum, entry in
      let path = folder + "/" + entry.name
      guard let status = status(of: path) else { return sum }
      return sum + (status.st_mode & S_IFMT == S_IFDIR ? bytes(below: path) : Int(status.st_size))
    }
  }

  /// Removes a folder with all that is in it; links go themselves, and not what they lead to.
  private static func remove(_ folder: String) -> Bool {
    for entry in Folder.entries(of: folder) {
      let path = folder + "/" + entry.name
      if unlink(path) != 0, errno == EISDIR { _ = remove(path) }
    }
    return rmdir(folder) == 0
  }
}
