import MarketModel
import MarketViewModels

/// Pictures of which none can be had.
package struct NoPictures: PictureLoader {
  package init() {}

  package func load(
    _ want: PictureWant
  ) async throws(PictureError) -> any DrawablePicture { throw .missing }
}
