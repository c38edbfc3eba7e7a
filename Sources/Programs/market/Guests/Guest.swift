import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SafeTextKit

/// Guest over ssh: who it is, where from, and what is kept where.
nonisolated struct Guest: Hashable {
  /// The variable in which sshd hands over the fingerprint of the key, from the line of `guest-key`.
  static let keyVariable = "MARKET_KEY"

  /// Drafts that are kept for one guest.
  static let maxDrafts = 8
  /// Pages of 4 KB of what one guest keeps for later.
  static let maxPages = 512

  /// What sshd says of a guest.
  let caller: SSHClientInfo
  /// Under what the guest sells; nil for those who only look.
  var seller: SellerIdentifier?
  /// The folder of what is kept for the guest; nil where nothing is.
  var folder: String?
  /// Count of the questions and answers from the guest's address; nil for those who only look.
  var sentQuestions: GuestCounter?
  /// How one comes here with a key.
  let way: String

  /// Whether the guest came without a key.
  var onlyLooks: Bool { seller == nil }

  /// The guest's tray of photos; nil where nothing is kept.
  var photoInbox: GuestPhotoInbox? { folder.map { GuestFolder(folder: $0).photoInbox } }
}

/// What the screen says of a guest.
extension Guest {
  var standing: GuestSession {
    GuestSession(key: caller.key.map { SafeText($0.text) }, way: SafeText(way))
  }

  /// The first sentence: who sells, or how one comes to.
  func greeting(_ strings: Strings) -> SafeText {
    let sentence = standing.text(strings)
    let cannotSave = !onlyLooks && folder == nil
    return cannotSave ? sentence + " · " + strings[.guestSavesNothing] : sentence
  }
}
