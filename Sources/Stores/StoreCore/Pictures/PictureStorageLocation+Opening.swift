import MarketModel
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
