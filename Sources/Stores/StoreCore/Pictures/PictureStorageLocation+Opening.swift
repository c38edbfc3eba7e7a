import MarketModel
import TextCoding

extension PictureStorageLocation {
  /// Makes the storage of a bucket; the last is what content is signed by: its SHA-256 in hexadecimal
  /// digits.
  package typealias BucketMaker = (
    BucketAddress, BucketKeys, @escaping @Sendable ([UInt8]) -> String
  ) -> any PictureStorage

  /// The pictures there, of which clients are told a bucket's own addresses where that is wished;
  /// throws `.store` where the keys of a bucket are missing.
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
