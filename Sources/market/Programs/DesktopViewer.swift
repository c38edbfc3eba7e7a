import Dispatch
import Glibc

/// Opens a picture with `xdg-open`, started by its words and never through a shell.
struct DesktopViewer {
  private static let program = "xdg-open"

  /// Puts the picture into a private folder and starts the viewer on it.
  ///
  /// - Returns: nil, or why that could not be.
  func open(_ bytes: [UInt8], _ name: PictureFileName) -> SystemError? {
    let folder: String
    switch OtherProgram.makePrivateFolder(Locations.environment) {
    case .failure(let error): return error
    case .success(let made): folder = made
    }
    switch PictureFile.save(bytes, as: name, in: folder, mode: 0o600) {
    case .failure(let error): return error
    case .success(let saved): return start(on: folder + "/" + saved)
    }
  }

  private func start(on path: String) -> SystemError? {
    switch OtherProgram.start([Self.program, path], isSilent: true) {
    case .failure(let error): return error
    case .success(let child):
      // Only that its remains go away when it ends.
      DispatchQueue(label: "market.viewer", qos: .background).async { waitpid(child, nil, 0) }
      return nil
    }
  }
}
