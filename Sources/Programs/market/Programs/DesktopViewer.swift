import Dispatch
import Glibc
import Posix

/// Opens files with `xdg-open`, started by its words and never through a shell.
nonisolated enum DesktopViewer {
  private static let program = "xdg-open"

  /// Starts the viewer on a file.
  ///
  /// - Returns: nil, or why that could not be.
  static func open(_ path: String) -> SystemError? {
    switch OtherProgram.start([program, path], isSilent: true) {
    case .failure(let error): return error
    case .success(let child):
      // Only that its remains go away when it ends.
      DispatchQueue(label: "market.viewer", qos: .background).async { waitpid(child, nil, 0) }
      return nil
    }
  }
}
