internal import MarketModel

/// An edit that was made: the product before and after it, and what it takes to go back.
package struct FinishedEdit: Sendable {
  let before: ProductDetail
  let after: ProductDetail
  let capabilities: RepositoryCapabilities
  /// The files of photos that were removed, as far as they could be read before.
  private(set) var removed: [FormPhoto.ID: [UInt8]]

  init(
    before: ProductDetail, after: ProductDetail, capabilities: RepositoryCapabilities,
    removed: [FormPhoto.ID: [UInt8]]
  ) {
    self.before = before
    self.after = after
    self.capabilities = capabilities
    self.removed = removed
  }

  /// What the photos take in memory.
  var photoBytes: Int { removed.values.reduce(0) { $0 + $1.count } }

  /// Lets go of the photos, which cannot be brought back then.
  mutating func forgetPhotos() { removed = [:] }

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

  /// What going back changes.
  var undoneChanges: FieldChanges {
    let now = FormValues(after)
    var then = FormValues(before)
    then.photos = oldPhotos?.map(\.id) ?? now.photos
    return FieldChanges(from: now, to: then)
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

/// The edits of this run that can be taken back, the latest last.
///
/// Only so many are remembered, and only so much of the photos that they removed, those of the latest
/// edits first: the rest of an older edit can be taken back without them.
package struct FinishedEdits: Sendable {
  private static let longest = 100
  private static let mostPhotoBytes = 16 << 20

  private var edits: [FinishedEdit] = []

  package init() {}

  package var isEmpty: Bool { edits.isEmpty }
  package var count: Int { edits.count }
  var last: FinishedEdit? { edits.last }
  /// What all photos take in memory.
  var photoBytes: Int { edits.reduce(0) { $0 + $1.photoBytes } }

  mutating func append(_ edit: FinishedEdit) {
    edits.append(edit)
    edits.removeFirst(max(0, edits.count - Self.longest))
    var left = Self.mostPhotoBytes
    for index in edits.indices.reversed() {
      left -= edits[index].photoBytes
      if left < 0 { edits[index].forgetPhotos() }
    }
  }

  mutating func removeLast() { _ = edits.popLast() }

  mutating func removeAll(of product: Product.ID) { edits.removeAll { $0.after.id == product } }
}
