import EditorKit
import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// The files of photos in memory: only what a form shows, and only as it is sent.
struct FormPhotoCacheTests {
  private let stage = SellingStage()
  private let slowFile: Gate<String, Void>
  private let photos: FakePhotoImporter

  init() {
    slowFile = Gate(answersCancelledCalls: false)
    photos = FakePhotoImporter(waitingFor: ["/slow.jpg": slowFile])
  }

  /// A form with the photo `/a.jpg`, which is encoded as its first three letters.
  private func seller() async -> TestSeller {
    let seller = TestSeller(.sample(stage.repository, drafts: stage.drafts, photos: photos))
    seller.selling.sell()
    await until { seller.form != nil }
    await add("/a.jpg", to: seller)
    return seller
  }

  private func add(_ name: String, to seller: TestSeller) async {
    let count = seller.form?.photos.photos.count ?? 0
    seller.formModel?.addPhotos(named: name)
    await until { seller.form?.photos.photos.count == count + 1 }
    await until { seller.form?.photos.isBusy == false }
  }

  @Test func `of a photo that is ready no more is held than what is sent`() async {
    let seller = await self.seller()

    expect(photos.held.values.map { $0 }, [Array("/a.".utf8)])
    #expect(seller.form != nil)
  }

  @Test func `a photo that is there already is not added again, and that is said`() async {
    let seller = await self.seller()

    seller.formModel?.addPhotos(named: "/b.jpg")
    await until { seller.form?.photos.photos.count == 2 }
    seller.formModel?.addPhotos(named: "/a.png")
    await until { seller.notices.contains(.hint(.photoTwin)) }

    expect(seller.form?.photos.photos.map(\.name), ["a.jpg", "b.jpg"])
    await until { seller.form?.photos.isBusy == false }
    expect(photos.held.count, 2)
  }

  @Test func `a file that the gallery cannot draw is shown once it is encoded`() async {
    let seller = await self.seller()

    await add("/b.heic", to: seller)

    expect(
      seller.form?.photos.photos.last?.picture?.original,
      seller.form?.photos.photos.last?.id.rawValue)
    expect(Set(photos.held.values), [Array("/a.".utf8), Array("/b.".utf8)])
    var list = PhotoList()
    let id = FormPhoto.ID(rawValue: "photo:1")
    _ = list.add(id, name: "b.heic")
    list.update(id, to: .encoding(fileBytes: 7, isShown: false))
    expect(list.photos.first?.picture, nil)
  }

  @Test func `a photo that is removed is let go of, the others are not`() async {
    let seller = await self.seller()
    await add("/b.jpg", to: seller)

    seller.edit { form in form.editPhotos { $0.select(0) } }
    seller.formModel?.askToRemovePhoto()
    await seller.settle()
    seller.question?.answer(true)
    await seller.settle()

    expect(photos.held.values.map { $0 }, [Array("/b.".utf8)])
  }

  @Test func `a form that is left holds no photos, its draft brings them back`() async {
    let seller = await self.seller()
    await seller.formModel?.save()
    seller.formModel?.leave()
    await seller.settle()
    #expect(photos.held.isEmpty)

    await until { !seller.shelf.drafts.isEmpty }
    seller.selling.sell()
    await until { seller.dialog != nil }
    seller.drafts?.choose()
    await until { seller.form != nil }

    expect(photos.held.values.map { $0 }, [Array("/a.".utf8)])
  }

  @Test func `a file that is still read when the form is left is not held`() async throws {
    let seller = await self.seller()
    let model = try #require(seller.formModel)

    model.addPhotos(named: "/slow.jpg")
    let reading = try await slowFile.next()
    let tasks = model.photos.work.values
    model.leave()
    reading.answer(())
    for task in tasks { await task.value }

    #expect(!tasks.isEmpty && photos.held.isEmpty && model.photos.work.isEmpty)
  }

  /// An edit that removed a photo of so many bytes.
  private func edit(_ id: Int64, removing bytes: Int) -> FinishedEdit {
    let product = Product.sample(id: id, name: "Ware")
    let photo = FormPhoto.ID(rawValue: "photo")
    return FinishedEdit(
      before: .sample(of: product, pictures: [.sample("photo")]), after: .sample(of: product),
      capabilities: .full, removed: [photo: Array(repeating: 0, count: bytes)])
  }

  @Test func `removed photos are held for the latest edits, up to a bound`() {
    var edits = FinishedEdits()

    for id in 1...50 { edits.append(edit(Int64(id), removing: 1 << 20)) }

    expect(edits.count, 50)
    expect(edits.photoBytes, 16 << 20)
    expect(edits.last?.losesPhotos, false)
  }

  @Test func `only so many edits can be taken back`() {
    var edits = FinishedEdits()

    for id in 1...1_000 { edits.append(edit(Int64(id), removing: 1)) }

    #expect(edits.count == 100 && edits.last?.after.id == Product.ID(rawValue: 1_000))
  }
}
