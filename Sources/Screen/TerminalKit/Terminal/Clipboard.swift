internal import SafeText
internal import TextCoding

/// Clipboard of the terminal (OSC 52 of xterm's ctlseqs), which also works where the program runs
/// on another machine; nobody answers whether the terminal allows it.
enum Clipboard {
  /// Columns of a text at most; some terminals drop commands that are much longer.
  private static let longest = 2_000

  /// The command that puts a text on the clipboard.
  static func taking(_ text: SafeText, _ wrapper: Passthrough) -> [UInt8] {
    let encoded = Base64.encode(Array(text.truncated(toColumns: longest).string.utf8))
    var bytes: [UInt8] = []
    wrapper.append(Array("\u{1B}]52;c;".utf8) + encoded + Array("\u{1B}\\".utf8), to: &bytes)
    return bytes
  }
}
