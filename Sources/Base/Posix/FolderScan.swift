import Glibc

/// Bounded scan of a folder that may be large, slow or unreadable, with size and time of its files.
///
/// Hidden names (with a leading dot) and everything but folders and regular files are left out. Links
/// count as their targets; broken ones are left out.
package struct FolderScan: Sendable {
  package struct Entry: Sendable {
    /// Name as decoded by `FileName`.
    package let name: String
    package let isFolder: Bool
    package let bytes: Int
    /// Last change, in seconds since 1970.
    package let modified: Int64
  }

  /// Unordered.
  package private(set) var entries: [Entry] = []
  /// Number of names read.
  package private(set) var count = 0
  /// False where the limit was reached before the end.
  package private(set) var isComplete = true

  /// Scans at most `limit` names; `isWanted` filters files by name, folders are always included.
  ///
  /// - Throws: the error of opendir(3), such as `ENOENT` or `EACCES`.
  package init(
    of path: String, limit: Int, filesWhere isWanted: (String) -> Bool
  ) throws(SystemError) {
    guard let folder = FileName.withPath(path, { opendir($0) }) else { throw .last }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        FileName.text(bytes.prefix { $0 != 0 })
      }
      guard !name.hasPrefix(".") else { continue }
      guard count < limit else {
        isComplete = false
        return
      }
      count += 1
      // The type of an unwanted file is known without a stat(2).
      guard Int(entry.pointee.d_type) != Int(DT_REG) || isWanted(name) else { continue }
      guard let entry = Self.entry(name, in: folder), entry.isFolder || isWanted(name) else {
        continue
      }
      entries.append(entry)
    }
  }

  private static func entry(_ name: String, in folder: OpaquePointer) -> Entry? {
    var status = stat()
    let code = FileName.withPath(name) { fstatat(dirfd(folder), $0, &status, 0) }
    guard code == 0 else { return nil }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFDIR || kind == S_IFREG else { return nil }
    return Entry(
      name: name, isFolder: kind == S_IFDIR, bytes: Int(status.st_size),
      modified: Int64(status.st_mtim.tv_sec))
  }
}
