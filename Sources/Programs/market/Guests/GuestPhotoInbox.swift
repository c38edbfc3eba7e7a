import Glibc
import MarketViewModels
import PictureKit
import Posix

/// Inbox of a guest's photos, which were sent over ssh and wait for a form.
nonisolated struct GuestPhotoInbox: Hashable, PendingPhotos {
  /// Maximum number of photos, that of a product.
  static let maxPhotos = FormRules.photoCount.upperBound
  /// Maximum bytes of an encoded photo; a larger one is refused.
  private static let maxPhotoSize = 1 << 20

  let folder: String

  /// Names of the photos, in order of arrival.
  func names() -> [String] {
    guard GuestDirectory.isOwn(folder) else { return [] }
    let names = Set(Folder.entries(of: folder).map(\.name))
    return Self.all.filter(names.contains)
  }

  /// Bytes of a photo by its name; a folder in the path is ignored.
  /// - Throws: `.notFound`, or `.unreadable` for a file that cannot be read.
  func bytes(named name: String) throws(PhotoProblem) -> [UInt8] {
    let name = name.split(separator: "/").last.map(String.init) ?? ""
    guard names().contains(name) else { throw .notFound }
    guard let bytes = try? PrivateFile.read(folder + "/" + name, limit: Self.maxPhotoSize) else {
      throw .unreadable
    }
    return bytes
  }

  /// Saves an encoded photo and returns its name; nil if the inbox is full or cannot be written.
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

  /// Names of photos.
  private static let all = (1...maxPhotos).map { "photo-\($0)" }
}
