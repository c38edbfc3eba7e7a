internal import MarketModel

/// Pictures: how they are shown, the one over the whole window, and what is done with it.
extension Navigator {
  package func openPictureMenu() {
    layers.append(.pictureMenu(PictureMenuModel(chosen: pictureMode)))
  }

  /// Shows the detail's picture over the whole window, or says that there is none.
  package func enlargePicture() {
    guard !browser.detail.pictures.isEmpty else { return announce(.hint(.noPicture)) }
    layers.append(.picture)
  }

  /// Saves the detail's picture or opens it elsewhere.
  package func keepPicture(_ verb: PictureErrand.Verb) {
    let detail = browser.detail
    guard let product = detail.product, detail.pictures.indices.contains(detail.pictureIndex) else {
      return announce(.hint(.noPicture))
    }
    didWantPicture(
      PictureErrand(
        verb: verb, picture: detail.pictures[detail.pictureIndex], name: product.name))
  }
}
