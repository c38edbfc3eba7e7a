internal import CSpawn
import Glibc
import Synchronization

/// A program beside the tests, run with a pipe on its standard output; what it says on standard error
/// is not kept.
///
/// No wait for it is without a limit of time.
package final class ChildProcess: Sendable {
  package let program: RunningProgram
  private let reader: Int32
  private let lines: Mutex<LinesOfPipe>

  /// - Parameters:
  ///   - name: a program that the package builds, or the path of one of the system's.
  ///   - arguments: without the program's own name.
  /// - Throws: where it cannot be started.
  package init(_ name: String, arguments: [String]) throws {
    var ends: [Int32] = [0, 0]
    guard pipe2(&ends, Int32(O_CLOEXEC)) == 0 else { throw UnexpectedError(description: "no pipe") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    Inheritance.end(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // Threads of tests block and ignore signals, of which the program knows nothing.
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) }
    words.append(nil)
    var variables: [UnsafeMutablePointer<CChar>?] = SanitizerOptions.environment.map {
      strdup($0.key + "=" + $0.value)
    }
    variables.append(nil)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
      for word in words + variables { free(word) }
      close(ends[1])
    }
    var child = pid_t()
    let code = posix_spawn(&child, try Self.path(of: name), &actions, &attributes, words, variables)
    guard code == 0 else {
      close(ends[0])
      throw UnexpectedError(description: "cannot start \(name)")
    }
    reader = ends[0]
    lines = Mutex(LinesOfPipe(from: reader))
    program = try RunningProgram(child)
  }

  package var identifier: Int32 { program.identifier }

  /// The next line without its end; nil when the program has ended and all is read.
  ///
  /// - Throws: where it does not come in time.
  package func readLine() throws(UnexpectedError) -> String? {
    try lines.withLock { lines throws(UnexpectedError) in
      try lines.next(within: RunningProgram.timeout)
    }
  }

  /// The most memory that it has held so far, in bytes.
  package var peakMemory: Int? {
    guard let file = try? FileContent(of: "/proc/\(identifier)/status") else { return nil }
    let lines = String(decoding: file.bytes, as: UTF8.self).split(separator: "\n")
    let line = lines.first { $0.hasPrefix("VmHWM:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
  }

  /// Processor time that it has used so far, in clock ticks (proc_pid_stat(5)); nil where it has ended.
  package var processorTicks: Int? {
    guard let file = try? FileContent(of: "/proc/\(identifier)/stat") else { return nil }
    let text = String(decoding: file.bytes, as: UTF8.self)
    // Behind the name, which may hold anything.
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
      return nil
    }
    return user + system
  }

  /// How many descriptors it has open; nil where it has ended.
  package var descriptorCount: Int? {
    guard let entries = opendir("/proc/\(identifier)/fd") else { return nil }
    defer { closedir(entries) }
    var count = 0
    while readdir(entries) != nil { count += 1 }
    // The folder itself and the one above are listed as well.
    return count - 2
  }

  package func signal(_ number: Int32) { program.signal(number) }

  /// Ends it at once, with nothing to do about it (SIGKILL).
  package func kill() { program.kill() }

  /// Asks it to end (SIGTERM) and waits until it has.
  ///
  /// - Returns: what it exited with; nil where a signal ended it.
  /// - Throws: where it does not end in time.
  package func terminate() throws(UnexpectedError) -> Int32? {
    signal(SIGTERM)
    return try wait()
  }

  /// Waits until it has ended.
  ///
  /// - Returns: what it exited with; nil where a signal ended it.
  /// - Throws: where it does not in time.
  package func wait() throws(UnexpectedError) -> Int32? { try program.end().code }

  deinit {
    // A test that failed leaves nothing running.
    kill()
    close(reader)
  }

  /// Programs of the package are where the running tests were built.
  package static func path(of name: String) throws -> String {
    if name.contains("/") { return name }
    guard let path = realpath("/proc/self/exe", nil) else {
      throw UnexpectedError(description: "the tests do not know where they are")
    }
    defer { free(path) }
    return String(
      String(cString: path).split(separator: "/", omittingEmptySubsequences: false)
        .dropLast().joined(separator: "/")) + "/" + name
  }
}
