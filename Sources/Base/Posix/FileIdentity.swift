internal import CFileBirth

/// Identity of a file, which distinguishes it from its copies.
///
/// Stays the same when the file is renamed, moved within its file system or reached by a link;
/// differs for copied, unpacked and restored files.
package struct FileIdentity: Hashable, Sendable {
  /// Inode and birth time, or inode and device on file systems without birth times.
  package let text: String

  /// Reads the identity of a file.
  ///
  /// - Throws: the error of statx(2), such as `ENOENT`.
  package init(of path: String) throws(SystemError) {
    var birth = file_birth()
    let error = file_birth_of(path, &birth)
    guard error == 0 else { throw SystemError(number: error) }
    let number = String(birth.number)
    // Device numbers may change at a restart; birth times do not.
    text =
      birth.has_birth != 0
      ? "\(number)-\(birth.birth_seconds).\(birth.birth_nanoseconds)"
      : "\(number)@\(birth.device)"
  }
}
