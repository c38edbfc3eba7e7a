package import MarketModel

/// Answer of the process that decodes a HEIC or AVIF file, as bytes: a head of seven numbers of 32
/// bits, least significant byte first, then the color profile and the pixels.
package struct HEIFMessage {
  /// Reason why there is no picture.
  package enum Failure: Int, Error, Hashable, Sendable {
    /// Broken, or of a coding that the installed libraries do not know.
    case undecodable = 1
    case tooLarge
    /// libheif is not installed.
    case noLibrary
    /// The process could not be started or sealed.
    case notStarted

    package init(_ error: PictureError) { self = error == .tooLarge ? .tooLarge : .undecodable }
  }

  /// Bytes of the head: status, width, height, channels, bytes of the profile, primaries, transfer
  /// function.
  private static let headCount = 28
  /// Primaries of a picture without a description.
  private static let noColors = 0xFFFF

  /// Maximum bytes of a message.
  package static let maxCount = 100 << 20

  package static func bytes(_ failure: Failure) -> [UInt8] {
    numbers([failure.rawValue, 0, 0, 0, 0, 0, 0])
  }

  package static func bytes(_ picture: HEIFPicture) -> [UInt8] {
    var (profile, points): ([UInt8], [Int]) = ([], [noColors, 0])
    switch picture.colors {
    case .profile(let bytes): profile = bytes
    case .codePoints(let code): points = [code.primaries, code.transfer]
    case nil: break
    }
    let pixels = picture.pixels
    let head = [0, pixels.size.width, pixels.size.height, pixels.channels, profile.count] + points
    return numbers(head) + profile + pixels.bytes
  }

  private static func numbers(_ numbers: [Int]) -> [UInt8] {
    numbers.flatMap { number in
      [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
  }

  /// Reads a message of a process that may be under an attacker's control.
  ///
  /// - Throws: the failure that the message is; `.undecodable` for anything else but a picture.
  package static func picture(from bytes: [UInt8]) throws(Failure) -> HEIFPicture {
    let head = stride(from: 0, to: headCount, by: 4).compactMap { bytes.littleEndian32(at: $0) }
    guard head.count == 7 else { throw .undecodable }
    guard head[0] == 0 else { throw Failure(rawValue: head[0]) ?? .undecodable }
    let (width, height, channels, profileCount) = (head[1], head[2], head[3], head[4])
    guard (1...1 << 16).contains(width), (1...1 << 16).contains(height),
      channels == 3 || channels == 4, profileCount <= ColorSource.maxProfileSize,
      bytes.count == headCount + profileCount + width * height * channels
    else { throw .undecodable }
    let profile = Array(bytes[headCount..<headCount + profileCount])
    let colors: ColorDescription? =
      if !profile.isEmpty {
        .profile(profile)
      } else if head[5] == noColors {
        nil
      } else {
        .codePoints(ColorCodePoints(primaries: head[5], transfer: head[6]))
      }
    let pixels = RawPixels(
      size: PixelSize(width: width, height: height), channels: channels,
      bytes: Array(bytes[(headCount + profileCount)...]))
    return HEIFPicture(pixels: pixels, colors: colors)
  }
}
