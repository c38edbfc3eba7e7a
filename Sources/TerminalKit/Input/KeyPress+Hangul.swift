extension KeyPress {
  /// The shortcut keys that this key stands for outside text fields: itself, or what the same keys
  /// type in the Latin layout where the keyboard is in Hangul mode.
  package var shortcuts: [KeyPress] {
    guard case .character(let character) = key else { return [self] }
    let latin = HangulLayout.latinKeys(for: character)
    return latin.isEmpty ? [self] : latin.map { KeyPress(.character($0), modifiers) }
  }
}
