internal import MarketModel

/// An edit that was made: the product before and after it, and what it takes to go back.
package struct FinishedEdit: Sendable {
  let before: ProductDetail
  let after: ProductDetail
  let capabilities: RepositoryCapabilities
  /// The files of photos that were removed, as far as they could be read before.
  let removed: [FormPhoto.ID: [UInt8]]

  /// The change that sends the old values back; photos only if all of them can be sent.
  func undoing() -> ProductPatch {
    var form = ProductForm(.edit(after), capabilities: capabilities)
    var old = ProductForm(.edit(before), capabilities: capabilities)
    let photos = oldPhotos
    if let photos { old.editPhotos { $0 = PhotoList(photos) } }
    for field in form.fields where field != .pictures || photos != nil {
      form.take(field, from: old)
    }
    return form.patch()
  }

  /// Whether photos were removed that cannot be brought back.
  var losesPhotos: Bool { oldPhotos == nil }

  /// The photos from before, those that were removed as files; nil where one of them is gone.
  private var oldPhotos: [FormPhoto]? {
    let kept = Dictionary(
      after.pictures.map { (FormPhoto.ID(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
    var photos: [FormPhoto] = []
    for id in before.pictures.map(FormPhoto.ID.init(of:)) {
      if let picture = kept[id] {
        photos.append(FormPhoto(kept: picture))
      } else if let bytes = removed[id] {
        let prepared = PreparedPhoto(bytes: bytes, fileBytes: bytes.count)
        photos.append(FormPhoto(id: id, name: "", content: .ready(prepared)))
      } else {
        return nil
      }
    }
    return photos
  }
}
