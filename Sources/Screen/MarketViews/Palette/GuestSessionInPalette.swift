internal import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit

/// As whom a guest over ssh sells here, in the palette; the sentence with which the program opened.
struct GuestSessionInPalette: PaletteSource {
  static let guestPermission: GuestPermission? = .looking

  static func entries(in frame: Frame, obstacle: Phrase?) -> [PaletteEntry] {
    let navigator = frame.navigator
    guard let guest = navigator.program.guest else { return [] }
    let sentence = guest.text(frame.context.strings)
    return [
      PaletteEntry(
        name: "guest-standing", words: sentence,
        otherNames: [guest.text(frame.context.otherStrings).string]
      ) { navigator.announce(.words(sentence)) }
    ]
  }
}

extension GuestSession {
  /// The sentence that says as whom the guest sells, or how one comes to sell.
  package func text(_ strings: Strings) -> SafeText {
    key.map { strings(.guestSells, $0) } ?? strings(.guestReadOnly, way)
  }
}
