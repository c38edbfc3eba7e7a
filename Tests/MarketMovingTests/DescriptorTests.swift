import Glibc
import MarketMoving
import Testing

@Suite struct DescriptorTests {
  @Test func `what the system takes in pieces is written whole, interruptions or not`() {
    var written: [UInt8] = []
    var calls = 0

    let error = Descriptor.writeAll(Array("all of it".utf8), to: 7) { descriptor, bytes in
      #expect(descriptor == 7)
      calls += 1
      if calls == 2 {
        errno = EINTR
        return -1
      }
      written += bytes.prefix(2)
      return min(2, bytes.count)
    }

    #expect(error == nil)
    #expect(String(decoding: written, as: UTF8.self) == "all of it")
  }

  @Test func `what ends a write in the middle is told, not what failed before`() {
    errno = ENOENT
    var calls = 0

    let error = Descriptor.writeAll([1, 2, 3], to: 7) { _, _ in
      calls += 1
      if calls == 1 { return 2 }
      errno = EFBIG
      return -1
    }

    #expect(error == EFBIG)
  }

  @Test func `a system that takes nothing is not asked for ever`() {
    #expect(Descriptor.writeAll([1], to: 7) { _, _ in 0 } == EIO)
  }
}
