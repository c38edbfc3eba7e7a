import CommandKit
import Glibc
import MarketStrings
import Posix
import SafeTextKit

/// Manual pages, completions and menu entry of an installation, which a desktop also finds in a home.
nonisolated enum DesktopFiles {
  private static let entry = "applications/openmarket.desktop"

  /// Paths below a folder `share`.
  static let names =
    ["market", "market-server"].flatMap { program in
      [
        "man/man1/\(program).1", "man/ko/man1/\(program).1",
        "bash-completion/completions/\(program)", "zsh/site-functions/_\(program)",
        "fish/vendor_completions.d/\(program).fish",
      ]
    } + [entry, "icons/hicolor/scalable/apps/openmarket.svg"]

  /// Copies those of the running program to the home, and prints where they are; exits.
  @MainActor static func install(_ strings: Strings) -> Never {
    let program = Folder.realPath(of: "/proc/self/exe")
    let prefix = Folder.containing(Folder.containing(program))
    let home = Folder.containing(AppPaths().data)
    do throws(SystemError) {
      let copies = try copy(from: prefix + "/share", to: home, opening: program)
      guard !copies.isEmpty else { Console.fail(strings[.desktopFilesMissing], status: 1) }
      for path in copies { Console.say(SafeText(path).string) }
      Console.warn(strings(.desktopFilesInstalled, SafeText(home + "/zsh/site-functions")))
      exit(0)
    } catch {
      Console.fail(
        strings(.desktopFilesFailed, SafeText(home), SafeText(error.description)), status: 1)
    }
  }

  /// Copies the files that are in `share` to the same places below `home`; the menu's entry opens the
  /// program at `program`.
  ///
  /// - Returns: the paths of the copies.
  /// - Throws: the error of writing a copy.
  static func copy(
    from share: String, to home: String, opening program: String
  ) throws(SystemError) -> [String] {
    var copies: [String] = []
    for name in names {
      guard var bytes = try? PrivateFile.read(share + "/" + name, limit: 1 << 20) else { continue }
      if name == entry {
        let text = String(decoding: bytes, as: UTF8.self)
        bytes = Array(text.replacing("Exec=market ", with: "Exec=\"\(program)\" ").utf8)
      }
      let copy = home + "/" + name
      try Folder.make(Folder.containing(copy))
      try PrivateFile.write(bytes, to: copy, mode: 0o644)
      copies.append(copy)
    }
    return copies
  }
}
