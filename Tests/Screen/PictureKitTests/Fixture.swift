import Glibc
import MarketModel

/// Files of `Tests/Fixtures/Pictures`, and pixels at places of a bitmap.
enum Fixture {
  static func bytes(_ name: String, file: String = #filePath) throws -> [UInt8] {
    let tests = file.split(separator: "/").dropLast(3).joined(separator: "/")
    let path = "/" + tests + "/Fixtures/Pictures/" + name
    guard let stream = fopen(path, "rb") else { throw MissingFixture(path: path) }
    defer { fclose(stream) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, stream)
    return Array(bytes.prefix(count))
  }

  /// Every picture that shows the four quarters in full colour.
  static let quarters = [
    "baseline.jpg", "progressive.jpg", "plain.png", "palette.png", "lossy.webp", "moving.webp",
    "still.gif", "interlaced.gif", "moving.gif",
  ]
  static let transparent = ["alpha.png", "lossy-alpha.webp", "lossless-alpha.webp", "alpha.gif"]
  static let oriented =
    (1...8).map { "orientation-\($0).jpg" } + ["oriented.png", "oriented.webp"]
  /// A color, and four quarters in a JPEG that browsers do not decode.
  static let colored = [
    "p3.jpg", "p3.png", "p3.webp", "code-points.png", "srgb.jpg", "broken-profile.jpg",
    "gamma.png", "arithmetic.jpg",
  ]
  static let all =
    quarters + transparent + oriented + ["grey.jpg", "cmyk.jpg", "sixteen-bit.png"]
}

struct MissingFixture: Error {
  let path: String
}

/// The four colours of the fixtures' quarters, recognized also after lossy compression.
enum Color: Equatable {
  case red
  case green
  case blue
  case yellow
  case clear
  case other

  init(_ pixel: ArraySlice<UInt8>) {
    let values = Array(pixel)
    guard values[3] > 127 else {
      self = .clear
      return
    }
    switch values.prefix(3).map({ $0 > 120 }) {
    case [true, false, false]: self = .red
    case [false, true, false]: self = .green
    case [false, false, true]: self = .blue
    case [true, true, false]: self = .yellow
    default: self = .other
    }
  }
}

extension Bitmap {
  func pixel(x: Int, y: Int) -> ArraySlice<UInt8> {
    let start = (y * size.width + x) * 4
    return pixels[start..<start + 4]
  }

  /// The colours of the corners, row by row.
  var corners: [Color] {
    [0, size.height - 1].flatMap { y in
      [0, size.width - 1].map { x in Color(pixel(x: x, y: y)) }
    }
  }
}

extension Bitmap {
  /// Opaque pixels that no encoder finds easy, the same at every run.
  static func noise(width: Int, height: Int) -> Bitmap {
    var state: UInt32 = 1
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 4)
    for _ in 0..<width * height {
      state = state &* 1_664_525 &+ 1_013_904_223
      pixels += [UInt8(state >> 24), UInt8(state >> 16 & 255), UInt8(state >> 8 & 255), 255]
    }
    return Bitmap(size: PixelSize(width: width, height: height), pixels: pixels)
  }
}
