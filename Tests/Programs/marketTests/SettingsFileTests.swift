import Expectations
import Glibc
import MarketStrings
import SafeTextKit
import TestSupport
import Testing

@testable import market

struct SettingsFileTests {
  private func written(_ text: String, to path: String) throws {
    try FileContent(bytes: Array(text.utf8)).write(to: path)
  }

  private func text(at path: String) throws -> String {
    try String(decoding: FileContent(of: path).bytes, as: UTF8.self)
  }

  private func mode(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode : nil
  }

  @Test func `the first setting makes the file and its folder, for their owner alone`() async throws
  {
    let folder = try TemporaryFolder()
    let file = SettingsFile(path: folder.path(of: "new/market/settings.json"))

    _ = try await file.change(["theme"], to: "light")
    _ = try await file.change(["page-size"], to: "40")
    _ = try await file.change(["plain"], to: "true")
    _ = try await file.change(["colors", "accent"], to: "#fff")

    try expect(
      text(at: file.path),
      """
      {
        "theme": "light",
        "page-size": 40,
        "plain": true,
        "colors": {
          "accent": "#fff"
        }
      }

      """)
    expect(mode(of: file.path).map { $0 & 0o777 }, 0o600)
    #expect(file.read().mistakes.isEmpty)
  }

  @Test func `only the value's bytes change`() async throws {
    let folder = try TemporaryFolder()
    let file = SettingsFile(path: folder.path(of: "settings.json"))
    let before = """
      { // mine
        "unknown": [1, 2],\t/* and this */
        "theme":   "dark", // the night
        "keys": { "j": "up", "M": "", },
      }
      """
    try written(before, to: file.path)

    _ = try await file.change(["theme"], to: "light")
    _ = try await file.change(["keys", "j"], to: "down")

    try expect(
      text(at: file.path),
      before.replacing("\"dark\"", with: "\"light\"").replacing("\"up\"", with: "\"down\""))
  }

  @Test func `a setting that stands twice goes altogether`() async throws {
    let folder = try TemporaryFolder()
    let file = SettingsFile(path: folder.path(of: "settings.json"))
    try written("{ \"theme\": \"dark\", \"view\": \"list\", \"theme\": \"light\" }", to: file.path)

    _ = try await file.change(["theme"], to: nil)

    try expect(text(at: file.path), "{ \"view\": \"list\" }")
  }

  @Test func `what was written by another program meanwhile stays`() async throws {
    let folder = try TemporaryFolder()
    let file = SettingsFile(path: folder.path(of: "settings.json"))
    _ = try await file.change(["theme"], to: "light")

    try written("{ \"view\": \"list\" } // by hand\n", to: file.path)
    _ = try await file.change(["theme"], to: "dark")

    try expect(text(at: file.path), "{ \"view\": \"list\",\n  \"theme\": \"dark\"\n} // by hand\n")
  }

  @Test func `a link goes on leading to the file, which keeps its mode`() async throws {
    let folder = try TemporaryFolder()
    let location = folder.path(of: "dotfiles.json")
    try written("{}", to: location)
    chmod(location, 0o640)
    let file = SettingsFile(path: folder.path(of: "settings.json"))
    symlink(location, file.path)

    _ = try await file.change(["theme"], to: "dark")

    expect(mode(of: file.path).map { $0 & S_IFMT }, S_IFLNK)
    expect(mode(of: location).map { $0 & 0o777 }, 0o640)
    #expect(try text(at: location).contains("dark"))
  }

  @Test(arguments: [
    ("{ \"theme\": }", 1), ("{\n \"a\": 1\n \"b\": 2 }", 2), ("[]", 1), ("{\n \"theme\": 1", 2),
  ])
  func `a file with mistakes in its form is left alone, and the line is told`(
    text: String, line: Int
  ) async throws {
    let folder = try TemporaryFolder()
    let file = SettingsFile(path: folder.path(of: "settings.json"))
    try written(text, to: file.path)

    let failure = await #expect(throws: SettingsFile.Failure.self) {
      try await file.change(["view"], to: "list")
    }

    let sentence = failure.map { file.sentence(about: $0, Strings(.english)).string }
    expect(sentence?.hasPrefix("settings.json:\(line): "), true)
    try expect(self.text(at: file.path), text)
  }

  @Test func `what stands in the place of a table is told with its line`() async throws {
    let folder = try TemporaryFolder()
    let file = SettingsFile(path: folder.path(of: "settings.json"))
    try written("{\n  \"colors\": \"red\"\n}", to: file.path)

    await #expect(
      throws: SettingsFile.Failure.mistake(
        SettingsDiagnostic(line: 2, kind: .notAnObject("colors")))
    ) { try await file.change(["colors", "accent"], to: "#fff") }
  }

  @Test func `a folder that takes no file is told in one sentence`() async throws {
    let folder = try TemporaryFolder()
    try written("", to: folder.path(of: "market"))
    let file = SettingsFile(path: folder.path(of: "market/settings.json"))

    let failure = await #expect(throws: SettingsFile.Failure.self) {
      try await file.change(["view"], to: "list")
    }

    expect(failure, .notWritten)
    for language in Language.allCases {
      let sentence = file.sentence(about: .notWritten, Strings(language)).string
      #expect(sentence.contains("settings.json"))
    }
  }

  @Test func `a link that leads nowhere is not replaced`() async throws {
    let folder = try TemporaryFolder()
    let file = SettingsFile(path: folder.path(of: "settings.json"))
    symlink(folder.path(of: "gone"), file.path)

    await #expect(throws: SettingsFile.Failure.self) { try await file.change(["view"], to: "list") }

    expect(mode(of: file.path).map { $0 & S_IFMT }, S_IFLNK)
  }
}
