import MarketModel

/// What a saved picture is called: a base name alone, after its product.
nonisolated struct PictureFileName: Hashable {
  private let base: String
  private let suffix: String

  /// Bytes of the name, which leave room for a number and stay below the limit of file systems.
  private static let longest = 120

  /// - Parameters:
  ///   - text: foreign text; what could lead out of a folder, hide the file or pass for an option is
  ///     left out.
  ///   - format: the picture's format, which its bytes tell.
  init(_ text: String, format: PictureFormat) {
    var base = ""
    for character in text {
      let isPlain = character.isLetter || character.isNumber
      let next = isPlain ? character : "-"
      if next == "-", base.isEmpty || base.last == "-" { continue }
      guard base.utf8.count + String(next).utf8.count <= Self.longest else { break }
      base.append(next)
    }
    while base.last == "-" { base.removeLast() }
    self.base = base.isEmpty ? "picture" : base
    suffix =
      switch format {
      case .jpeg: ".jpg"
      case .png: ".png"
      case .webp: ".webp"
      case .gif: ".gif"
      }
  }

  /// The name, or the same with a number where that one is taken; counted from 1.
  func attempt(_ number: Int) -> String {
    number == 1 ? base + suffix : "\(base)-\(number)\(suffix)"
  }
}
