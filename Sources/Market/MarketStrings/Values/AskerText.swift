internal import MarketModel
package import SafeTextKit

/// Name of who asked, as questions show it.
package enum AskerText {
  /// The name; *guest* where there is none.
  package static func text(_ asker: String?, _ strings: Strings) -> SafeText {
    // Blanks before it would have it stand where an answer's mark does.
    let name = SafeText(String(Substring(asker ?? "").trimmed))
    return name.isEmpty ? strings[.questionGuest] : name
  }
}
