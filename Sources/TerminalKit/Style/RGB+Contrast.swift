import Glibc

/// How light colours are, by the definitions of WCAG 2.1.
extension RGB {
  /// Relative luminance: 0 for black, 1 for white.
  var luminance: Double {
    0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
  }

  /// Whether dark text reads better on this ground than light text.
  package var isLight: Bool { contrast(with: .black) > contrast(with: .white) }

  /// The contrast ratio of the two colours, 1 to 21, whichever is the lighter.
  package func contrast(with other: RGB) -> Double {
    let lighter = max(luminance, other.luminance)
    let darker = min(luminance, other.luminance)
    return (lighter + 0.05) / (darker + 0.05)
  }

  private static func linear(_ channel: UInt8) -> Double {
    let value = Double(channel) / 255
    return value <= 0.040_45 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }
}
