import EditorKit
import MarketModel
import MarketViewModels
import TestSupport
import Testing

/// Looking through folders for photos; every folder holds bike.jpg and the folder old.
@Suite struct PhotoPickingTests {
  private let stage = SellingStage()

  /// A form over which the folder of a typed path is looked through.
  private func sellingPicking(_ path: String = "") async -> SellingModel {
    let selling = stage.makeSelling()
    selling.beginRegistration()
    await until { selling.form != nil }
    await pick(path, selling)
    return selling
  }

  private func pick(_ path: String, _ selling: SellingModel) async {
    selling.openPhotoPath()
    selling.editPhotoPath { $0.paste(path) }
    selling.openPicker()
    await until { selling.picker?.isRead == true }
  }

  @Test(arguments: [
    ("", "/home/me"), ("/shop/", "/shop"), ("/a.jpg '/shop/new wares/b", "/shop/new wares"),
    ("~/stall/bike.jpg", "/home/me/stall"), ("bike.jpg", "/home/me"), ("/", ""),
  ])
  func `folders are looked through from the typed one on`(path: String, folder: String) async {
    let selling = await sellingPicking(path)

    #expect(selling.picker?.folder == folder)
  }

  @Test func `the folder that was left is selected in the one above`() async {
    let selling = await sellingPicking("/shop/old/")

    selling.leavePickedFolder()
    await until { selling.picker?.isRead == true }

    #expect(selling.picker?.folder == "/shop")
    #expect(selling.picker?.selectedEntry?.name == "old")
  }

  @Test func `the next photo is looked for where the last one was`() async {
    let selling = await sellingPicking("/shop/")
    selling.choosePicked()
    await until { selling.form?.photos.photos.count == 1 }

    await pick("", selling)

    #expect(selling.picker?.folder == "/shop")
  }

  @Test func `a folder on the line is looked through`() async {
    let selling = await sellingPicking()
    selling.openPhotoPath()
    selling.editPhotoPath { $0.paste("/shop/") }

    selling.confirmPhotoPath()
    await until { selling.picker?.isRead == true }

    #expect(selling.picker?.folder == "/shop")
  }
}

extension SellingModel {
  fileprivate var picker: FolderPicker? {
    if case .picker(let picker) = dialog { picker } else { nil }
  }
}
