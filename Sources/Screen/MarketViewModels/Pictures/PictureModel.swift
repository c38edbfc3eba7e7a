/// The detail's pictures over the whole window, one at a time.
package final class PictureModel: Layer {
  package let detail: DetailModel

  package init(detail: DetailModel) {
    self.detail = detail
  }
}

extension Navigator {
  /// Shows the detail's picture over the whole window, or says that there is none.
  package func enlargePicture() {
    guard !browser.detail.pictures.isEmpty else { return announce(.hint(.noPicture)) }
    stack.push(PictureModel(detail: browser.detail))
  }
}
