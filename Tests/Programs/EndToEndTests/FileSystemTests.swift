import Expectations
import Glibc
import TerminalTestSupport
import TestSupport
import Testing

/// Homes on file systems that lack something, as those of virtual machines, sticks and networks do.
///
/// A library that is loaded before the C library plays them.
@Suite(.ownThread) struct FileSystemTests {
  /// What `LACKS` names: shared maps (m), locks (l), or an end of fsync(2) before the file `GO` exists (f).
  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <stdarg.h>
    #include <stdlib.h>
    #include <sys/mman.h>
    #include <unistd.h>
    static int lacks(char c) { const char *w = getenv("LACKS"); return w && *w == c; }
    void *mmap(void *a, size_t n, int p, int f, int fd, off_t o) {
      if (lacks('m') && fd >= 0 && (f & MAP_SHARED)) { errno = ENODEV; return MAP_FAILED; }
      void *(*real)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, "mmap");
      return real(a, n, p, f, fd, o);
    }
    void *mmap64(void *a, size_t n, int p, int f, int fd, off_t o) { return mmap(a, n, p, f, fd, o); }
    int fcntl64(int fd, int c, ...) {
      va_list l; va_start(l, c); void *a = va_arg(l, void *); va_end(l);
      if (lacks('l') && (c == F_SETLK || c == F_SETLKW || c == F_GETLK)) { errno = ENOLCK; return -1; }
      int (*real)(int, int, ...) = dlsym(RTLD_NEXT, "fcntl64");
      return real(fd, c, a);
    }
    int fcntl(int fd, int c, ...) {
      va_list l; va_start(l, c); void *a = va_arg(l, void *); va_end(l); return fcntl64(fd, c, a);
    }
    int fsync(int fd) {
      while (lacks('f') && access(getenv("GO"), F_OK) != 0) usleep(1000);
      int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
      return real(fd);
    }
    int fdatasync(int fd) { return fsync(fd); }

    """

  /// Makes the library in a program's home, and returns the variables that load it.
  private func environment(
    lacking part: String, in program: MarketProgram
  ) throws -> [String: String?] {
    let library = program.path(of: "fs.so")
    if access(library, F_OK) != 0 {
      try program.addFile("fs.c", Self.source)
      let build = try program.runShell("gcc -shared -fPIC -o fs.so fs.c -ldl")
      try #require(build.exit == .exited(status: 0), "\(build.errors)")
    }
    return ["LD_PRELOAD": library, "LACKS": part, "GO": program.path(of: "go")]
  }

  @Test(arguments: [true, false])
  func `without shared maps a market opens, and what that means is said once`(isNew: Bool)
    async throws
  {
    let program = try await MarketProgram(isNew ? nil : .rows(3))
    let lacking = try environment(lacking: "m", in: program)

    let first = try program.run("list", "--limit", "1", environment: lacking)
    let second = try program.run("list", "--limit", "1", environment: lacking)

    expect(first.exit, .exited(status: 0), "\(first.errors)")
    expect(
      first.errors,
      """
      market: The market file’s file system has no shared memory: while one program writes, others \
      wait

      """)
    expect(second.output, first.output)
    expect(second.errors, "")
    try expect(program.run("list", "--limit", "1").output, first.output)
  }

  @Test func `without shared maps the changes of a log that was left behind are there`()
    async throws
  {
    let program = try await MarketProgram(.rows(3))
    let session = try program.open()
    try session.wait(forText: "Ware 003")
    try expect(program.run("admin", "delete", "3").exit, .exited(status: 0))
    session.terminal.signal(SIGKILL)
    _ = try session.waitForExit()

    let run = try program.run("list", environment: environment(lacking: "m", in: program))

    expect(run.output.split(separator: "\n").count, 2, "\(run.errors)")
  }

  @Test func `without locks no other program is named as the reason`() async throws {
    let program = try await MarketProgram(.rows(3))

    let run = try program.run("list", environment: environment(lacking: "l", in: program))

    expect(run.exit, .exited(status: 1))
    #expect(run.errors.contains("file system has no file locks"), "\(run.errors)")
  }

  @Test func `the first screen does not wait for a disk that flushes slowly`() async throws {
    let program = try await MarketProgram(nil)
    let lacking = try environment(lacking: "f", in: program)

    let session = try program.open(environment: lacking)

    try session.wait(forText: "Road bike")
    try program.addFile("go", "")
    session.type("q")
    try expect(session.waitForExit(), .exited(status: 0))
    try expect(program.run("list", "--limit", "1").exit, .exited(status: 0))
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func `a backup in a folder that cannot be written to is read`() async throws {
    let program = try await MarketProgram(.rows(3))
    mkdir(program.path(of: "cd"), 0o700)
    let copy = program.path(of: "cd/backup 100%.market")
    try expect(program.run("backup", copy).exit, .exited(status: 0))
    chmod(program.path(of: "cd"), 0o500)
    defer { chmod(program.path(of: "cd"), 0o700) }

    let list = try program.run("list", "--store", copy)
    let change = try program.run("admin", "delete", "1", "--store", copy)

    expect(list.output.split(separator: "\n").count, 3, "\(list.errors)")
    #expect(change.errors.contains("The market file is read-only"), "\(change.errors)")
  }
}
