internal import CFileBirth

/// Place of a file on its disk, by which it is told from its copies.
///
/// It stays the same when the file is renamed, moved within its file system or reached by a link, and
/// is another one for whatever was copied, unpacked or restored.
package struct FileIdentity: Hashable, Sendable {
  /// Number and time of birth; where a file system knows no births, number and device.
  package let text: String

  /// Throws the system's reason where the file cannot be looked up.
  package init(of path: String) throws(SystemError) {
    var birth = file_birth()
    let error = file_birth_of(path, &birth)
    guard error == 0 else { throw SystemError(number: error) }
    let number = String(birth.number)
    // Numbers of devices change from one start of the computer to the next; births do not.
    text =
      birth.has_birth != 0
      ? "\(number)-\(birth.birth_seconds).\(birth.birth_nanoseconds)"
      : "\(number)@\(birth.device)"
  }
}
