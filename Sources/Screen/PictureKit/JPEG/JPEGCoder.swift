internal import CTurboJPEG
internal import MarketModel

/// Decoder of JPEG; reduces by 1, 2, 4 or 8 in the inverse DCT, which skips most of the work.
struct JPEGDecoder {
  private let bytes: [UInt8]
  private let size: PixelSize
  private let colors: ColorTransform?

  /// Creates a decoder to `size`, one of the header's `reducedSizes`; `colors` converts what is
  /// decoded to sRGB, nil where it is sRGB.
  init(_ bytes: [UInt8], size: PixelSize, colors: ColorTransform? = nil) {
    self.bytes = bytes
    self.size = size
    self.colors = colors
  }

  /// Decodes all pixels; data about which libjpeg only warns is accepted.
  ///
  /// - Throws: `.undecodable` where libjpeg rejects the data; `.tooLarge` where there is no memory
  ///   for a handle.
  func decode() throws(PictureError) -> RawPixels {
    let handle = try TurboHandle(.decompress)
    let isFourColor = try colorSpace(handle).isFourColor
    let pixels = try RawPixels(size: size, channels: isFourColor ? 4 : 3) {
      target throws(PictureError) in
      let format = isFourColor ? TJPF_CMYK : TJPF_RGB
      try handle.check(
        tjDecompress2(
          handle.pointer, bytes, UInt(bytes.count), target, Int32(size.width),
          Int32(size.width * (isFourColor ? 4 : 3)), Int32(size.height), format.rawValue,
          TJFLAG_LIMITSCANS))
    }
    if let colors { return colors.applied(to: pixels) }
    return isFourColor ? pixels.convertedFromFourColors() : pixels
  }

  private func colorSpace(_ handle: borrowing TurboHandle) throws(PictureError) -> TJCS {
    var width: Int32 = 0
    var height: Int32 = 0
    var subsampling: Int32 = 0
    var colorSpace: Int32 = 0
    try handle.check(
      tjDecompressHeader3(
        handle.pointer, bytes, UInt(bytes.count), &width, &height, &subsampling, &colorSpace))
    return TJCS(rawValue: UInt32(bitPattern: colorSpace))
  }
}

extension TJCS {
  fileprivate var isFourColor: Bool { self == TJCS_CMYK || self == TJCS_YCCK }
}

extension RawPixels {
  /// Converts cyan, magenta, yellow and black, inverted as Adobe stores them, to red, green and blue.
  fileprivate func convertedFromFourColors() -> RawPixels {
    var converted: [UInt8] = []
    converted.reserveCapacity(size.pixelCount * 3)
    for start in stride(from: 0, to: bytes.count, by: 4) {
      let black = Int(bytes[start + 3])
      for channel in 0..<3 { converted.append(UInt8(Int(bytes[start + channel]) * black / 255)) }
    }
    return RawPixels(size: size, channels: 3, bytes: converted)
  }
}

/// Encoder of one bitmap as JPEG; may be used for several qualities.
struct JPEGEncoder {
  private let size: PixelSize
  private let pixels: [UInt8]

  init(_ bitmap: Bitmap) {
    size = bitmap.size
    pixels = bitmap.onWhite()
  }

  /// Encodes in a quality of 1 to 100.
  ///
  /// - Throws: `.tooLarge` where a side has more than 65,535 pixels or libjpeg-turbo lacks memory.
  func encode(quality: Int) throws(PictureError) -> [UInt8] {
    guard size.width <= 65_535, size.height <= 65_535 else { throw .tooLarge }
    let handle = try TurboHandle(.compress)
    var output = TurboOutput()
    guard
      tjCompress2(
        handle.pointer, pixels, Int32(size.width), Int32(size.width * 3), Int32(size.height),
        TJPF_RGB.rawValue, &output.pointer, &output.count, Int32(TJSAMP_420.rawValue),
        Int32(quality), 0) == 0
    else { throw .tooLarge }
    return output.bytes
  }
}

/// Lossless rotation and mirroring of JPEG files, without decoding their coefficients.
enum JPEGTransform {
  /// Returns the upright file without metadata.
  ///
  /// - Throws: `.undecodable` where the file is broken, or the operation would lose pixels: blocks
  ///   cut by the right or lower border cannot go to the left or top. `.tooLarge` where there is no
  ///   memory for a handle.
  static func upright(
    _ bytes: [UInt8], _ orientation: PictureOrientation
  ) throws(PictureError) -> [UInt8] {
    let handle = try TurboHandle(.transform)
    var output = TurboOutput()
    var transform = tjtransform()
    transform.op = Int32(orientation.operation.rawValue)
    transform.options = TJXOPT_PERFECT | TJXOPT_COPYNONE
    guard
      tjTransform(
        handle.pointer, bytes, UInt(bytes.count), 1, &output.pointer, &output.count, &transform,
        TJFLAG_LIMITSCANS) == 0
    else { throw .undecodable }
    return output.bytes
  }
}

extension PictureOrientation {
  fileprivate var operation: TJXOP {
    switch self {
    case .upright: TJXOP_NONE
    case .mirror: TJXOP_HFLIP
    case .turnHalf: TJXOP_ROT180
    case .flip: TJXOP_VFLIP
    case .transpose: TJXOP_TRANSPOSE
    case .turnRight: TJXOP_ROT90
    case .transverse: TJXOP_TRANSVERSE
    case .turnLeft: TJXOP_ROT270
    }
  }
}

/// TurboJPEG instance; used by one call at a time.
struct TurboHandle: ~Copyable {
  enum Purpose {
    case decompress
    case compress
    case transform
  }

  let pointer: tjhandle

  /// Creates an instance.
  ///
  /// - Throws: `.tooLarge` where there is no memory for it.
  init(_ purpose: Purpose) throws(PictureError) {
    let pointer =
      switch purpose {
      case .decompress: tjInitDecompress()
      case .compress: tjInitCompress()
      case .transform: tjInitTransform()
      }
    // The call fails only for want of a few kilobytes of memory.
    guard let pointer else { throw .tooLarge }
    self.pointer = pointer
  }

  deinit { tjDestroy(pointer) }

  /// Checks a call's result; warnings of libjpeg are accepted, since the pixels were decoded, as in
  /// every browser.
  ///
  /// - Throws: `.undecodable` for a fatal error.
  func check(_ result: Int32) throws(PictureError) {
    guard result == 0 || tjGetErrorCode(pointer) == TJERR_WARNING.rawValue else {
      throw .undecodable
    }
  }
}

/// Output buffer that TurboJPEG allocates and this type frees.
struct TurboOutput: ~Copyable {
  var pointer: UnsafeMutablePointer<UInt8>?
  var count: UInt = 0

  deinit { tjFree(pointer) }

  var bytes: [UInt8] { Array(UnsafeBufferPointer(start: pointer, count: Int(count))) }
}
