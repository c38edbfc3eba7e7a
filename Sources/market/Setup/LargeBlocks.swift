internal import CAllocator

/// Large blocks of memory, such as pictures.
nonisolated enum LargeBlocks {
  /// Makes them go back to the system as soon as nothing holds them; before there are threads.
  static func returnWhenFreed() { allocator_return_large_blocks() }
}
