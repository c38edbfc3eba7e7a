internal import TextCoding

/// Synonyms of palette entries, in both languages (`Resources/palette/words.txt`).
package enum PaletteWords {
  /// Returns the synonyms by the names of entries.
  package static func read() -> [String: String] {
    let text = String(decoding: ResourceFile.bytes("palette/words.txt"), as: UTF8.self)
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    return Dictionary(
      lines.map { line in
        let parts = line.split(separator: " = ", maxSplits: 1).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
      }
    ) { first, _ in first }
  }
}
