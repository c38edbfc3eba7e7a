import MarketModel
import MarketViewModels
import Posix
import TestSupport
import Testing

@testable import market

@Suite struct DraftFolderTests {
  private static func draft(photos: [String]) -> Draft {
    let id = Product.ID(rawValue: 7)
    return Draft(
      id: Draft.ID(rawValue: "a"), target: .edit(id), key: IdempotencyKey(rawValue: "key"),
      version: ProductVersion(rawValue: "3"), values: FormValues(),
      photos: photos.map { name in
        FormPhoto(
          id: FormPhoto.ID(rawValue: name), name: name,
          content: .ready(PreparedPhoto(bytes: Array(name.utf8), fileBytes: 9)))
      }, changed: Timestamp(seconds: 1))
  }

  @Test func `a draft comes back with the version in which its edit began`() async throws {
    let folder = try TemporaryFolder()
    _ = await DraftFolder(folder.path).save(Self.draft(photos: ["photo:b"]))

    let drafts = await DraftFolder(folder.path).drafts()

    #expect(drafts.map(\.version) == [ProductVersion(rawValue: "3")])
    #expect(drafts.first?.photos == Self.draft(photos: ["photo:b"]).photos)
  }

  @Test func `the file of a photo that was removed goes`() async throws {
    let folder = try TemporaryFolder()
    let drafts = DraftFolder(folder.path)
    _ = await drafts.save(Self.draft(photos: ["photo:b", "photo:c"]))

    _ = await drafts.save(Self.draft(photos: ["photo:c"]))

    let names = Folder.entries(of: folder.path(of: "a")).map(\.name)
    #expect(Set(names) == ["draft", "photo-c"])
  }
}
