internal import CLittleCMS
internal import MarketModel

/// Reason why a file's description of its colors was not followed.
package enum ColorFlaw: Error, Hashable, Sendable {
  /// Little CMS is not installed.
  case noLibrary
  /// The description is broken, or one of another kind of picture.
  case brokenProfile
}

/// Channels of the coded pixels that a profile describes.
enum ColorModel {
  /// Decoded to three equal channels.
  case gray
  case rgb
  /// Inverted, as Adobe stores it.
  case cmyk
}

/// Conversion of a file's pixels to sRGB.
enum ColorConversion {
  /// The pixels are sRGB.
  case none
  case transform(ColorTransform)
  /// The description is ignored.
  case failed(ColorFlaw)

  /// Creates the conversion for `bytes`, the file of `header`; a file without a description opens no
  /// library.
  init(_ header: PictureHeader, _ bytes: [UInt8]) {
    self.init(
      header.colors?.description(in: bytes), header.colorModel, channels: header.hasAlpha ? 4 : 3)
  }

  /// Creates the conversion for pixels of `channels` bytes, 3 or 4 with alpha; 4 for `.cmyk`.
  init(_ description: ColorDescription?, _ model: ColorModel, channels: Int) {
    self = .none
    guard let description else { return }
    if case .codePoints(let points) = description, points.areSRGB { return }
    do throws(ColorFlaw) {
      let transform = try ColorTransform(description, model, channels: channels)
      if transform.changesColors { self = .transform(transform) }
    } catch {
      self = .failed(error)
    }
  }

  var transform: ColorTransform? {
    if case .transform(let transform) = self { transform } else { nil }
  }

  var flaw: ColorFlaw? { if case .failed(let flaw) = self { flaw } else { nil } }
}

/// Transform of Little CMS to sRGB; used by one thread.
final class ColorTransform {
  private let pointer: cmsHTRANSFORM
  private let model: ColorModel

  /// Creates a transform that is relative to white and compensates the black point, as browsers do.
  ///
  /// - Throws: `.noLibrary`, `.brokenProfile`.
  fileprivate init(
    _ description: ColorDescription, _ model: ColorModel, channels: Int
  ) throws(ColorFlaw) {
    guard let output = Profile(cmsCreate_sRGBProfile()) else { throw .noLibrary }
    guard let input = Profile(description), cmsGetColorSpace(input.pointer) == model.signature
    else { throw .brokenProfile }
    let flags = cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_NOCACHE | cmsFLAGS_COPY_ALPHA
    guard
      let pointer = cmsCreateTransform(
        input.pointer, model.format(channels: channels), output.pointer,
        ColorModel.rgb.format(channels: model == .cmyk ? 3 : channels),
        UInt32(INTENT_RELATIVE_COLORIMETRIC), UInt32(flags))
    else { throw .brokenProfile }
    self.pointer = pointer
    self.model = model
  }

  deinit { cmsDeleteTransform(pointer) }

  /// Whether it changes a color by more than the rounding of an sRGB profile.
  fileprivate var changesColors: Bool {
    guard model != .cmyk else { return true }
    let steps: [UInt8] = [0, 20, 64, 128, 192, 255]
    var colors: [UInt8] = []
    for red in steps {
      for green in model == .gray ? [red] : steps {
        for blue in model == .gray ? [red] : steps { colors += [red, green, blue, red] }
      }
    }
    // As many bytes are whole pixels of three channels and of four.
    var converted = colors
    cmsDoTransform(pointer, colors, &converted, UInt32(colors.count / 4))
    return zip(colors, converted).contains { abs(Int($0) - Int($1)) > 2 }
  }

  /// Returns the pixels in sRGB, in three channels or four with alpha.
  func applied(to pixels: RawPixels) -> RawPixels {
    let channels = model == .cmyk ? 3 : pixels.channels
    let count = pixels.size.pixelCount
    let bytes = [UInt8](unsafeUninitializedCapacity: count * channels) { target, initialized in
      pixels.bytes.withUnsafeBytes {
        cmsDoTransform(pointer, $0.baseAddress, target.baseAddress, UInt32(count))
      }
      initialized = count * channels
    }
    return RawPixels(size: pixels.size, channels: channels, bytes: bytes)
  }
}

extension ColorModel {
  fileprivate var signature: cmsColorSpaceSignature {
    switch self {
    case .gray: cmsSigGrayData
    case .rgb: cmsSigRgbData
    case .cmyk: cmsSigCmykData
    }
  }

  /// Format of a pixel of `channels` bytes, with the bits of the macros `TYPE_RGB_8` and others.
  fileprivate func format(channels: Int) -> UInt32 {
    let (space, used, isInverted) =
      switch self {
      case .gray: (PT_GRAY, 1, 0)
      case .rgb: (PT_RGB, 3, 0)
      case .cmyk: (PT_CMYK, 4, 1)
      }
    let extra = channels - used
    return UInt32(Int(space) << 16 | isInverted << 13 | extra << 7 | used << 3 | 1)
  }
}

/// Profile that Little CMS holds and this type closes.
private final class Profile {
  let pointer: cmsHPROFILE

  /// Returns nil without a pointer.
  init?(_ pointer: cmsHPROFILE?) {
    guard let pointer else { return nil }
    self.pointer = pointer
  }

  /// Returns nil where the profile cannot be read.
  convenience init?(_ description: ColorDescription) {
    switch description {
    case .profile(let bytes): self.init(cmsOpenProfileFromMem(bytes, UInt32(bytes.count)))
    case .codePoints(let points): self.init(points.makeProfile())
    }
  }

  deinit { cmsCloseProfile(pointer) }
}

extension ColorCodePoints {
  /// Number of values of a tone curve; between them Little CMS interpolates.
  private static let curvePoints = 4_096

  /// Returns a profile of these primaries and this transfer function; nil where there is no memory.
  fileprivate func makeProfile() -> cmsHPROFILE? {
    let values = (0..<Self.curvePoints).map { index in
      UInt16((light(of: Double(index) / Double(Self.curvePoints - 1)) * 65_535).rounded())
    }
    let curve = cmsBuildTabulatedToneCurve16(nil, UInt32(values.count), values)
    guard let curve else { return nil }
    defer { cmsFreeToneCurve(curve) }
    let points = (chromaticities ?? Self.sRGB).map { cmsCIExyY(x: $0.x, y: $0.y, Y: 1) }
    var white = points[0]
    var primaries = cmsCIExyYTRIPLE(Red: points[1], Green: points[2], Blue: points[3])
    return cmsCreateRGBProfile(&white, &primaries, [curve, curve, curve])
  }
}
