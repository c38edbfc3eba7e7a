import Glibc
import Testing

@testable import market

struct LargeBlocksTests {
  /// Sanitizers bring an allocator of their own.
  private nonisolated static let isSanitized =
    getenv("ASAN_OPTIONS") != nil || getenv("TSAN_OPTIONS") != nil

  /// In a process of its own, whose heaps no other test has filled and emptied.
  @Test(.disabled(if: isSanitized))
  func `a large block lies apart from the heap, however large others have been`() async {
    await #expect(processExitsWith: .success) {
      LargeBlocks.returnWhenFreed()
      free(malloc(16 << 20))

      let blocks = (0..<4).map { _ in malloc(1 << 20) }

      // What is mapped for itself begins with its size, at the start of a page.
      #expect(blocks.allSatisfy { UInt(bitPattern: $0) % 4_096 == 16 })
      for block in blocks { free(block) }
    }
  }
}
