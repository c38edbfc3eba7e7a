internal import CSpawn
import Dispatch
import DispatchBridge
import Glibc
import MarketStrings
import Posix
import SafeTextKit

/// Starter of other programs, without a shell.
nonisolated enum ExternalProgram {
  /// Starts a program in a process group of its own, with default signal handling, which this program
  /// changes.
  ///
  /// - Parameters:
  ///   - words: the program, looked up in `PATH`, and its arguments.
  ///   - isSilent: whether the program gets neither the terminal nor any other open descriptor.
  ///   - input: descriptor of its standard input; nil passes on this program's, or none if silent.
  ///   - output: descriptor of its standard output, likewise.
  /// - Returns: its process id, or the error of posix_spawnp(3).
  static func start(
    _ words: [String], isSilent: Bool = false, input: Int32? = nil, output: Int32? = nil
  ) -> Result<pid_t, SystemError> {
    guard let program = words.first else { return .failure(SystemError(number: EINVAL)) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    // Dispatch's threads block signals, and a child inherits the mask.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    for (descriptor, given) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (2, nil)] {
      if let given {
        posix_spawn_file_actions_adddup2(&files, given, descriptor)
      } else if isSilent {
        posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0)
      }
    }
    if isSilent {
      _ = cspawn_close_from(&files, 3)
    }
    let arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child = pid_t()
    let error = posix_spawnp(&child, program, &files, &attributes, arguments, environ)
    return error == 0 ? .success(child) : .failure(SystemError(number: error))
  }

  /// Creates a private folder for files passed to another program; six random letters follow `prefix`.
  static func makePrivateFolder(
    _ environment: (String) -> String?, prefix: String = "market-"
  ) -> Result<String, SystemError> {
    var template = Array("\(folderForPrivateFolders(environment))/\(prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return .failure(.last) }
    return .success(
      String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
  }

  /// Parent of private folders: a memory file system if there is one, so that nothing reaches a disk.
  static func folderForPrivateFolders(_ environment: (String) -> String?) -> String {
    let runtime = environment("XDG_RUNTIME_DIR")
    return runtime.flatMap { $0.hasPrefix("/") && access($0, W_OK) == 0 ? $0 : nil } ?? "/tmp"
  }
}

/// Opener of files and addresses by `xdg-open`, without a shell.
nonisolated enum DesktopViewer {
  private static let program = "xdg-open"
  /// Maximum milliseconds to wait for its end; it may itself be the viewer.
  private static let timeout: Int32 = 2_000

  /// Opens a file or address, and waits for a moment; nil if no failure shows until then.
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
        // Reaps the process when it ends.
        DispatchQueue(label: "market.viewer", qos: .background).async { waitpid(child, nil, 0) }
        return nil
      }
      return status == 0 ? nil : .failed
    }
  }
}

/// Reason why nothing was opened.
nonisolated enum ViewerError: Error {
  case notStarted(SystemError)
  /// `xdg-open` failed: no program opens this file or address.
  case failed

  func text(_ strings: Strings) -> SafeText {
    switch self {
    case .notStarted(let error): error.text(strings)
    case .failed: strings[.viewerFailed]
    }
  }
}

/// Opener of web and mail addresses, on a queue of its own.
actor DesktopOpener {
  private let executor = QueueExecutor(label: "links")

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Opens an address; nil on success.
  func open(_ address: String) -> ViewerError? { DesktopViewer.open(address) }
}
