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

  /// The form of the product with the old values in it, photos only if all of them can be sent.
  var undoingForm: ProductForm {
    var form = ProductForm(.edit(after), capabilities: capabilities)
    var old = ProductForm(.edit(before), capabilities: capabilities)
    let photos = oldPhotos
    if let photos { old.editPhotos { $0 = PhotoList(photos) } }
    for field in form.fields where field != .pictures || photos != nil {
      form.take(field, from: old)
    }
    return form
  }

  /// What going back changes.
  var undoneChanges: FieldChanges {
    let now = FormValues(after)
    var then = FormValues(before)
    then.photos = oldPhotos ?? now.photos
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

/// A change of several products that was made, as far as it came through.
struct FinishedBulkEdit: Sendable {
  /// Tells it from the others.
  let run: Int
  private(set) var products: [ListedProduct] = []
  /// What gives each of them back what it was.
  private(set) var texts: [Product.ID: [ProductField: String]] = [:]

  init(run: Int) {
    self.run = run
  }

  mutating func add(_ product: ListedProduct, _ texts: [ProductField: String]) {
    // What was tried again was this before the first time.
    guard self.texts[product.id] == nil else { return }
    products.append(product)
    self.texts[product.id] = texts
  }

  mutating func remove(_ product: Product.ID) {
    products.removeAll { $0.id == product }
    texts[product] = nil
  }
}

/// The edits of this run that can be taken back, the latest last; a change of several products is one.
///
/// What was taken back last can be made again, until something else is changed.
///
/// Only so many are remembered, and only so much of the photos that they removed, those of the latest
/// edits first: the rest of an older edit can be taken back without them.
package struct FinishedEdits: Sendable {
  private enum Change: Sendable {
    case one(FinishedEdit)
    case several(FinishedBulkEdit)

    var edit: FinishedEdit? { if case .one(let edit) = self { edit } else { nil } }
    var several: FinishedBulkEdit? { if case .several(let several) = self { several } else { nil } }
    var productCount: Int { several?.products.count ?? 1 }
  }

  private static let longest = 100
  /// Products in all changes together.
  private static let maxProducts = 2_000
  private static let maxPhotoBytes = 16 << 20

  private var changes: [Change] = []
  /// What took the latest change back, and can be taken back itself; nil where nothing did.
  private var undone: Change?

  package init() {}

  package var isEmpty: Bool { changes.isEmpty }
  package var canRedo: Bool { undone != nil }
  package var count: Int { changes.count }
  /// The latest change where that is one product's edit.
  var last: FinishedEdit? { changes.last?.edit }
  /// The latest change where that is one of several products.
  var lastOfSeveral: FinishedBulkEdit? { changes.last?.several }
  /// What took an edit back last, or a change of several products.
  var lastUndo: FinishedEdit? { undone?.edit }
  var lastUndoOfSeveral: FinishedBulkEdit? { undone?.several }
  /// What all photos take in memory.
  var photoBytes: Int { changes.reduce(0) { $0 + ($1.edit?.photoBytes ?? 0) } }

  mutating func append(_ edit: FinishedEdit) {
    undone = nil
    changes.append(.one(edit))
    bound()
    var left = Self.maxPhotoBytes
    for index in changes.indices.reversed() {
      guard var edit = changes[index].edit else { continue }
      left -= edit.photoBytes
      guard left < 0 else { continue }
      edit.forgetPhotos()
      changes[index] = .one(edit)
    }
  }

  /// Learns what took the latest edit back.
  mutating func didUndo(by edit: FinishedEdit) {
    _ = changes.popLast()
    undone = .one(edit)
  }

  /// Takes a product out of a change of several that was taken back, which can be made again by the
  /// texts.
  mutating func didUndo(
    _ product: ListedProduct, ofRun run: Int, texts: [ProductField: String], in undoRun: Int
  ) {
    remove(product.id, ofRun: run)
    var several = FinishedBulkEdit(run: undoRun)
    if let lastUndoOfSeveral, lastUndoOfSeveral.run == undoRun { several = lastUndoOfSeveral }
    several.add(product, texts)
    undone = .several(several)
  }

  /// Adds a product to the change of several that it is a part of; one that `isRedo` is no new one.
  mutating func append(
    _ product: ListedProduct, texts: [ProductField: String], ofRun run: Int, isRedo: Bool = false
  ) {
    undone = isRedo ? undone.flatMap { Self.removing(product.id, from: $0) } : nil
    var several = FinishedBulkEdit(run: run)
    if let last = lastOfSeveral, last.run == run {
      several = last
      changes.removeLast()
    }
    several.add(product, texts)
    changes.append(.several(several))
    bound()
  }

  private mutating func bound() {
    changes.removeFirst(max(0, changes.count - Self.longest))
    var count = changes.reduce(0) { $0 + $1.productCount }
    while count > Self.maxProducts, changes.count > 1 {
      count -= changes.removeFirst().productCount
    }
  }

  /// Takes a product out of a change of several, which goes with the last one.
  mutating func remove(_ product: Product.ID, ofRun run: Int) {
    changes = changes.compactMap { change in
      change.several?.run == run ? Self.removing(product, from: change) : change
    }
  }

  mutating func removeAll(of product: Product.ID) {
    changes = changes.compactMap { Self.removing(product, from: $0) }
    undone = undone.flatMap { Self.removing(product, from: $0) }
  }

  /// A change without a product; nil where nothing is left of it.
  private static func removing(_ product: Product.ID, from change: Change) -> Change? {
    switch change {
    case .one(let edit): return edit.after.id == product ? nil : change
    case .several(var several):
      several.remove(product)
      return several.products.isEmpty ? nil : .several(several)
    }
  }
}
