internal import SafeText

extension Character {
  /// What a field shows for the character: a line break and a tab as a space.
  var shown: SafeText { SafeText(String(self)) }

  /// True for what cannot be typed: it acts on a terminal, or shows nothing.
  var isUnfit: Bool {
    unicodeScalars.contains { $0.properties.generalCategory == .control } || shown.isEmpty
  }
}
