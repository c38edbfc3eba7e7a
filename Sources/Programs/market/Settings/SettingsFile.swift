import Glibc
import MarketStrings
import Posix
import SafeText

/// The settings file on disk.
struct SettingsFile {
  let path: String

  private static let longest = 1 << 20
  /// More sentences than these help nobody.
  private static let mostTold = 20

  /// What the file says; no file says nothing.
  func read() -> Settings {
    if let text { return Settings(text) }
    return Settings(mistakes: isMissing ? [] : [SettingsMistake(line: 1, kind: .closed)])
  }

  /// Adds a server under a name; false where the file could not be read or written, and stays as it
  /// is.
  func remember(_ name: String, _ address: String) -> Bool {
    guard (try? Folder.make(folder)) != nil else { return false }
    return FolderLock.holding(folder) {
      guard let old = text ?? (isMissing ? "" : nil),
        let new = Settings.remembering(name, address, in: old)
      else { return false }
      return (try? PrivateFile.write(Array(new.utf8), to: path)) != nil
    } ?? false
  }

  /// All mistakes as sentences that name the file and the line.
  func sentences(about mistakes: [SettingsMistake], _ strings: Strings) -> [SafeText] {
    let told = mistakes.prefix(Self.mostTold).map { $0.text(in: path, strings) }
    let rest = mistakes.count - told.count
    return rest == 0 ? told : told + [strings.counted(.settingsMoreMistakes, rest)]
  }

  /// The first mistake as a line of the screen holds it, and how many more there are; nil without any.
  func notice(of mistakes: [SettingsMistake], _ strings: Strings) -> SafeText? {
    guard let first = mistakes.first else { return nil }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let sentence = first.text(in: name, strings)
    guard mistakes.count > 1 else { return sentence }
    return sentence + " " + strings.counted(.settingsMoreInReport, mistakes.count - 1)
  }

  private var folder: String { "/" + path.split(separator: "/").dropLast().joined(separator: "/") }

  private var text: String? {
    (try? PrivateFile.read(path, limit: Self.longest)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether there is nothing at all, not even a link that leads nowhere.
  private var isMissing: Bool {
    var status = stat()
    return lstat(path, &status) != 0 && errno == ENOENT
  }
}
