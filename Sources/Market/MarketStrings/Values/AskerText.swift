internal import MarketModel
package import SafeTextKit

/// Name of a question's asker.
package enum AskerText {
  /// Returns the name; *guest* for none.
  package static func text(_ asker: String?, _ strings: Strings) -> SafeText {
    // Leading spaces would move it under the mark of answers.
    let name = SafeText(String(Substring(asker ?? "").trimmed))
    return name.isEmpty ? strings[.questionGuest] : name
  }
}
