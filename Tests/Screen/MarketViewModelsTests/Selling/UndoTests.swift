import EditorKit
import MarketModel
import MarketViewModels
import SellingTestSupport
import TestSupport
import Testing

/// Edits that are taken back.
@Suite(.timeLimit(.minutes(1))) struct UndoTests {
  private let stage = SellingStage()

  @Test func `an edit is taken back by its old values`() async {
    let seller = await stage.editing()
    seller.edit { $0.write("!", in: .name) }
    let after = ProductDetail.sample(
      of: .sample(id: 7, name: "Bicycle!"), version: ProductVersion(rawValue: "2"))
    await stage.send(seller, becoming: after)

    seller.selling.undo()
    let undo = await stage.confirmUndo(seller)

    #expect(undo.request.patch == ProductPatch(name: "Bicycle"))
    #expect(undo.request.expected == ProductVersion(rawValue: "2"))
    undo.answer(.sample())
    await until { seller.selling.edits.isEmpty }
  }

  /// The form of a product with these pictures, without the first of them.
  private func editWithoutFirst(of pictures: [Picture]) async -> TestSeller {
    let seller = await stage.editing(.sample(of: stage.product.product, pictures: pictures))
    let first = FormPhoto.ID(rawValue: pictures[0].original)
    seller.edit { form in form.editPhotos { $0.remove(first) } }
    await stage.send(
      seller, becoming: .sample(of: stage.product.product, pictures: Array(pictures.dropFirst())))
    return seller
  }

  @Test func `undoing an edit sends the photos again that it removed`() async {
    let seller = await editWithoutFirst(of: [.sample("a"), .sample("b")])

    seller.selling.undo()
    let undo = await stage.confirmUndo(seller)

    let pictures = ProductPatch.Pictures.list([.new(Array("a".utf8)), .kept(.sample("b"))])
    #expect(undo.request.patch.pictures == pictures)
    undo.answer(.sample())
  }

  @Test func `where a removed photo is nowhere any more, undoing says so`() async {
    let seller = await editWithoutFirst(of: [.sample("gone"), .sample("b")])

    seller.selling.undo()

    #expect(seller.notices.last == .hint(.photosGone) && !seller.isActive)
  }
}
