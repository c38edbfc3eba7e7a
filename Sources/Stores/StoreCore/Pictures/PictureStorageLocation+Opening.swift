import Glibc
import MarketModel
import Posix
import TextCoding

extension PictureStorageLocation {
  /// Makes the storage of a bucket; the closure it is given returns the SHA-256 of a body in hexadecimal,
  /// which signs the body.
  package typealias BucketMaker = (
    BucketAddress, BucketKeys, @escaping @Sendable ([UInt8]) -> String
  ) -> any PictureStorage

  /// Opens the storage; `isRedirecting` lets clients download from a bucket's own URLs.
  /// - Throws: `.store(.cannotOpen)` where the keys of a bucket cannot be read, with the reason.
  package func pictures(
    _ registry: MetricsRegistry = MetricsRegistry(), redirecting isRedirecting: Bool = false,
    bucket makeBucket: BucketMaker
  ) throws(RepositoryError) -> ExternalPictures {
    switch self {
    case .folder(let path): return ExternalPictures(FolderStorage(at: path), registry: registry)
    case .bucket(let address):
      do throws(BucketKeys.Mistake) {
        let keys = try BucketKeys.read()
        let storage = makeBucket(address, keys) { Hexadecimal.text(of: ContentHash.sha256($0)) }
        return ExternalPictures(
          storage, registry: registry,
          signer: isRedirecting ? BucketSigner(of: address, with: keys) : nil)
      } catch {
        throw .store(.cannotOpen(error.description))
      }
    }
  }
}

/// Reading of a bucket's keys from the environment or from a file that only its owner can read.
extension BucketKeys {
  /// Environment variable with the path of the key file.
  package static let fileVariable = "MARKET_PICTURES_KEYS"

  private static let fileLimit = 4_096

  /// Reason why no keys could be read.
  package enum Mistake: Error, Hashable, Sendable {
    case missing
    /// The file cannot be read: the reason.
    case unreadable(String)
    /// The file's mode lets other users read it.
    case open
    /// The file does not hold two words, or three with a session token.
    case misshapen
  }

  /// The keys in the file that `MARKET_PICTURES_KEYS` names, else those in the AWS variables of the
  /// environment.
  /// - Throws: `.missing` where neither is set; `.unreadable`, `.open` or `.misshapen` for the file.
  package static func read(
    environment: (String) -> String? = Environment.value
  ) throws(Mistake) -> BucketKeys {
    if let path = environment(fileVariable) { return try read(from: path) }
    guard let access = environment("AWS_ACCESS_KEY_ID"),
      let secret = environment("AWS_SECRET_ACCESS_KEY")
    else { throw .missing }
    return BucketKeys(access: access, secret: secret, token: environment("AWS_SESSION_TOKEN"))
  }

  private static func read(from path: String) throws(Mistake) -> BucketKeys {
    let content: [UInt8]?
    do throws(SystemError) {
      content = try PrivateFile.read(path, limit: fileLimit) { $0 & 0o077 == 0 }
    } catch {
      throw .unreadable(error.description)
    }
    guard let bytes = content else { throw .open }
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .map(String.init)
    guard (2...3).contains(words.count) else { throw .misshapen }
    return BucketKeys(
      access: words[0], secret: words[1], token: words.count > 2 ? words[2] : nil)
  }
}

extension BucketKeys.Mistake: CustomStringConvertible {
  /// The mistake as a clause, for the log and for the operator's terminal.
  package var description: String {
    switch self {
    case .missing:
      "no keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or MARKET_PICTURES_KEYS"
    case .unreadable(let reason): "the file of the keys cannot be read: \(reason)"
    case .open: "others can read the file of the keys; restrict it: chmod 600"
    case .misshapen: "the file of the keys must hold the access key and the secret key"
    }
  }
}
