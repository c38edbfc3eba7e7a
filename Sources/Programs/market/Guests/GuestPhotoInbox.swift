import Glibc
import MarketViewModels
import PictureKit
import Posix

/// Tray of a guest's photos: those that came over ssh and wait for a form.
nonisolated struct GuestPhotoInbox: Hashable, PendingPhotos {
  /// As many as a product has.
  static let maxPhotos = FormRules.photoCount.upperBound
  private static let maxPhotoSize = 1 << 20

  let folder: String

  /// The names of the photos, the first that came first.
  func names() -> [String] {
    guard GuestDirectory.isOwn(folder) else { return [] }
    let names = Set(Folder.entries(of: folder).map(\.name))
    return Self.all.filter(names.contains)
  }

  /// The bytes of a photo by its name; a path in front of it is none of this computer's.
  func bytes(named name: String) throws(PhotoProblem) -> [UInt8] {
    let name = name.split(separator: "/").last.map(String.init) ?? ""
    guard names().contains(name) else { throw .notFound }
    guard let bytes = try? PrivateFile.read(folder + "/" + name, limit: Self.maxPhotoSize) else {
      throw .unreadable
    }
    return bytes
  }

  /// Puts a photo that was made fit into the tray; nil where it is full or cannot be written.
  func add(_ photo: [UInt8]) -> String? {
    guard photo.count <= Self.maxPhotoSize, (try? Folder.make(folder)) != nil,
      GuestDirectory.isOwn(folder)
    else { return nil }
    return
      (try? FolderLock.holding(folder) { () -> String? in
        let taken = Set(names())
        guard let name = Self.all.first(where: { !taken.contains($0) }),
          (try? PrivateFile.write(photo, to: folder + "/" + name)) != nil
        else { return nil }
        return name
      }) ?? nil
  }

  func remove(_ name: String) {
    guard let name = name.split(separator: "/").last.map(String.init), names().contains(name) else {
      return
    }
    unlink(folder + "/" + name)
  }

  /// The names that photos get here.
  private static let all = (1...maxPhotos).map { "photo-\($0)" }
}
