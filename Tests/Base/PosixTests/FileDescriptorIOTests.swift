import Expectations
import Glibc
import Posix
import TestSupport
import Testing

struct FileDescriptorIOTests {
  @Test func `what the system takes in pieces is written whole, interruptions or not`() throws {
    var written: [UInt8] = []
    var calls = 0

    try FileDescriptorIO.writeAll(Array("all of it".utf8), to: 7) { descriptor, bytes in
      expect(descriptor, 7)
      calls += 1
      if calls == 2 {
        errno = EINTR
        return -1
      }
      written += bytes.prefix(2)
      return min(2, bytes.count)
    }

    expect(String(decoding: written, as: UTF8.self), "all of it")
  }

  @Test func `what ends a write in the middle is told, not what failed before`() {
    errno = ENOENT
    var calls = 0

    #expect(throws: SystemError(number: EFBIG)) {
      try FileDescriptorIO.writeAll([1, 2, 3], to: 7) { _, _ in
        calls += 1
        if calls == 1 { return 2 }
        errno = EFBIG
        return -1
      }
    }
  }

  @Test func `what was not written is left`() {
    var rest: ArraySlice<UInt8> = [1, 2, 3]
    var calls = 0

    #expect(throws: SystemError(number: EAGAIN)) {
      try FileDescriptorIO.writeAll(from: &rest, to: 7) { _, _ in
        calls += 1
        errno = EAGAIN
        return calls == 1 ? 1 : -1
      }
    }

    expect(rest, [2, 3])
  }

  @Test func `a system that takes nothing is not asked for ever`() {
    #expect(throws: SystemError(number: EIO)) {
      try FileDescriptorIO.writeAll([1], to: 7) { _, _ in 0 }
    }
  }

  @Test func `a file is read to its end, over as many pieces as it takes`() throws {
    let folder = try TemporaryFolder()
    let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    try FileContent(bytes: content).write(to: folder.path(of: "file"))
    let file = open(folder.path(of: "file"), O_RDONLY)
    defer { close(file) }

    try expect(FileDescriptorIO.readAll(from: file, limit: content.count), content)
  }

  @Test func `what is longer than its limit is refused`() throws {
    let folder = try TemporaryFolder()
    try FileContent(bytes: [1, 2, 3]).write(to: folder.path(of: "file"))
    let file = open(folder.path(of: "file"), O_RDONLY)
    defer { close(file) }

    #expect(throws: SystemError(number: EFBIG)) {
      try FileDescriptorIO.readAll(from: file, limit: 2)
    }
  }

  @Test func `a descriptor that is closed says so`() {
    #expect(throws: SystemError(number: EBADF)) { try FileDescriptorIO.read(upTo: 1, from: -1) }
    #expect(throws: SystemError(number: EBADF)) { try FileDescriptorIO.writeAll([1], to: -1) }
    #expect(throws: SystemError(number: EBADF)) { try FileDescriptorIO.sync(-1) }
    expect(FileDescriptorIO.fileSize(of: -1), nil)
  }
}
