internal import CSpawn
import Dispatch
import DispatchBridge
import Glibc
import MarketStrings
import Posix
import SafeTextKit

/// Another program, started by its words and never through a shell.
nonisolated enum ExternalProgram {
  /// Starts a program in a process group of its own, with the usual effects of signals, some of which
  /// this one ignores.
  ///
  /// - Parameters:
  ///   - words: the program, looked up in `PATH`, and its arguments.
  ///   - isSilent: whether it gets no way to the terminal, nor anything else that is open here.
  ///   - input: its standard input where it has one of its own.
  /// - Returns: its process id, or why it did not start.
  static func start(
    _ words: [String], isSilent: Bool = false, input: Int32? = nil
  ) -> Result<pid_t, SystemError> {
    guard let program = words.first else { return .failure(SystemError(number: EINVAL)) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    // Threads of Dispatch block signals, and a program inherits that.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    if let input { posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO) }
    if isSilent {
      for descriptor in (input == nil ? 0 : 1)...Int32(2) {
        posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0)
      }
      _ = cspawn_close_from(&files, 3)
    }
    let arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child = pid_t()
    let error = posix_spawnp(&child, program, &files, &attributes, arguments, environ)
    return error == 0 ? .success(child) : .failure(SystemError(number: error))
  }

  /// Makes a folder for what another program is to read; six letters follow the beginning of its
  /// name.
  static func makePrivateFolder(
    _ environment: (String) -> String?, prefix: String = "market-"
  ) -> Result<String, SystemError> {
    var template = Array("\(folderForPrivateFolders(environment))/\(prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return .failure(.last) }
    return .success(
      String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
  }

  /// Where such folders stand: on a memory file system where there is one, so that nothing of them
  /// reaches a disk.
  static func folderForPrivateFolders(_ environment: (String) -> String?) -> String {
    let runtime = environment("XDG_RUNTIME_DIR")
    return runtime.flatMap { $0.hasPrefix("/") && access($0, W_OK) == 0 ? $0 : nil } ?? "/tmp"
  }
}

/// The desktop's viewer: `xdg-open`, started by its words and never through a shell.
nonisolated enum DesktopViewer {
  private static let program = "xdg-open"
  /// Longest wait in milliseconds for its end; it may itself be what shows the file.
  private static let timeout: Int32 = 2_000

  /// Starts the program for a file or an address, and waits a moment for its end; nil where that went
  /// well.
  static func open(_ path: String) -> ViewerError? {
    switch ExternalProgram.start([program, path], isSilent: true) {
    case .failure(let error): return .notStarted(error)
    case .success(let child):
      let handle = pidfd_open(child, 0)
      defer { if handle >= 0 { close(handle) } }
      var end = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
      poll(&end, 1, timeout)
      var status: Int32 = 0
      guard waitpid(child, &status, WNOHANG) == child else {
        // Only that its remains go away when it ends.
        DispatchQueue(label: "market.viewer", qos: .background).async { waitpid(child, nil, 0) }
        return nil
      }
      return status == 0 ? nil : .failed
    }
  }
}

/// Reason why the desktop has opened nothing.
nonisolated enum ViewerError: Error {
  case notStarted(SystemError)
  /// `xdg-open` ended with a failure: it found no program that opens this.
  case failed

  func text(_ strings: Strings) -> SafeText {
    switch self {
    case .notStarted(let error): error.text(strings)
    case .failed: strings[.viewerFailed]
    }
  }
}

/// The desktop's programs for addresses of the web and of mail.
actor DesktopOpener {
  private let executor = QueueExecutor(label: "links")

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Starts the program for an address; nil where that went well.
  func open(_ address: String) -> ViewerError? { DesktopViewer.open(address) }
}
