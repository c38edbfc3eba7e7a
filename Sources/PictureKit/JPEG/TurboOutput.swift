internal import CTurboJPEG

/// A file that TurboJPEG allocates and writes.
struct TurboOutput: ~Copyable {
  var pointer: UnsafeMutablePointer<UInt8>?
  var count: UInt = 0

  deinit { tjFree(pointer) }

  var bytes: [UInt8] { Array(UnsafeBufferPointer(start: pointer, count: Int(count))) }
}
