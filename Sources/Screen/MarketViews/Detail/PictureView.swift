internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeText
package import TerminalKit

extension PictureModel: ViewedLayer {
  package func view(in frame: Frame) -> PictureView { PictureView(model: self, frame: frame) }
}

/// One picture of the detail over the whole window.
package struct PictureView: LayerView {
  package let model: PictureModel
  package let frame: Frame

  package static let bindings = BindingTable<PictureView>(
    [SharedBindings.back([.escape, .enter, "q", .backspace], footer: 10)]
      + SharedBindings.turningPictures(previous: 20, next: 30)
      + SharedBindings.keepingPictures(save: 40, open: 50)
      + SharedBindings.general(helpFooter: nil) + [SharedBindings.quit()])

  package var coversBody: Bool { true }

  package func draw(on canvas: inout Canvas) {
    canvas.fill(frame.body, style: .plain)
    box(model.detail.pictureIndex)?.draw(on: &canvas, from: frame.gallery, context)
    canvas.setCursor(at: frame.body.origin, isVisible: false)
  }

  /// The picture that is shown, then those that the next keys show.
  package var wants: [PictureWant] {
    let index = model.detail.pictureIndex
    return [index, index + 1, index - 1].compactMap { box($0)?.want }
  }

  package func scroll(by notches: Int) -> Bool {
    notches > 0 ? model.detail.showNextPicture() : model.detail.showPreviousPicture()
    return true
  }

  private func box(_ index: Int) -> PictureBox? {
    let pictures = model.detail.pictures
    guard pictures.indices.contains(index) else { return nil }
    return PictureBox(pictures[index], in: frame.body, fit: .whole, style: context.pictures)
  }
}
