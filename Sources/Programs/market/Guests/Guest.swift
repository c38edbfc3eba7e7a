import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SafeTextKit

/// Guest over ssh, with the paths of the guest's data.
nonisolated struct Guest: Hashable {
  /// Environment variable with the fingerprint of the key, set by sshd from the line of `guest-key`.
  static let keyVariable = "MARKET_KEY"

  /// Maximum number of drafts of one guest; further ones are not saved.
  static let maxDrafts = 8
  /// Maximum size of one guest's personal file in pages of 4 KiB.
  static let maxPages = 512

  /// Connection data from sshd.
  let caller: SSHClientInfo
  /// Identifier of the guest as a seller; nil for guests without a key.
  var seller: SellerIdentifier?
  /// Folder of the guest's data; nil if nothing is saved.
  var folder: String?
  /// Counter of questions and answers from the guest's address; nil for guests without a key.
  var sentQuestions: GuestCounter?
  /// ssh destination for guests with a key.
  let sshArguments: String

  /// Process for a HEIC photo, started before this one was sealed; nil for commands without a photo.
  var photoDecoder: PhotoDecodingProcess?

  var onlyLooks: Bool { seller == nil }

  /// Inbox of the guest's photos; nil if nothing is saved.
  var photoInbox: GuestPhotoInbox? { folder.map { GuestFolder(folder: $0).photoInbox } }
}

/// Texts about a guest on the screen.
extension Guest {
  var standing: GuestSession {
    GuestSession(key: caller.key.map { SafeText($0.text) }, sshArguments: SafeText(sshArguments))
  }

  /// Greeting: the guest's key, or how to come with one; and that nothing is saved, if so.
  func greeting(_ strings: Strings) -> SafeText {
    let sentence = standing.text(strings)
    let cannotSave = !onlyLooks && folder == nil
    return cannotSave ? sentence + " · " + strings[.guestSavesNothing] : sentence
  }
}
