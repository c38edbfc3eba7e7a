internal import CTurboJPEG
internal import MarketModel

/// An instance of TurboJPEG, which one call at a time may use.
struct TurboHandle: ~Copyable {
  enum Purpose {
    case decompress
    case compress
    case transform
  }

  let pointer: tjhandle

  init(_ purpose: Purpose) throws(PictureError) {
    let pointer =
      switch purpose {
      case .decompress: tjInitDecompress()
      case .compress: tjInitCompress()
      case .transform: tjInitTransform()
      }
    // It fails only for want of a few kilobytes of memory.
    guard let pointer else { throw .tooLarge }
    self.pointer = pointer
  }

  deinit { tjDestroy(pointer) }

  /// Passes a call's result on unless it was fatal: what libjpeg only warns about still gave a
  /// picture, as in every browser.
  func check(_ result: Int32) throws(PictureError) {
    guard result == 0 || tjGetErrorCode(pointer) == TJERR_WARNING.rawValue else {
      throw .undecodable
    }
  }
}

/// A file that TurboJPEG allocates and writes.
struct TurboOutput: ~Copyable {
  var pointer: UnsafeMutablePointer<UInt8>?
  var count: UInt = 0

  deinit { tjFree(pointer) }

  var bytes: [UInt8] { Array(UnsafeBufferPointer(start: pointer, count: Int(count))) }
}
