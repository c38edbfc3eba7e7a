package import MarketModel

/// Both versions of a product that was changed by someone else while it was edited.
///
/// For each field that differs one chooses which to keep. A pure value.
package struct Conflict {
  package struct Row: Hashable, Sendable {
    package let field: ProductField
    /// Whether one's own value is kept; the other's at first where one did not touch the field.
    package internal(set) var keepsMine: Bool

    package init(field: ProductField, keepsMine: Bool) {
      self.field = field
      self.keepsMine = keepsMine
    }
  }

  package let mine: ProductForm
  package let theirs: ProductDetail
  package private(set) var rows: [Row]
  package private(set) var selected = 0

  package init(mine: ProductForm, theirs: ProductDetail) {
    self.init(mine: mine, touching: mine.changedFields, theirs: theirs)
  }

  /// Conflict of a draft with the product as it is now; nil where that is the version with which
  /// the draft began, or holds the same by now; where it was begun without being read, nothing is known
  /// of what has changed.
  package init?(draft: Draft, form: ProductForm, theirs: ProductDetail) {
    guard let version = draft.version, version != theirs.version else { return nil }
    var mine = form
    mine.restore(Set(ProductField.allCases), of: draft)
    self.init(mine: mine, touching: draft.changedFields, theirs: theirs)
    if rows.isEmpty { return nil }
  }

  private init(mine: ProductForm, touching touched: Set<ProductField>, theirs: ProductDetail) {
    self.mine = mine
    self.theirs = theirs
    let differing = mine.values.changedFields(from: FormValues(theirs))
    rows = mine.fields.filter(differing.contains).map { field in
      Row(field: field, keepsMine: touched.contains(field))
    }
  }

  /// The other version as the form's fields would hold it.
  package var theirValues: FormValues { FormValues(theirs) }

  package mutating func move(by distance: Int) {
    selected = (selected + distance).clamped(to: 0...max(0, rows.count - 1))
  }

  /// Takes the other version of the selected field.
  package mutating func toggle() {
    guard rows.indices.contains(selected) else { return }
    rows[selected].keepsMine.toggle()
  }

  /// The form over the version that is there now, with one's own values where those were chosen.
  package func resolved() -> ProductForm {
    var form = ProductForm(.edit(theirs), capabilities: mine.capabilities)
    for row in rows where row.keepsMine { form.take(row.field, from: mine) }
    form.dropped = mine.dropped
    return form
  }
}

/// The choice between both versions of a product that somebody else changed meanwhile.
package final class ConflictModel: Dialog {
  /// The form over the version that is there now.
  package let reply = Reply<ProductForm>()
  @Observed package private(set) var conflict: Conflict

  init(_ conflict: Conflict) {
    self.conflict = conflict
  }

  package func move(by distance: Int) { conflict.move(by: distance) }

  /// Takes the other version of the selected field.
  package func toggle() { conflict.toggle() }

  /// Goes on in the form with what was chosen.
  package func resolve() { reply.give(conflict.resolved()) }

  package func cancel() { reply.give(nil) }
}
