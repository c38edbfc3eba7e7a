import Glibc
import MarketViewModels

/// Runs `$VISUAL` or `$EDITOR` on a text, in a file that only its owner may read.
///
/// The program is started by its words, never through a shell.
struct ExternalEditor {
  let environment: (String) -> String?

  private static let longestText = 8 << 20

  /// Waits for the editor; it has the terminal meanwhile.
  func edit(_ text: String) -> SellingModel.EditorOutcome {
    guard let words else { return .none }
    guard case .success(let folder) = OtherProgram.makePrivateFolder(environment) else {
      return .failed
    }
    let file = folder + "/description.txt"
    defer {
      unlink(file)
      rmdir(folder)
    }
    guard PrivateFile.write(Array((text + "\n").utf8), to: file), run(words + [file]),
      let bytes = PrivateFile.read(file, limit: Self.longestText)
    else { return .failed }
    var edited = String(decoding: bytes, as: UTF8.self)
    // Editors end a file with a line break; it belongs to the file, not to the text.
    if edited.hasSuffix("\n") { edited.removeLast() }
    return .text(edited)
  }

  /// The editor and its arguments, divided at spaces; nil where none is set and there is no `vi`.
  private var words: [String]? {
    let chosen = [environment("VISUAL"), environment("EDITOR")].compactMap(\.self).first
    let words = (chosen ?? "vi").split(separator: " ").map(String.init)
    return words.isEmpty ? nil : words
  }

  /// Runs the editor; true where it ended with status 0.
  private func run(_ words: [String]) -> Bool {
    guard case .success(let child) = OtherProgram.start(words) else { return false }
    return wait(for: child)
  }

  /// Gives the terminal to the editor's own group, so that its Ctrl-C reaches it alone, and takes
  /// it back at its end.
  private func wait(for child: pid_t) -> Bool {
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
    return status == 0
  }
}
