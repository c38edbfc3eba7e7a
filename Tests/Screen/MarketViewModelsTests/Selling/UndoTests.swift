import EditorKit
import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// Edits that are taken back.
struct UndoTests {
  private let stage = SellingStage()

  @Test func `an edit is taken back by its old values`() async throws {
    let seller = try await stage.editing()
    seller.edit { $0.write("!", in: .name) }
    let after = ProductDetail.sample(
      of: .sample(id: 7, name: "Bicycle!"), version: ProductVersion(rawValue: "2"))
    try await stage.send(seller, becoming: after)

    seller.selling.undo()
    let undo = try await stage.confirmUndo(seller)

    expect(undo.request.patch, ProductPatch(name: "Bicycle"))
    expect(undo.request.expected, ProductVersion(rawValue: "2"))
    undo.answer(.sample())
    await until { seller.selling.edits.isEmpty }
  }

  @Test func `what was taken back can be made again, and that be taken back`() async throws {
    let seller = try await stage.editing()
    seller.edit { $0.write("!", in: .name) }
    let version = { ProductVersion(rawValue: $0) }
    let after = ProductDetail.sample(
      of: .sample(id: 7, name: "Bicycle!"), version: version("2"))
    try await stage.send(seller, becoming: after)
    #expect(!seller.selling.canRedo)
    seller.selling.undo()
    try await stage.confirmUndo(seller).answer(
      .sample(of: stage.product.product, version: version("3")))
    await until { !seller.isActive }
    #expect(!seller.selling.hasEdits && seller.notices.last?.commands == ["redo-edit"])
    guard case .takenBack(_, let changes, false) = seller.notices.last else {
      Issue.record("it is not said what was taken back")
      return
    }
    expect(changes.fields, [.name])
    expect([changes.before.name, changes.after.name], ["Bicycle!", "Bicycle"])

    seller.selling.redo()
    let redo = try await stage.confirmUndo(seller)
    redo.answer(.sample(of: after.product, version: version("4")))
    await until { !seller.isActive }

    expect(redo.request.patch, ProductPatch(name: "Bicycle!"))
    expect(redo.request.expected, version("3"))
    #expect(seller.selling.hasEdits && !seller.selling.canRedo)
    expect(seller.notices.last?.commands, ["undo-edit"])
  }

  @Test func `nothing can be made again once something else was changed, or the product is gone`()
    async
  {
    var edits = FinishedEdits()
    let edit = FinishedEdit(
      before: .sample(of: stage.product.product), after: .sample(of: stage.product.product),
      capabilities: .full, removed: [:])
    edits.append(edit)
    edits.didUndo(by: edit)
    #expect(edits.canRedo && edits.isEmpty)
    edits.append(edit)
    #expect(!edits.canRedo)
    edits.didUndo(by: edit)

    edits.removeAll(of: stage.product.id)

    #expect(!edits.canRedo)
    let seller = stage.makeSeller()
    seller.selling.redo()
    expect(seller.notices.last, .hint(.nothingToRedo))
  }

  @Test func `a conflict leaves what can be made again`() async throws {
    let seller = try await stage.editing()
    seller.edit { $0.write("!", in: .name) }
    try await stage.send(seller, becoming: .sample(of: .sample(id: 7, name: "Bicycle!")))
    seller.selling.undo()
    try await stage.confirmUndo(seller).answer(.sample(of: stage.product.product))
    await until { !seller.isActive }

    seller.selling.redo()
    let theirs = ProductDetail.sample(of: .sample(id: 7, name: "Bike"))
    try await stage.confirmUndo(seller).fail(.conflict(current: theirs))
    await until { !seller.isActive }

    expect(seller.notices.last, .notSent(.conflict(current: theirs), keepsForm: false))
    #expect(seller.selling.canRedo)
  }

  @Test func `a photo that an edit added comes again after it was taken back`() async {
    let (old, new) = (Picture.sample("a"), Picture.sample("b"))
    let product = stage.product.product
    let edit = FinishedEdit(
      before: .sample(of: product, pictures: [old]),
      after: .sample(of: product, pictures: [old, new]), capabilities: .full, removed: [:])
    let loader = FormDataLoader(
      services: .sample(stage.repository, drafts: stage.drafts, clock: stage.clock))

    let removed = await loader.photos(removedBy: edit.undoingForm, besides: [:])
    let undo = FinishedEdit(
      before: edit.after, after: edit.before, capabilities: .full, removed: removed)

    expect(
      undo.undoingForm.patch().pictures,
      ProductPatch.Pictures.list([.kept(old), .new(Array("b".utf8))]))
  }

  /// The form of a product with these pictures, without the first of them.
  private func editWithoutFirst(of pictures: [Picture]) async throws -> TestSeller {
    let seller = try await stage.editing(.sample(of: stage.product.product, pictures: pictures))
    let first = FormPhoto.ID(rawValue: pictures[0].original)
    seller.edit { form in form.editPhotos { $0.remove(first) } }
    try await stage.send(
      seller, becoming: .sample(of: stage.product.product, pictures: Array(pictures.dropFirst())))
    return seller
  }

  @Test func `undoing an edit sends the photos again that it removed`() async throws {
    let seller = try await editWithoutFirst(of: [.sample("a"), .sample("b")])

    seller.selling.undo()
    let undo = try await stage.confirmUndo(seller)

    let pictures = ProductPatch.Pictures.list([.new(Array("a".utf8)), .kept(.sample("b"))])
    expect(undo.request.patch.pictures, pictures)
    undo.answer(.sample())
  }

  @Test func `where a removed photo is nowhere any more, undoing says so`() async throws {
    let seller = try await editWithoutFirst(of: [.sample("gone"), .sample("b")])

    seller.selling.undo()

    #expect(seller.notices.last == .hint(.photosGone) && !seller.isActive)
  }
}
