import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SafeText

/// Guest over ssh: who it is, where from, and what is kept where.
nonisolated struct Guest: Hashable {
  /// The variable in which sshd hands over the fingerprint of the key, from the line of `guest-key`.
  static let keyVariable = "MARKET_KEY"

  /// Drafts that are kept for one guest.
  static let mostDrafts = 8
  /// Pages of 4 KB of what one guest keeps for later.
  static let mostPages = 512

  /// What sshd says of a guest.
  let caller: GuestCaller
  /// Under what the guest sells; nil for those who only look.
  var seller: SellerIdentifier?
  /// The folder of what is kept for the guest; nil where nothing is.
  var folder: String?
  /// How one comes here with a key.
  let way: String

  /// Whether the guest came without a key.
  var onlyLooks: Bool { seller == nil }

  /// The guest's tray of photos; nil where nothing is kept.
  var tray: PhotoTray? { folder.map { GuestPlace(folder: $0).tray } }
}

/// What the screen says of a guest.
extension Guest {
  var standing: GuestStanding {
    GuestStanding(key: caller.key.map { SafeText($0.text) }, way: SafeText(way))
  }

  /// The first sentence: who sells, or how one comes to.
  func welcome(_ strings: Strings) -> SafeText {
    let sentence = standing.text(strings)
    let keepsNothing = !onlyLooks && folder == nil
    return keepsNothing ? sentence + " · " + strings[.guestKeepsNothing] : sentence
  }
}
