import Glibc
import MarketStrings
import Posix
import SafeTextKit

/// The settings file on disk.
struct SettingsFile {
  let path: String
  /// How long a change waits for another run of the program.
  var lockTimeout = FolderLock.timeout

  private static let longest = 1 << 20
  /// More sentences than these help nobody.
  private static let maxReported = 20

  /// What the file says; no file says nothing.
  func read() -> Settings {
    if let text { return Settings(text) }
    return Settings(mistakes: isMissing ? [] : [SettingsDiagnostic(line: 1, kind: .closed)])
  }

  /// Reason why the file stays as it is.
  enum Failure: Error, Hashable {
    /// It has a mistake, or is no file that may be read.
    case mistake(SettingsDiagnostic)
    case notWritten
    /// Another run of the program went on changing it.
    case busy
  }

  /// Sets one entry of the file, or removes it where there is no value, and gives the file's new
  /// text.
  ///
  /// The file is read again before, so that what an editor has written meanwhile stays; it keeps its
  /// mode, and a link goes on leading to it. `tell` is called where another run keeps it waiting.
  func change(
    _ path: [String], to value: String?, whenWaiting tell: @escaping @Sendable () -> Void = {}
  ) async throws(Failure) -> String {
    guard (try? Folder.make(folder)) != nil else { throw .notWritten }
    let lock: FolderLock.Held
    do throws(SystemError) {
      lock = try await FolderLock.held(folder, for: lockTimeout, whenWaiting: tell)
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

  /// Writes beside the file itself, where a link leads to it.
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

  /// What is wrong with the file, in one sentence that names it.
  func sentence(about failure: Failure, _ strings: Strings) -> SafeText {
    switch failure {
    case .mistake(let mistake): mistake.text(in: name, strings)
    case .notWritten: strings(.settingsNotSaved, SafeText(name))
    case .busy: strings(.settingsBusy, SafeText(name))
    }
  }

  /// All mistakes as sentences that name the file and the line.
  func sentences(about mistakes: [SettingsDiagnostic], _ strings: Strings) -> [SafeText] {
    let told = mistakes.prefix(Self.maxReported).map { $0.text(in: path, strings) }
    let rest = mistakes.count - told.count
    return rest == 0 ? told : told + [strings.counted(.settingsMoreMistakes, rest)]
  }

  /// The first mistake as a line of the screen holds it, and how many more there are; nil without any.
  func notice(of mistakes: [SettingsDiagnostic], _ strings: Strings) -> SafeText? {
    guard let first = mistakes.first else { return nil }
    let sentence = first.text(in: name, strings)
    guard mistakes.count > 1 else { return sentence }
    return sentence + " " + strings.counted(.settingsMoreInReport, mistakes.count - 1)
  }

  /// The file's name without its folder.
  private var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  private var folder: String { "/" + path.split(separator: "/").dropLast().joined(separator: "/") }

  /// The file's text; nil where there is none that may be read.
  var text: String? {
    (try? PrivateFile.read(path, limit: Self.longest)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether there is nothing at all, not even a link that leads nowhere.
  private var isMissing: Bool {
    var status = stat()
    return lstat(path, &status) != 0 && errno == ENOENT
  }
}
