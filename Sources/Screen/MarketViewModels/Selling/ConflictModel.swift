package import MarketModel

/// Own and current version of a product that was changed by others during an edit.
///
/// For each differing field the user chooses one. A pure value.
package struct Conflict {
  /// Field that differs between both versions.
  package struct Row: Hashable, Sendable {
    package let field: ProductField
    /// Whether the own value is kept; initially true for fields that the user has changed.
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

  /// Conflict of a draft with the current product; nil if that has the state at which the draft began, or
  /// the same values.
  ///
  /// Also nil if the draft's version is unknown.
  package init?(draft: Draft, form: ProductForm, theirs: ProductDetail) {
    guard let version = draft.version, version.state != theirs.version?.state else { return nil }
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

  /// Values of the current version.
  package var theirValues: FormValues { FormValues(theirs) }

  package mutating func move(by distance: Int) {
    selected = (selected + distance).clamped(to: 0...max(0, rows.count - 1))
  }

  /// Switches the selected field between both versions.
  package mutating func toggle() {
    guard rows.indices.contains(selected) else { return }
    rows[selected].keepsMine.toggle()
  }

  /// Form of an edit of the current version, with the own values that were chosen.
  package func resolved() -> ProductForm {
    var form = ProductForm(.edit(theirs), capabilities: mine.capabilities)
    for row in rows where row.keepsMine { form.copy(row.field, from: mine) }
    form.dropped = mine.dropped
    return form
  }
}

/// Dialog for the choice between both versions of a product.
package final class ConflictModel: Dialog {
  /// Answers the form of an edit of the current version.
  package let reply = Reply<ProductForm>()
  @Observed package private(set) var conflict: Conflict

  init(_ conflict: Conflict) {
    self.conflict = conflict
  }

  package func move(by distance: Int) { conflict.move(by: distance) }

  /// Switches the selected field between both versions.
  package func toggle() { conflict.toggle() }

  /// Answers with the chosen values.
  package func resolve() { reply.give(conflict.resolved()) }

  package func cancel() { reply.give(nil) }
}
