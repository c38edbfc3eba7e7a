import Glibc
import TestSupport

/// X display without a screen; its pixels are in a file.
final class VirtualDisplay {
  /// As `DISPLAY` names it.
  let name: String
  private let server: Companion
  private let file: String

  /// - Parameter folder: where the file of pixels goes.
  /// - Throws: `TerminalSessionError.cannotStart`.
  init(in folder: String) throws(TerminalSessionError) {
    let words = ["Xvfb", "-displayfd", "1", "-fbdir", folder, "-nolisten", "tcp", "-noreset"]
    let looks = ["-screen", "0", "1024x768x24", "-nocursor"]
    let numbers = try Pipe()
    server = try Companion(
      words + looks, environment: ["PATH": "/usr/bin:/bin"],
      [(numbers.writer, STDOUT_FILENO)])
    numbers.closeWriter()
    file = folder + "/Xvfb_screen0"
    // The number comes when the display takes clients, and nothing if it fails.
    var lines = LinesOfPipe(from: numbers.reader)
    guard let number = try? lines.next(within: RunningProgram.timeout) else {
      throw .cannotStart(errno: ENOENT)
    }
    name = ":" + number
  }

  func screenshot() -> WindowDump? { WindowDump(path: file) }
}
