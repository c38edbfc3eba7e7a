import DispatchBridge
import Glibc
import MarketModel
import MarketViewModels
import Posix
import StoreCore
import TextCoding

/// Store of drafts as folders: a small file that is written with every change, and the photos beside
/// it, each written once.
actor DraftFolder: DraftStore {
  private let executor = QueueExecutor(label: "drafts")
  private let path: String
  private let maxDrafts: Int
  /// Deleted drafts; later saves of them are ignored.
  private var deleted: Set<Draft.ID> = []
  /// Keys of registrations that an earlier run sent and whose outcome is unknown; nil before the first
  /// look.
  private var sentEarlier: Set<IdempotencyKey>?
  /// Locked files of registrations without a draft that are being sent.
  private var records: [IdempotencyKey: (path: String, file: Int32)] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Maximum bytes of a draft's file and of a photo; larger ones are left out when drafts are read.
  private static let maxDraftLength = 4 << 20
  private static let maxPhotoSize = 1 << 20

  /// Creates the store of a folder, which is created on first use; at most `maxDrafts` are saved,
  /// further ones fail.
  init(_ path: String, atMost maxDrafts: Int = .max) {
    self.path = path
    self.maxDrafts = maxDrafts
  }

  /// Folder of a market's drafts.
  static func path(of key: MarketKey) -> String {
    AppPaths().drafts + "/" + key.fileName
  }

  static func hasDrafts(below folder: String) -> Bool {
    Folder.names(in: folder).contains { market in
      let drafts = folder + "/" + market
      return Folder.names(in: drafts).contains { Folder.isFile(drafts + "/" + $0 + "/draft") }
    }
  }

  func drafts() -> [Draft] {
    let drafts = Folder.entries(of: path).compactMap { entry in
      entry.isFolder ? draft(in: path + "/" + entry.name, Draft.ID(rawValue: entry.name)) : nil
    }
    // Registrations of this run are sent after its first look.
    sentEarlier = sentEarlier ?? Set(drafts.filter(\.wasSent).map(\.key))
    return drafts.sorted { $0.changed.seconds > $1.changed.seconds }
  }

  /// Whether an earlier run sent a registration with this key, and its outcome is unknown.
  func wasSent(_ key: IdempotencyKey) -> Bool {
    sentEarlier?.contains(key) ?? false
  }

  // MARK: Registrations without a draft

  /// Beginning of the names of records; a digest and the key follow.
  private static let recordPrefix = "registration-"
  /// Seconds for which a registration without an answer is sent again with its key.
  private static let recordSeconds = 3_600

  /// A record is locked while the registration is sent, so that an equal one of another run has a key
  /// of its own.
  func beginRegistration(
    _ registration: ProductRegistration, by author: Author, key: IdempotencyKey, again: Bool
  ) -> IdempotencyKey {
    let intent = RegistrationIntent(author: author, key: key, registration)
    let digest = ContentHash.of((intent.seller?.hash ?? []) + intent.digest)
    let prefix = Self.recordPrefix + Hexadecimal.text(of: digest) + "-"
    let names = Folder.names(in: path).filter { $0.hasPrefix(Self.recordPrefix) }
    for name in names {
      let record = path + "/" + name
      guard Self.isRecent(record) else {
        unlink(record)
        continue
      }
      guard !again, name.hasPrefix(prefix) else { continue }
      let earlier = IdempotencyKey(rawValue: String(name.dropFirst(prefix.count)))
      guard records[earlier] == nil, hold(record, for: earlier, creating: false) else { continue }
      sentEarlier = (sentEarlier ?? []).union([earlier])
      return earlier
    }
    if names.count < maxDrafts, (try? Folder.make(path)) != nil {
      _ = hold(path + "/" + prefix + key.rawValue, for: key, creating: true)
    }
    return key
  }

  func endRegistration(_ key: IdempotencyKey, isAnswered: Bool) {
    guard let record = records.removeValue(forKey: key) else { return }
    if isAnswered { unlink(record.path) }
    close(record.file)
  }

  private static func isRecent(_ path: String) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else { return false }
    return time(nil) - status.st_mtim.tv_sec < recordSeconds
  }

  /// Locks a record; false if another run holds it.
  private func hold(_ path: String, for key: IdempotencyKey, creating: Bool) -> Bool {
    let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | (creating ? O_CREAT | O_EXCL : 0)
    let file = open(path, flags, 0o600)
    guard file >= 0 else { return false }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      close(file)
      return false
    }
    records[key] = (path, file)
    return true
  }

  private func draft(in folder: String, _ id: Draft.ID) -> Draft? {
    guard let bytes = try? PrivateFile.read(folder + "/draft", limit: Self.maxDraftLength),
      let records = RecordFile(bytes)
    else { return nil }
    return Draft(id, records) { photo in
      try? PrivateFile.read(self.file(of: photo, in: folder), limit: Self.maxPhotoSize)
    }
  }

  func save(_ draft: Draft) -> Bool {
    guard !deleted.contains(draft.id) else { return true }
    let folder = path + "/" + draft.id.rawValue
    guard maxDrafts == .max || hasRoom(for: folder) else { return false }
    do throws(SystemError) {
      try Folder.make(folder)
      for photo in draft.values.photos {
        guard case .ready(let prepared) = photo.content else { continue }
        let file = file(of: photo.id, in: folder)
        if access(file, F_OK) != 0 { try PrivateFile.write(prepared.bytes, to: file) }
      }
      try PrivateFile.write(draft.records.bytes, to: folder + "/draft")
    } catch {
      return false
    }
    removeOtherPhotos(than: draft, in: folder)
    return true
  }

  private func hasRoom(for folder: String) -> Bool {
    Folder.isFolder(folder) || Folder.entries(of: path).count(where: \.isFolder) < maxDrafts
  }

  /// Removes the files of photos that the draft does not contain any more.
  private func removeOtherPhotos(than draft: Draft, in folder: String) {
    let kept = Set(draft.values.photos.map { file(of: $0.id, in: folder) } + [folder + "/draft"])
    for entry in Folder.entries(of: folder) {
      let path = folder + "/" + entry.name
      if !kept.contains(path) { unlink(path) }
    }
  }

  func delete(_ id: Draft.ID) {
    deleted.insert(id)
    let folder = path + "/" + id.rawValue
    // The draft's own file goes first: without it the rest is not taken for a draft.
    unlink(folder + "/draft")
    for entry in Folder.entries(of: folder) { unlink(folder + "/" + entry.name) }
    rmdir(folder)
  }

  private func file(of photo: FormPhoto.ID, in folder: String) -> String {
    folder + "/" + String(photo.rawValue.map { $0 == "/" || $0 == ":" ? "-" : $0 })
  }
}
