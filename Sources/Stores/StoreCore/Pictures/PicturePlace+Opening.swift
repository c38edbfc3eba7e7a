import MarketModel
import TextCoding

extension PicturePlace {
  /// Makes the storage of a bucket; the last is what content is signed by: its SHA-256 in hexadecimal
  /// digits.
  package typealias BucketMaker = (
    BucketAddress, BucketKeys, @escaping @Sendable ([UInt8]) -> String
  ) -> any PictureStorage

  /// The pictures there; throws `.store` where the keys of a bucket are missing.
  package func pictures(
    _ measures: Measures = Measures(), bucket makeBucket: BucketMaker
  ) throws(RepositoryError) -> OutsidePictures {
    switch self {
    case .folder(let path): return OutsidePictures(FolderStorage(at: path), measures: measures)
    case .bucket(let address):
      do throws(BucketKeys.Mistake) {
        let storage = makeBucket(address, try BucketKeys.read()) {
          Hexadecimal.text(of: ContentHash.sha256($0))
        }
        return OutsidePictures(storage, measures: measures)
      } catch {
        throw .store(.cannotOpen(error.description))
      }
    }
  }
}
