internal import EditorKit
internal import MarketModel

/// A form on its way to disk and back.
extension ProductForm {
  /// What a draft keeps of this form.
  ///
  /// - Parameters:
  ///   - intent: names the draft and the registration it becomes.
  ///   - now: when it was changed.
  /// - Returns: the draft, without the password and without photos that are not ready.
  func draft(for intent: SellingIntent, now: Timestamp) -> Draft {
    let ready = photos.photos.filter(\.isReady)
    var values = values
    values.photos = ready.map(\.id)
    let (target, version): (Draft.Target, ProductVersion?) =
      switch purpose {
      case .registration: (.registration, nil)
      case .edit(let detail): (.edit(detail.id), detail.version)
      }
    return Draft(
      id: intent.draftID, target: target, key: intent.key, version: version,
      wasSent: intent.wasSent, values: values, changedFields: changedFields, focus: focus,
      carets: carets, photos: ready, changed: now)
  }

  private var carets: [ProductField: Int] {
    [
      .name: name.buffer.caret, .price: price.buffer.caret, .discount: discount.buffer.caret,
      .stock: stock.buffer.caret, .description: description.buffer.caret,
    ]
  }

  /// Puts a draft into the fields: all of them in a registration, in an edit those it changes.
  package mutating func restore(_ draft: Draft) {
    restore(purpose == .registration ? Set(ProductField.allCases) : draft.changedFields, of: draft)
    place(carets: draft.carets)
    focus(draft.focus)
  }

  /// Puts these fields of a draft into the form.
  mutating func restore(_ fields: Set<ProductField>, of draft: Draft) {
    let values = draft.values
    if fields.contains(.currency) { choose(values.currency) }
    if fields.contains(.pictures) { photos = PhotoList(draft.photos) }
    if fields.contains(.name) {
      name = LineEditor(values.name, limit: FormRules.nameLength.upperBound)
    }
    if fields.contains(.price) { price = Self.money(values.price, in: currency) }
    if fields.contains(.discount) { discount = Self.money(values.discount, in: currency) }
    if fields.contains(.stock) { stock = Self.pieces(values.stock) }
    if fields.contains(.description) {
      description = TextEditor(
        values.description, limit: FormRules.descriptionLength.upperBound)
    }
  }

  private mutating func place(carets: [ProductField: Int]) {
    if let caret = carets[.name] { name.buffer.move(to: caret) }
    if let caret = carets[.price] { price.buffer.move(to: caret) }
    if let caret = carets[.discount] { discount.buffer.move(to: caret) }
    if let caret = carets[.stock] { stock.buffer.move(to: caret) }
    if let caret = carets[.description] { description.buffer.move(to: caret) }
  }
}

extension FormPhoto {
  var isReady: Bool {
    switch content {
    case .kept, .ready: true
    case .reading, .encoding: false
    }
  }
}
