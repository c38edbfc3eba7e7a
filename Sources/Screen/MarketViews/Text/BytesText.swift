internal import SafeText

/// Sizes of files as people read them: 4.2 MB, 281 KB.
enum BytesText {
  static func text(_ count: Int) -> SafeText {
    switch count {
    case ..<1_000: SafeText(count) + " B"
    case ..<1_000_000: SafeText((count + 500) / 1_000) + " KB"
    default: SafeText(count / 1_000_000) + "." + SafeText(count / 100_000 % 10) + " MB"
    }
  }
}
