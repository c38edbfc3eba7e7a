import Glibc
import MarketViewModels

/// Runs `$VISUAL` or `$EDITOR` on a text, in a file that only its owner may read.
///
/// What the variable holds is a command of the shell, with arguments and quotes if need be (POSIX,
/// `EDITOR`); the file's name is handed over beside it and never read as a command.
struct ExternalEditor {
  let environment: (String) -> String?

  private static let longestText = 8 << 20

  /// What a shell ends with where it finds no such program (POSIX, "Exit Status for Commands").
  private static let notFound: Int32 = 127

  /// Waits for the editor; it has the terminal meanwhile.
  func edit(_ text: String) -> SellingModel.EditorOutcome {
    guard case .success(let folder) = OtherProgram.makePrivateFolder(environment) else {
      return .failed
    }
    let file = folder + "/description.txt"
    defer {
      // Editors may have left copies of their own.
      for entry in Folder.entries(of: folder) { unlink(folder + "/" + entry.name) }
      rmdir(folder)
    }
    guard PrivateFile.write(Array((text + "\n").utf8), to: file) else { return .failed }
    switch run(on: file) {
    case 0:
      guard let bytes = PrivateFile.read(file, limit: Self.longestText) else { return .failed }
      var edited = String(decoding: bytes, as: UTF8.self)
      // Editors end a file with a line break; it belongs to the file, not to the text.
      if edited.hasSuffix("\n") { edited.removeLast() }
      return .text(edited)
    case Self.notFound: return .none
    default: return .failed
    }
  }

  /// The editor's command.
  private var command: String {
    [environment("VISUAL"), environment("EDITOR")].compactMap(\.self)
      .first { $0.contains { !$0.isWhitespace } } ?? "vi"
  }

  /// Runs the editor.
  ///
  /// - Parameter file: what it is to edit.
  /// - Returns: its exit status; nil where it did not start or a signal ended it.
  private func run(on file: String) -> Int32? {
    let words = ["sh", "-c", command + " \"$@\"", command, file]
    guard case .success(let child) = OtherProgram.start(words) else { return nil }
    let status = wait(for: child)
    return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
  }

  /// Gives the terminal to the editor's own group, so that its Ctrl-C reaches it alone, and takes
  /// it back at its end.
  private func wait(for child: pid_t) -> Int32 {
    let own = getpgrp()
    let before = signal(SIGTTOU, SIG_IGN)
    tcsetpgrp(STDIN_FILENO, child)
    kill(-child, SIGCONT)
    var status: Int32 = 0
    while true {
      let ended = waitpid(child, &status, WUNTRACED)
      if ended < 0, errno == EINTR { continue }
      // Nobody could bring a stopped editor back: it goes on at once.
      if ended == child, status & 0xFF == 0x7F {
        tcsetpgrp(STDIN_FILENO, child)
        kill(-child, SIGCONT)
        continue
      }
      break
    }
    tcsetpgrp(STDIN_FILENO, own)
    _ = signal(SIGTTOU, before)
    return status
  }
}
