internal import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit

/// Palette entry of a guest's session over ssh; repeats the sentence shown at the start.
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
  /// Returns the sentence on the identity under which the guest sells, or on how to get one.
  package func text(_ strings: Strings) -> SafeText {
    key.map { strings(.guestSells, $0) } ?? strings(.guestReadOnly, sshArguments)
  }
}
