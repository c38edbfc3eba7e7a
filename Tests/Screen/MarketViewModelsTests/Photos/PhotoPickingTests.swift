import EditorKit
import MarketModel
import MarketViewModels
import SellingTestSupport
import TestSupport
import Testing

/// Looking through folders for photos; every folder holds bike.jpg and the folder old.
@Suite struct PhotoPickingTests {
  private let stage = SellingStage()

  /// A form over which the folder of a typed path is looked through.
  private func picking(_ path: String = "") async -> TestSeller {
    let seller = stage.makeSeller()
    seller.selling.opening.beginRegistration()
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

    #expect(seller.picking?.picker.folder == folder)
  }

  @Test func `the folder that was left is selected in the one above`() async {
    let seller = await picking("/shop/old/")

    seller.picking?.goUp()
    await until { seller.picking?.picker.isRead == true }

    #expect(seller.picking?.picker.folder == "/shop")
    #expect(seller.picking?.picker.selectedEntry?.name == "old")
  }

  @Test func `the next photo is looked for where the last one was`() async {
    let seller = await picking("/shop/")
    seller.picking?.choose()
    await until { seller.form?.photos.photos.count == 1 }

    await pick("", seller)

    #expect(seller.picking?.picker.folder == "/shop")
  }

  @Test func `a folder on the line is looked through`() async {
    let seller = await picking()
    seller.picking?.cancel()
    seller.formModel?.openPhotoPath()
    seller.photoPath?.edit { $0.paste("/shop/") }

    seller.photoPath?.confirm()
    await until { seller.picking?.picker.isRead == true }

    #expect(seller.picking?.picker.folder == "/shop")
  }
}
