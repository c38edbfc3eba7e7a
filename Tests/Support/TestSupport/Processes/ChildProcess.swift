import Glibc
import Synchronization

/// A program beside the tests, run with a pipe on its standard output; what it says on standard error
/// is not kept.
///
/// Unchecked: its number never changes, and C locks the stream that is read.
package final class ChildProcess: @unchecked Sendable {
  package let identifier: Int32
  private let output: UnsafeMutablePointer<FILE>
  private let hasEnded = Atomic(false)

  /// - Parameters:
  ///   - name: a program that the package builds, or the path of one of the system's.
  ///   - arguments: without the program's own name.
  /// - Throws: where it cannot be started.
  package init(_ name: String, arguments: [String]) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw BrokenPromise(description: "no pipe") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    Inheritance.end(&actions)
    var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) }
    words.append(nil)
    var variables: [UnsafeMutablePointer<CChar>?] = SanitizerOptions.environment.map {
      strdup($0.key + "=" + $0.value)
    }
    variables.append(nil)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      for word in words + variables { free(word) }
      close(ends[1])
    }
    var child = pid_t()
    let code = posix_spawn(&child, try Self.path(of: name), &actions, nil, words, variables)
    guard code == 0, let output = fdopen(ends[0], "r") else {
      throw BrokenPromise(description: "cannot start \(name)")
    }
    identifier = child
    self.output = output
  }

  /// The next line without its end; nil when the program has ended and all is read.
  package func readLine() -> String? {
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    guard getline(&line, &capacity, output) > 0, let line else { return nil }
    return String(String(cString: line).dropLast())
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

  package func signal(_ number: Int32) {
    Glibc.kill(identifier, number)
  }

  /// Ends it at once, with nothing to do about it (SIGKILL).
  package func kill() {
    guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
    Glibc.kill(identifier, SIGKILL)
    waitpid(identifier, nil, 0)
  }

  /// Asks it to end (SIGTERM) and waits until it has.
  ///
  /// - Returns: what it exited with; nil where a signal ended it.
  package func terminate() -> Int32? {
    Glibc.kill(identifier, SIGTERM)
    return wait()
  }

  /// Waits until it has ended.
  ///
  /// - Returns: what it exited with; nil where a signal ended it.
  package func wait() -> Int32? {
    var status: Int32 = 0
    waitpid(identifier, &status, 0)
    hasEnded.store(true, ordering: .relaxed)
    return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
  }

  deinit {
    // A test that failed leaves nothing running.
    kill()
    fclose(output)
  }

  /// Programs of the package are where the running tests were built.
  package static func path(of name: String) throws -> String {
    if name.contains("/") { return name }
    guard let path = realpath("/proc/self/exe", nil) else {
      throw BrokenPromise(description: "the tests do not know where they are")
    }
    defer { free(path) }
    return String(
      String(cString: path).split(separator: "/", omittingEmptySubsequences: false)
        .dropLast().joined(separator: "/")) + "/" + name
  }
}
