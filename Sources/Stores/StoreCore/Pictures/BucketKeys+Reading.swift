import Glibc
import MarketModel
import Posix

/// Reading of keys, which stand in the environment or in a file for its owner's eyes alone.
extension BucketKeys {
  /// Variable that names the file.
  package static let fileVariable = "MARKET_PICTURES_KEYS"

  private static let fileLimit = 4_096

  /// Mistake in how the keys are given.
  package enum Mistake: Error, Hashable, Sendable {
    case missing
    /// The file cannot be read: the reason.
    case unreadable(String)
    /// Others may read the file.
    case open
    /// The file does not hold two words, or three with a token.
    case misshapen
  }

  /// The keys of the file that the environment names, else those in the environment itself, where all
  /// programs for such storages look for them.
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
  /// The mistake in a sentence's part, as the log and whoever starts a server read it.
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
