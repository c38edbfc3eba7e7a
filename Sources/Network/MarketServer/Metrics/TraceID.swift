import MarketAPI

/// Trace id of a request: that of the trace that it belongs to, or a new one (W3C Trace Context,
/// section 3.2.2.3).
package struct TraceID: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  fileprivate init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads `traceparent` of a request; nil if it is absent, repeated or invalid, and then it is
  /// ignored.
  package init?(of headers: HTTPHeaders) {
    var found: String?
    for field in headers where field.name.utf8.count == Self.fieldName.utf8.count {
      guard field.name.lowercased() == Self.fieldName else { continue }
      guard found == nil else { return nil }
      found = field.value
    }
    guard let found else { return nil }
    self.init(traceparent: found)
  }

  /// Parses `VERSION-TRACE-PARENT-FLAGS` in lowercase hexadecimal digits, else nil; later versions may
  /// have more after a further hyphen (section 3.2.4).
  package init?(traceparent: String) {
    let bytes = Array(traceparent.utf8)
    guard bytes.count >= 55, [2, 35, 52].allSatisfy({ bytes[$0] == Self.hyphen }),
      let version = Self.number(bytes[0..<2]), version != 0xFF,
      bytes.count == 55 || (version > 0 && bytes[55] == Self.hyphen),
      let high = Self.number(bytes[3..<19]), let low = Self.number(bytes[19..<35]),
      let parent = Self.number(bytes[36..<52]), Self.number(bytes[53..<55]) != nil,
      high | low != 0, parent != 0
    else { return nil }
    self.init(high: high, low: low)
  }

  /// The id as 32 lowercase hexadecimal digits.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    append(to: &bytes)
    return bytes
  }

  /// Appends the 32 digits of `text`.
  func append(to bytes: inout [UInt8]) {
    append(high, to: &bytes)
    append(low, to: &bytes)
  }

  private func append(_ half: UInt64, to bytes: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { digits in
      for index in digits.indices {
        let digit = UInt8(truncatingIfNeeded: half >> (60 - 4 * UInt64(index))) & 15
        digits[index] = digit < 10 ? 0x30 + digit : 0x57 + digit
      }
      bytes.append(contentsOf: digits)
    }
  }

  /// Name of the response header with the trace id of a failed request.
  package static let responseName = "Market-Trace"
  private static let fieldName = "traceparent"
  private static let hyphen = UInt8(ascii: "-")

  private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
    var number: UInt64 = 0
    for digit in digits {
      switch digit {
      case 0x30...0x39: number = number << 4 | UInt64(digit - 0x30)
      case 0x61...0x66: number = number << 4 | UInt64(digit - 0x57)
      default: return nil
      }
    }
    return number
  }
}

/// Generator of unique ids; they are not unpredictable.
struct TraceIDGenerator {
  private var state = UInt64.random(in: .min ... .max)
  private let process = UInt64.random(in: 1 ... .max)

  /// Returns a new id: one half identifies this generator, the other runs through all numbers
  /// (SplitMix64).
  mutating func next() -> TraceID {
    state &+= 0x9E37_79B9_7F4A_7C15
    var low = state
    low = (low ^ (low >> 30)) &* 0xBF58_476D_1CE4_E5B9
    low = (low ^ (low >> 27)) &* 0x94D0_49BB_1331_11EB
    return TraceID(high: process, low: low ^ (low >> 31))
  }
}
