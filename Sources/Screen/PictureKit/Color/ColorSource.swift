internal import Glibc

/// Description of a file's colors, by its place in the file.
enum ColorSource: Hashable {
  /// ICC profile (ICC.1) in pieces; without pieces where one is missing.
  case profile([Range<Int>])
  /// ICC profile compressed by zlib, as in a PNG file.
  case compressedProfile(Range<Int>)
  /// Code points of ITU-T H.273, as in the boxes cICP and nclx.
  case codePoints(ColorCodePoints)

  /// Maximum bytes of a profile, of which those of printers have 3 MB; a larger one counts as broken.
  static let maxProfileSize = 4 << 20

  /// Returns the description in `bytes`, the file of this source; an empty profile where it is broken.
  func description(in bytes: [UInt8]) -> ColorDescription {
    switch self {
    case .profile(let pieces):
      let count = pieces.reduce(0) { $0 + $1.count }
      return .profile(count > Self.maxProfileSize ? [] : pieces.flatMap { bytes[$0] })
    case .compressedProfile(let piece):
      return .profile(
        PNGHeader.expanded(Array(bytes[piece]), limit: Self.maxProfileSize) ?? [])
    case .codePoints(let points): return .codePoints(points)
    }
  }
}

/// Description of colors, taken out of its file.
enum ColorDescription: Hashable {
  /// ICC profile of untrusted bytes.
  case profile([UInt8])
  case codePoints(ColorCodePoints)
}

/// Primaries and transfer function of a picture, as code points of ITU-T H.273, tables 2 and 3.
struct ColorCodePoints: Hashable {
  let primaries: Int
  let transfer: Int

  /// Chromaticities x, y of white, red, green and blue.
  typealias Chromaticities = [(x: Double, y: Double)]

  /// White of daylight (D65).
  private static let daylight = (x: 0.3127, y: 0.3290)

  /// Chromaticities of primaries other than sRGB's; nil for sRGB's and for unknown ones.
  var chromaticities: Chromaticities? {
    switch primaries {
    case 4: [(0.310, 0.316), (0.67, 0.33), (0.21, 0.71), (0.14, 0.08)]
    case 5: [Self.daylight, (0.64, 0.33), (0.29, 0.60), (0.15, 0.06)]
    case 6, 7: [Self.daylight, (0.630, 0.340), (0.310, 0.595), (0.155, 0.070)]
    case 9: [Self.daylight, (0.708, 0.292), (0.170, 0.797), (0.131, 0.046)]
    case 11: [(0.314, 0.351), (0.680, 0.320), (0.265, 0.690), (0.150, 0.060)]
    case 12: [Self.daylight, (0.680, 0.320), (0.265, 0.690), (0.150, 0.060)]
    default: nil
    }
  }

  static let sRGB: Chromaticities = [daylight, (0.64, 0.33), (0.30, 0.60), (0.15, 0.06)]

  /// Whether the colors are sRGB's.
  ///
  /// The transfer functions of television cameras count as sRGB's, as
  /// in browsers, and so does what is unknown.
  var areSRGB: Bool { chromaticities == nil && ![4, 5, 8, 16, 18].contains(transfer) }

  /// Returns linear light of a signal, both 0 to 1, where 1 is the white of paper.
  func light(of signal: Double) -> Double {
    switch transfer {
    case 4: return pow(signal, 2.2)
    case 5: return pow(signal, 2.8)
    case 8: return signal
    case 16:
      // SMPTE ST 2084: 1 is 10,000 cd/m²; paper has 203 (ITU-R BT.2408).
      let root = pow(signal, 1 / 78.84375)
      let base = max(0, root - 0.8359375) / (18.8515625 - 18.6875 * root)
      return highlights(pow(base, 1 / 0.1593017578125) * 10_000 / 203)
    case 18:
      // ARIB STD-B67: paper has 75 % of the signal (ITU-R BT.2408).
      return highlights(hybrid(signal) / hybrid(0.75))
    default:
      return signal <= 0.04045 ? signal / 12.92 : pow((signal + 0.055) / 1.055, 2.4)
    }
  }

  private func hybrid(_ signal: Double) -> Double {
    signal <= 0.5
      ? signal * signal / 3 : (exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
  }

  /// Compresses light above 0.75 so that what is brighter than paper stays below 1.
  private func highlights(_ light: Double) -> Double {
    let knee = 0.75
    return light <= knee
      ? light : 1 - (1 - knee) * exp((knee - light) / (1 - knee))
  }
}
