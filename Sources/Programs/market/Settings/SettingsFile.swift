import Glibc
import MarketStrings
import Posix
import SafeTextKit

/// Settings file on the disk, which several runs and an editor may change.
struct SettingsFile {
  let path: String
  /// Maximum time that a change waits for the lock.
  var lockTimeout = FolderLock.timeout

  /// Maximum bytes of the file; a larger one counts as unreadable.
  private static let longest = 1 << 20
  /// Maximum number of mistakes that are listed; the rest is counted.
  private static let maxReported = 20

  /// Reads the file; a missing one has no entries.
  func read() -> Settings {
    if let text { return Settings(text) }
    return Settings(mistakes: isMissing ? [] : [SettingsDiagnostic(line: 1, kind: .closed)])
  }

  /// Reason why the file was not changed.
  enum Failure: Error, Hashable {
    /// The file has a mistake or cannot be read.
    case mistake(SettingsDiagnostic)
    case notWritten
    /// Another run of the program held the lock too long.
    case busy
  }

  /// Sets one entry of the file, or removes it if `value` is nil; returns the new text.
  ///
  /// The file is read again first, so that changes of an editor are preserved; its mode is kept, and a
  /// link stays a link. `announce` is called if another run holds the lock.
  /// - Throws: `.notWritten` if the folder or file cannot be written, `.busy` after `lockTimeout`,
  ///   `.mistake` for an invalid file.
  func change(
    _ path: [String], to value: String?, whenWaiting announce: @escaping @Sendable () -> Void = {}
  ) async throws(Failure) -> String {
    guard (try? Folder.make(folder)) != nil else { throw .notWritten }
    let lock: FolderLock.Held
    do throws(SystemError) {
      lock = try await FolderLock.held(folder, for: lockTimeout, whenWaiting: announce)
    } catch {
      throw error.number == EWOULDBLOCK ? .busy : .notWritten
    }
    defer { withExtendedLifetime(lock) {} }
    return try changeLocked(path, to: value)
  }

  private func changeLocked(_ path: [String], to value: String?) throws(Failure) -> String {
    guard let old = text ?? (isMissing ? "" : nil) else {
      throw .mistake(SettingsDiagnostic(line: 1, kind: .closed))
    }
    let new: String
    do throws(SettingsDiagnostic) {
      new = try Settings.changing(path, to: value, in: old)
    } catch {
      throw .mistake(error)
    }
    guard new != old else { return new }
    try write(new)
    return new
  }

  /// Writes the file, or the target of a link.
  /// - Throws: `.notWritten`.
  private func write(_ text: String) throws(Failure) {
    let location = realpath(path, nil)
    defer { free(location) }
    let target = location.map { String(cString: $0) } ?? path
    var status = stat()
    let isThere = stat(target, &status) == 0
    if isThere, access(target, W_OK) != 0 { throw .notWritten }
    do throws(SystemError) {
      try PrivateFile.write(
        Array(text.utf8), to: target, mode: isThere ? status.st_mode & 0o777 : 0o600)
    } catch {
      throw .notWritten
    }
  }

  /// Sentence about a failure, with the file's name.
  func sentence(about failure: Failure, _ strings: Strings) -> SafeText {
    switch failure {
    case .mistake(let mistake): mistake.text(in: name, strings)
    case .notWritten: strings(.settingsNotSaved, SafeText(name))
    case .busy: strings(.settingsBusy, SafeText(name))
    }
  }

  /// Sentences about mistakes, with file and line.
  func sentences(about mistakes: [SettingsDiagnostic], _ strings: Strings) -> [SafeText] {
    let lines = mistakes.prefix(Self.maxReported).map { $0.text(in: path, strings) }
    let rest = mistakes.count - lines.count
    return rest == 0 ? lines : lines + [strings.counted(.settingsMoreMistakes, rest)]
  }

  /// Sentence about the first mistake for the screen, with the number of others; nil if there are none.
  func notice(of mistakes: [SettingsDiagnostic], _ strings: Strings) -> SafeText? {
    guard let first = mistakes.first else { return nil }
    let sentence = first.text(in: name, strings)
    guard mistakes.count > 1 else { return sentence }
    return sentence + " " + strings.counted(.settingsMoreInReport, mistakes.count - 1)
  }

  /// Name of the file without its folder.
  private var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  private var folder: String { "/" + path.split(separator: "/").dropLast().joined(separator: "/") }

  /// Text of the file; nil if it is missing or unreadable.
  var text: String? {
    (try? PrivateFile.read(path, limit: Self.longest)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether no file exists, not even a dangling link.
  private var isMissing: Bool {
    var status = stat()
    return lstat(path, &status) != 0 && errno == ENOENT
  }
}
