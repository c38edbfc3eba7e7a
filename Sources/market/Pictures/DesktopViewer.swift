import Dispatch
import Glibc

/// Opens a picture with `xdg-open`, started by its words and never through a shell.
struct DesktopViewer {
  private static let program = "xdg-open"

  /// Puts the picture into a private folder and starts the viewer on it.
  ///
  /// - Returns: nil, or why that could not be.
  func open(_ bytes: [UInt8], _ name: PictureFileName) -> SystemError? {
    let runtime = Locations.environment("XDG_RUNTIME_DIR")
    let parent = runtime.flatMap { access($0, W_OK) == 0 ? $0 : nil } ?? "/tmp"
    var template = Array("\(parent)/market-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return SystemError(number: errno) }
    let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    switch PictureFile.save(bytes, as: name, in: folder, mode: 0o600) {
    case .failure(let error): return error
    case .success(let saved): return start(on: folder + "/" + saved)
    }
  }

  /// The viewer gets a process group of its own, so that keys never end it, and no way to the terminal.
  private func start(on path: String) -> SystemError? {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    for descriptor: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0)
    }
    let words = [Self.program, path]
    let arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child = pid_t()
    let error = posix_spawnp(&child, Self.program, &files, &attributes, arguments, environ)
    guard error == 0 else { return SystemError(number: error) }
    // Only that its remains go away when it ends.
    DispatchQueue.global(qos: .background).async { [child] in waitpid(child, nil, 0) }
    return nil
  }
}
