import DispatchBridge
import Glibc
import MarketModel
import MarketViewModels
import PersonalStore
import Posix

/// Drafts as folders: a small file that follows every change, and the photos beside it, each
/// written once.
actor DraftFolder: DraftStore {
  private let executor = QueueExecutor(label: "drafts")
  private let path: String
  private let maxDrafts: Int
  private let former: LegacyLocation?
  private var hasLooked = false
  /// Drafts that are gone for good, whatever save of them is still on its way.
  private var deleted: Set<Draft.ID> = []
  /// Registrations that an earlier run sent without learning what came of them; nil until looked for.
  private var sentEarlier: Set<IdempotencyKey>?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private static let maxDraftLength = 4 << 20
  private static let maxPhotoSize = 1 << 20

  /// Takes a folder that need not exist yet; beyond so many drafts no further one is kept.
  init(_ path: String, atMost maxDrafts: Int = .max, former: LegacyLocation? = nil) {
    self.path = path
    self.maxDrafts = maxDrafts
    self.former = former
  }

  /// The folder of a market's drafts.
  static func path(of key: MarketKey) -> String {
    AppPaths().drafts + "/" + key.fileName
  }

  /// Whether a draft of any market lies below `folder`.
  static func hasDrafts(below folder: String) -> Bool {
    Folder.names(in: folder).contains { market in
      let drafts = folder + "/" + market
      return Folder.names(in: drafts).contains { Folder.isFile(drafts + "/" + $0 + "/draft") }
    }
  }

  /// Where an earlier version kept drafts, beside those of today.
  private func formerPath(of key: MarketKey) -> String {
    Folder.containing(path) + "/" + key.rawValue
  }

  /// Takes what an earlier version kept under a name that other places had as well, where no other
  /// place can be meant; `isSettled` says that nobody is going to be asked.
  func takeFormer(isSettled: Bool = false) {
    guard let former else { return }
    for key in former.location.former where Folder.isFolder(formerPath(of: key)) {
      let (ownership, _) = former.ownership(of: key)
      let isOwn = ownership == .first && (isSettled || !former.canAsk)
      if ownership == .own || isOwn { take(from: key) }
    }
  }

  /// Takes all drafts that lie in the folder of a former key.
  func take(from key: MarketKey) {
    let old = formerPath(of: key)
    guard (try? Folder.make(path)) != nil else { return }
    // Each has a name of its own at random; what cannot be moved now stays for the next run.
    for name in Folder.names(in: old) { rename(old + "/" + name, path + "/" + name) }
    rmdir(old)
  }

  func drafts() -> [Draft] {
    if !hasLooked { takeFormer() }
    hasLooked = true
    let drafts = Folder.entries(of: path).compactMap { entry in
      entry.isFolder ? draft(in: path + "/" + entry.name, Draft.ID(rawValue: entry.name)) : nil
    }
    // What this run sends comes later than its first look.
    sentEarlier = sentEarlier ?? Set(drafts.filter(\.wasSent).map(\.key))
    return drafts.sorted { $0.changed.seconds > $1.changed.seconds }
  }

  /// Whether an earlier run sent a registration of this key, and nobody knows what came of it.
  func wasSent(_ key: IdempotencyKey) -> Bool {
    sentEarlier?.contains(key) ?? false
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
    Folder.isFolder(folder) || Folder.entries(of: path).count < maxDrafts
  }

  /// Removes the files of photos that the draft has no more.
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
    // The draft's own file first: without it the rest is no draft any more.
    unlink(folder + "/draft")
    for entry in Folder.entries(of: folder) { unlink(folder + "/" + entry.name) }
    rmdir(folder)
  }

  private func file(of photo: FormPhoto.ID, in folder: String) -> String {
    folder + "/" + String(photo.rawValue.map { $0 == "/" || $0 == ":" ? "-" : $0 })
  }
}
