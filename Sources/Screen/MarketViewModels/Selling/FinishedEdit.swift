internal import MarketModel

/// Successful edit: the product before and after it, from which it can be undone.
package struct FinishedEdit: Sendable {
  let before: ProductDetail
  let after: ProductDetail
  let capabilities: RepositoryCapabilities
  /// Files of removed photos, as far as they could be read before the edit.
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

  /// Size of the removed photos, in bytes.
  var photoBytes: Int { removed.values.reduce(0) { $0 + $1.count } }

  /// Releases the removed photos, which cannot be restored then.
  mutating func forgetPhotos() { removed = [:] }

  /// Form of the product with the old values; photos only if all of them can be restored.
  var undoingForm: ProductForm {
    var form = ProductForm(.edit(after), capabilities: capabilities)
    var old = ProductForm(.edit(before), capabilities: capabilities)
    let photos = oldPhotos
    if let photos { old.editPhotos { $0 = PhotoList(photos) } }
    for field in form.fields where field != .pictures || photos != nil {
      form.copy(field, from: old)
    }
    return form
  }

  /// Changes of the undo.
  var undoneChanges: FieldChanges {
    let now = FormValues(after)
    var then = FormValues(before)
    then.photos = oldPhotos ?? now.photos
    return FieldChanges(from: now, to: then)
  }

  /// Whether removed photos cannot be restored.
  var losesPhotos: Bool { oldPhotos == nil }

  /// Old photos, the removed ones as files; nil if a removed photo is missing.
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

/// Successful products of a bulk edit.
struct FinishedBulkEdit: Sendable {
  /// Number of the bulk edit, by which its products are recognized.
  let run: Int
  private(set) var products: [ListedProduct] = []
  /// Texts that restore each product's old values.
  private(set) var texts: [Product.ID: [ProductField: String]] = [:]

  init(run: Int) {
    self.run = run
  }

  mutating func add(_ product: ListedProduct, _ texts: [ProductField: String]) {
    // Texts of a repeated attempt would not be those before the first one.
    guard self.texts[product.id] == nil else { return }
    products.append(product)
    self.texts[product.id] = texts
  }

  mutating func remove(_ product: Product.ID) {
    products.removeAll { $0.id == product }
    texts[product] = nil
  }
}

/// Edits of this run that can be undone, oldest first; a bulk edit is one.
///
/// The last undo can be redone until something else is changed.
///
/// The number of edits, of their products, and the bytes of removed photos are limited. Beyond the
/// bytes the oldest photos are dropped: the other fields of those edits can still be undone.
package struct FinishedEdits: Sendable {
  private enum Change: Sendable {
    case one(FinishedEdit)
    case several(FinishedBulkEdit)

    var edit: FinishedEdit? { if case .one(let edit) = self { edit } else { nil } }
    var several: FinishedBulkEdit? { if case .several(let several) = self { several } else { nil } }
    var productCount: Int { several?.products.count ?? 1 }
  }

  /// Maximum number of edits; beyond it the oldest are dropped.
  private static let longest = 100
  /// Maximum number of products in all edits; beyond it the oldest edits are dropped.
  private static let maxProducts = 2_000
  /// Maximum bytes of removed photos; beyond it the photos of the oldest edits are dropped.
  private static let maxPhotoBytes = 16 << 20

  private var changes: [Change] = []
  /// The last undo, which can be redone; nil if there is none.
  private var undone: Change?

  package init() {}

  package var isEmpty: Bool { changes.isEmpty }
  package var canRedo: Bool { undone != nil }
  package var count: Int { changes.count }
  /// The latest edit; nil if that is a bulk edit.
  var last: FinishedEdit? { changes.last?.edit }
  /// The latest edit if it is a bulk edit; else nil.
  var lastOfSeveral: FinishedBulkEdit? { changes.last?.several }
  /// The last undo of an edit; nil if it was one of a bulk edit.
  var lastUndo: FinishedEdit? { undone?.edit }
  var lastUndoOfSeveral: FinishedBulkEdit? { undone?.several }
  /// Size of all removed photos, in bytes.
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

  /// Records the undo of the latest edit.
  mutating func didUndo(by edit: FinishedEdit) {
    _ = changes.popLast()
    undone = .one(edit)
  }

  /// Records the undo of one product of a bulk edit; `texts` redo it.
  mutating func didUndo(
    _ product: ListedProduct, ofRun run: Int, texts: [ProductField: String], in undoRun: Int
  ) {
    remove(product.id, ofRun: run)
    var several = FinishedBulkEdit(run: undoRun)
    if let lastUndoOfSeveral, lastUndoOfSeveral.run == undoRun { several = lastUndoOfSeveral }
    several.add(product, texts)
    undone = .several(several)
  }

  /// Adds a product to the bulk edit `run`; with `isRedo` the redo of the others stays possible.
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

  /// Removes a product from a bulk edit, which is removed with its last one.
  mutating func remove(_ product: Product.ID, ofRun run: Int) {
    changes = changes.compactMap { change in
      change.several?.run == run ? Self.removing(product, from: change) : change
    }
  }

  mutating func removeAll(of product: Product.ID) {
    changes = changes.compactMap { Self.removing(product, from: $0) }
    undone = undone.flatMap { Self.removing(product, from: $0) }
  }

  /// The change without a product; nil if nothing is left.
  private static func removing(_ product: Product.ID, from change: Change) -> Change? {
    switch change {
    case .one(let edit): return edit.after.id == product ? nil : change
    case .several(var several):
      several.remove(product)
      return several.products.isEmpty ? nil : .several(several)
    }
  }
}
