/// The first bytes of a UTF-8 sequence (RFC 3629) whose rest has not arrived.
struct PartialScalar {
  enum Progress: Equatable {
    case incomplete
    case complete(Unicode.Scalar)
    /// The byte does not belong to the sequence, which is lost; the byte begins something new.
    case invalid
  }

  private var value: UInt32
  private var missing: Int
  /// Smaller values would have taken fewer bytes, which is forbidden.
  private let minimum: UInt32

  /// - Parameter first: a byte; nil comes back where it begins no sequence of two to four.
  init?(first: UInt8) {
    switch first {
    case 0xC2..<0xE0: (value, missing, minimum) = (UInt32(first & 0x1F), 1, 0x80)
    case 0xE0..<0xF0: (value, missing, minimum) = (UInt32(first & 0x0F), 2, 0x800)
    case 0xF0..<0xF5: (value, missing, minimum) = (UInt32(first & 0x07), 3, 0x1_0000)
    default: return nil
    }
  }

  mutating func append(_ byte: UInt8) -> Progress {
    guard byte & 0xC0 == 0x80 else { return .invalid }
    value = value << 6 | UInt32(byte & 0x3F)
    missing -= 1
    guard missing == 0 else { return .incomplete }
    guard value >= minimum, let scalar = Unicode.Scalar(value) else { return .invalid }
    return .complete(scalar)
  }
}
