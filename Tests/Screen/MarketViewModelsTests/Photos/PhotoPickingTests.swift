import EditorKit
import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// Looking through folders for photos; every folder holds bike.jpg and the folder old.
struct PhotoPickingTests {
  private let stage = SellingStage()

  /// A form over which the folder of a typed path is looked through.
  private func picking(_ path: String = "") async -> TestSeller {
    let seller = stage.makeSeller()
    seller.selling.sell()
    await until { seller.form != nil }
    await pick(path, seller)
    return seller
  }

  private func pick(_ path: String, _ seller: TestSeller) async {
    seller.formModel?.openPhotoPath()
    seller.photoPath?.edit { $0.paste(path) }
    seller.photoPath?.browse()
    await until { seller.picking?.picker.isRead == true }
  }

  @Test(arguments: [
    ("", "/home/me"), ("/shop/", "/shop"), ("/a.jpg '/shop/new wares/b", "/shop/new wares"),
    ("~/stall/bike.jpg", "/home/me/stall"), ("bike.jpg", "/home/me"), ("/", ""),
  ])
  func `folders are looked through from the typed one on`(path: String, folder: String) async {
    let seller = await picking(path)

    expect(seller.picking?.picker.folder, folder)
  }

  @Test func `the folder that was left is selected in the one above`() async {
    let seller = await picking("/shop/old/")

    seller.picking?.goUp()
    await until { seller.picking?.picker.isRead == true }

    expect(seller.picking?.picker.folder, "/shop")
    expect(seller.picking?.list.selected?.name, "old")
  }

  @Test func `the next photo is looked for where the last one was`() async {
    let seller = await picking("/shop/")
    seller.picking?.choose()
    await until { seller.form?.photos.photos.count == 1 }
    seller.picking?.cancel()

    await pick("", seller)

    expect(seller.picking?.picker.folder, "/shop")
  }

  @Test func `a folder on the line is looked through`() async {
    let seller = await picking()
    seller.picking?.cancel()
    await seller.settle()
    seller.formModel?.openPhotoPath()
    seller.photoPath?.edit { $0.paste("/shop/") }

    seller.photoPath?.confirm()
    await until { seller.picking?.picker.isRead == true }

    expect(seller.picking?.picker.folder, "/shop")
  }

  // MARK: Choosing

  /// A form over which a folder of pictures `1.jpg` to `9.jpg` and the folder `old` is looked
  /// through.
  private func choosing(_ photos: Int = 0) async -> TestSeller {
    let entries =
      [FolderEntry(name: "old", isFolder: true)]
      + (1...9).map { FolderEntry(name: "\($0).jpg", isFolder: false, bytes: $0) }
    let importer = FakePhotoImporter(["/shop/": FolderListing(entries)])
    let seller = TestSeller(.sample(stage.repository, photos: importer, clock: stage.clock))
    seller.selling.sell()
    await until { seller.form != nil }
    for number in 0..<photos {
      seller.formModel?.addPhotos(named: "/\(number).png")
      await until { seller.form?.photos.photos.count == number + 1 }
    }
    await pick("/shop/", seller)
    return seller
  }

  private func names(_ seller: TestSeller) -> [String]? { seller.form?.photos.photos.map(\.name) }

  @Test func `a file is taken and the folder stays open`() async {
    let seller = await choosing()
    seller.picking?.move(.down, times: 2)

    seller.picking?.choose()
    await seller.settle()

    #expect(names(seller) == ["2.jpg"] && seller.picking != nil)
    expect(seller.picking?.list.selected.map { seller.picking?.isAdded($0) }, true)
  }

  @Test func `marked files are taken in the order of their marks`() async {
    let seller = await choosing()
    let picking = seller.picking
    picking?.move(.down, times: 3)
    picking?.toggleMark()
    picking?.move(.up, times: 3)
    picking?.toggleMark()
    // Back on the second one, whose mark goes again.
    picking?.toggleMark()
    picking?.move(.up)
    picking?.toggleMark()

    picking?.choose()

    expect(names(seller), ["3.jpg", "1.jpg"])
    expect(picking?.picker.marked.isEmpty, true)
  }

