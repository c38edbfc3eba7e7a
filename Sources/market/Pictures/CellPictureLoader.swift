import MarketModel
import MarketViewModels
import MarketViews
import PictureKit
import TerminalKit

/// Makes pictures ready as cells: reads the file, decodes it to the size of its cells, and finds the
/// block characters; all of it away from the main queue.
nonisolated struct CellPictureLoader: PictureLoader {
  let source: any PictureSource
  let decoder: PictureDecodingQueue
  let symbols: PictureSymbols

  func load(_ want: PictureWant) async throws(PictureError) -> any DrawablePicture {
    let bytes = try await source.bytes(of: want.picture, want.rendition)
    let bitmap = try await decoder.decode(
      bytes, into: want.box, want.fit == .cover ? .fill : .fit)
    return PictureTile(art: art(of: bitmap))
  }

  private func art(of bitmap: Bitmap) -> PictureArt {
    let cell = symbols.pixelsPerCell
    let size = CellSize(
      columns: (bitmap.size.width + cell.width - 1) / cell.width,
      rows: (bitmap.size.height + cell.height - 1) / cell.height)
    return PictureArt(
      pixels: bitmap.pixels, width: bitmap.size.width, height: bitmap.size.height, size: size,
      symbols: symbols)
  }
}
