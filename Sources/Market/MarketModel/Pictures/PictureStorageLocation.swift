/// Place outside of a market's database where files of pictures are, as an operator names it.
package enum PictureStorageLocation: Hashable, Sendable {
  /// The path of a folder.
  case folder(String)
  case bucket(BucketAddress)

  /// Variable of the environment that names it for every program.
  package static let variable = "MARKET_PICTURES"

  /// Takes a word of a command line; nil for what names no place.
  package init?(_ word: String) {
    if let address = BucketAddress(word) {
      self = .bucket(address)
    } else if !word.isEmpty, !word.contains("://") {
      self = .folder(word)
    } else {
      return nil
    }
  }

  /// The word that names it; it holds no secret.
  package var word: String {
    switch self {
    case .folder(let path): path
    case .bucket(let address): address.text
    }
  }
}
