import MarketClient
import MarketModel
import StoreCore
import TextCoding

extension PicturePlace {
  /// The pictures there; throws `.store` where the keys of a bucket are missing.
  func pictures(
    _ measures: Measures = Measures()
  ) throws(RepositoryError) -> OutsidePictures {
    switch self {
    case .folder(let path): return OutsidePictures(FolderStorage(at: path), measures: measures)
    case .bucket(let address):
      do throws(BucketKeys.Mistake) {
        return OutsidePictures(
          BucketStorage(at: address, with: try BucketKeys.read(), over: CurlTransport()) {
            Hexadecimal.text(of: ContentHash.sha256($0))
          },
          measures: measures)
      } catch {
        throw .store(.cannotOpen(error.description))
      }
    }
  }
}