  @Test func `no more files can be marked than fit, and it is said`() async {
    let seller = await choosing(3)
    seller.picking?.move(.down)

    for _ in 1...3 { seller.picking?.toggleMark() }

    expect(seller.picking?.picker.marked, ["/shop/1.jpg", "/shop/2.jpg"])
    expect(seller.notices, [.hint(.photosFull)])
    expect(seller.picking?.list.selected?.name, "3.jpg")
  }

  @Test func `with the last one that fits the folder closes`() async {
    let seller = await choosing(4)
    seller.picking?.move(.down)

    seller.picking?.choose()
    await seller.settle()

    #expect(seller.form?.photos.photos.count == 5 && seller.dialog == nil)
  }

  @Test func `a file is not taken twice`() async {
    let seller = await choosing()
    seller.picking?.move(.down)
    seller.picking?.choose()
    await seller.settle()

    seller.picking?.choose()
    await seller.settle()
    seller.picking?.toggleMark()

    #expect(names(seller) == ["1.jpg"] && seller.picking?.picker.marked.isEmpty == true)
    expect(seller.notices, [.hint(.photoAdded), .hint(.photoAdded)])
  }

  @Test func `marks outlive a change of the folder, the filter does not`() async {
    let seller = await choosing()
    seller.picking?.edit { $0.type("1") }
    seller.picking?.toggleMark()
    seller.picking?.goUp()
    await until { seller.picking?.picker.isRead == true }

    expect(seller.picking?.list.words, "")
    seller.picking?.choose()
    await seller.settle()

    expect(names(seller), ["1.jpg"])
  }

  @Test func `what is selected stays so when the filter is cleared`() async {
    let seller = await choosing()

    seller.picking?.edit { $0.type("3") }
    let found = seller.picking?.list.count
    seller.picking?.clearFilter()

    #expect(found == 1 && seller.picking?.list.count == 10)
    expect(seller.picking?.list.selected?.name, "3.jpg")
  }

  // MARK: The mouse and the preview

  @Test func `the second of two clicks takes a file, a late one only selects it`() async throws {
    let seller = await choosing()
    seller.picking?.press(number: 1)
    try await stage.clock.sleeps(of: .milliseconds(400)).next().answer(())
    await until { seller.picking?.isClicked == false }
    seller.picking?.press(number: 1)
    expect(names(seller), [])

    seller.picking?.press(number: 1)

    expect(names(seller), ["1.jpg"])
  }

  @Test func `a picture is read when the cursor has rested on it`() async throws {
    let seller = await choosing()
    let sleeps = stage.clock.sleeps(of: .milliseconds(80))
    seller.picking?.move(.down)
    let first = try await sleeps.next()
    seller.picking?.move(.down)
    let second = try await sleeps.next()

    #expect(first.isCancelled && seller.picking?.preview == nil)
    second.answer(())
    await until { seller.picking?.preview != nil }

    expect(seller.picking?.preview?.original, "file:/shop/2.jpg")
    seller.picking?.move(.up, times: 2)
    expect(seller.picking?.preview, nil)
  }

  // MARK: Patterns

  @Test func `of what a pattern finds as much is taken as fits, and it is said`() async {
    let seller = await choosing(2)
    seller.picking?.cancel()
    await seller.settle()

    seller.formModel?.addPhotos(named: "/match/*.jpg")
    await until { !seller.notices.isEmpty }

    expect(seller.notices, [.photosCut(taken: 3, of: 7)])
    expect(names(seller)?.suffix(3), ["1.jpg", "2.jpg", "3.jpg"])
  }

  @Test func `a pattern that finds nothing is told about`() async {
    let seller = await choosing()
    seller.picking?.cancel()
    await seller.settle()

    seller.formModel?.addPhotos(named: "no*.jpg")
    await until { !seller.notices.isEmpty }

    expect(seller.notices, [.photoFailed(name: "no*.jpg", .noMatch)])
    expect(names(seller), [])
  }
}
