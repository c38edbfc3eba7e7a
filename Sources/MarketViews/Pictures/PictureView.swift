internal import MarketModel
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// One picture of the detail over the whole window.
struct PictureView {
  let detail: DetailModel
  let rect: CellRect
  let context: RenderContext

  func draw(on canvas: inout Canvas, gallery: PictureGallery) {
    canvas.fill(rect, style: .plain)
    box(detail.pictureIndex)?.draw(on: &canvas, from: gallery, context)
    canvas.setCursor(at: rect.origin, isVisible: false)
  }

  /// The picture that is shown, then those that the next keys show.
  var wants: [PictureWant] {
    let index = detail.pictureIndex
    return [index, index + 1, index - 1].compactMap { box($0)?.want }
  }

  private func box(_ index: Int) -> PictureBox? {
    guard detail.pictures.indices.contains(index) else { return nil }
    return PictureBox(detail.pictures[index], in: rect, fit: .whole, style: context.pictures)
  }
}
