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
    let selling = await stage.sellingEdit()
    selling.edit { $0.write("!", in: .name) }
    let after = ProductDetail.sample(
      of: .sample(id: 7, name: "Bicycle!"), version: ProductVersion(rawValue: "2"))
    await stage.send(selling, becoming: after)

    selling.beginUndo()
    let undo = await stage.confirmUndo(selling)

    #expect(undo.request.patch == ProductPatch(name: "Bicycle"))
    #expect(undo.request.expected == ProductVersion(rawValue: "2"))
    undo.answer(.sample())
    await until { selling.edits.isEmpty }
  }

  /// The form of a product with these pictures, without the first of them.
  private func sellingWithoutFirst(of pictures: [Picture]) async -> SellingModel {
    let selling = await stage.sellingEdit(.sample(of: stage.product.product, pictures: pictures))
    let first = FormPhoto.ID(rawValue: pictures[0].original)
    selling.edit { form in form.editPhotos { $0.remove(first) } }
    await stage.send(
      selling, becoming: .sample(of: stage.product.product, pictures: Array(pictures.dropFirst())))
    return selling
  }

  @Test func `undoing an edit sends the photos again that it removed`() async {
    let selling = await sellingWithoutFirst(of: [.sample("a"), .sample("b")])

    selling.beginUndo()
    let undo = await stage.confirmUndo(selling)

    let pictures = ProductPatch.Pictures.list([.new(Array("a".utf8)), .kept(.sample("b"))])
    #expect(undo.request.patch.pictures == pictures)
    undo.answer(.sample())
  }

  @Test func `where a removed photo is nowhere any more, undoing says so`() async {
    let selling = await sellingWithoutFirst(of: [.sample("gone"), .sample("b")])

    var notices: [Notice] = []
    selling.didAnnounce = { notices.append($0) }
    selling.beginUndo()

    #expect(notices == [.hint(.photosGone)] && !selling.isActive)
  }
}
