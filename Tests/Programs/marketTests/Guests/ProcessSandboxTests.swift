import Expectations
import Glibc
import Testing

@testable import market

struct ProcessSandboxTests {
  @Test func `a sealed process starts no program, opens no line and touches no neighbour`() async {
    await #expect(processExitsWith: .success) {
      try ProcessSandbox.makeNonDumpable()
      try ProcessSandbox.close(hasMarketFile: true)

      var child = pid_t()
      let words: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/true"), nil]
      expect(posix_spawn(&child, "/bin/true", nil, nil, words, nil), EPERM)
      #expect(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) == -1 && errno == EACCES)
      #expect(kill(getppid(), 0) == -1 && errno == EPERM)
      try expect(ProcessSandboxTests.limit(of: getppid()), nil)
      try expect(ProcessSandboxTests.limit(of: getpid()), 128)
      #expect(chroot("/") == -1 && errno == EPERM)
    }
  }

  @Test func `a decoder's process opens nothing, starts nothing and keeps its alarm`() async {
    await #expect(processExitsWith: .success) {
      try ProcessSandbox.closeForDecoding()

      var child = pid_t()
      let words: [UnsafeMutablePointer<CChar>?] = [nil]
      var thread = pthread_t()
      let isSealed =
        open("/etc/passwd", O_RDONLY) == -1
        && socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) == -1
        && posix_spawn(&child, "/bin/true", nil, nil, words, nil) != 0
        && kill(getppid(), 0) == -1 && alarm(0) != 0
        && mmap(nil, 4_096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
        && mmap(nil, 4_096, PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
        && mmap(nil, 4_096, PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED
        && pthread_create(&thread, nil, { _ in nil }, nil) == 0
      // A sealed process cannot report: it answers by its status.
      _exit(isSealed ? 0 : 1)
    }
  }

  /// Files that a process may have open; nil where it may not be asked.
  ///
  /// The header declares `prlimit` for the compilers of GNU alone.
  private nonisolated static func limit(of process: pid_t) throws -> Int? {
    typealias Function =
      @convention(c) (
        pid_t, Int32, UnsafeRawPointer?, UnsafeMutableRawPointer?
      ) -> Int32
    let address = try #require(dlsym(nil, "prlimit"))
    var limits = rlimit()
    let kind = Int32(RLIMIT_NOFILE.rawValue)
    let answer = unsafeBitCast(address, to: Function.self)(process, kind, nil, &limits)
    return answer == 0 ? Int(limits.rlim_max) : nil
  }

  @Test func `with a market on a server it has a network, and threads in any case`() async {
    await #expect(processExitsWith: .success) {
      try ProcessSandbox.close(hasMarketFile: false)

      let line = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #expect(line >= 0)
      var thread = pthread_t()
      expect(pthread_create(&thread, nil, { _ in nil }, nil), 0)
      expect(pthread_join(thread, nil), 0)
    }
  }
}
