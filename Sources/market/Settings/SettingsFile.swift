import Glibc

/// The settings file on disk.
struct SettingsFile {
  let path: String

  private static let longest = 1 << 20

  /// What the file says; no file says nothing.
  func read() -> Settings {
    if let text { return Settings(text) }
    return Settings(mistakes: isMissing ? [] : [SettingsMistake(line: 1, kind: .closed)])
  }

  /// Adds a server under a name.
  ///
  /// - Returns: whether the file could be written; one that cannot be read stays as it is.
  func remember(_ name: String, _ address: String) -> Bool {
    guard let old = text ?? (isMissing ? "" : nil),
      let new = Settings.remembering(name, address, in: old)
    else { return false }
    return write(new)
  }

  private var text: String? {
    PrivateFile.read(path, limit: Self.longest).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether there is nothing at all, not even a link that leads nowhere.
  private var isMissing: Bool {
    var status = stat()
    return lstat(path, &status) != 0 && errno == ENOENT
  }

  /// Writes beside the file and renames, so that it is never half there.
  private func write(_ text: String) -> Bool {
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    guard Locations.makeFolder("/" + folder) == nil else { return false }
    return PrivateFile.write(Array(text.utf8), to: path)
  }
}
