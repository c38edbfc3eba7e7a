import Expectations
import MarketModel
import MarketViewModels
import Posix
import TestSupport
import Testing

@testable import market

struct DraftFolderTests {
  private static func draft(photos: [String]) -> Draft {
    let id = Product.ID(rawValue: 7)
    return Draft(
      id: Draft.ID(rawValue: "a"), target: .edit(id), key: IdempotencyKey(rawValue: "key"),
      version: ProductVersion(rawValue: "3"),
      values: FormValues(
        [:],
        photos: photos.map { name in
          FormPhoto(
            id: FormPhoto.ID(rawValue: name), name: name,
            content: .ready(PreparedPhoto(bytes: Array(name.utf8), fileBytes: 9)))
        }), changed: Timestamp(seconds: 1))
  }

  @Test func `a draft comes back with the version in which its edit began`() async throws {
    let folder = try TemporaryFolder()
    _ = await DraftFolder(folder.path).save(Self.draft(photos: ["photo:b"]))

    let drafts = await DraftFolder(folder.path).drafts()

    expect(drafts.map(\.version), [ProductVersion(rawValue: "3")])
    expect(drafts.first?.values, Self.draft(photos: ["photo:b"]).values)
  }

  @Test func `the file of a photo that was removed goes`() async throws {
    let folder = try TemporaryFolder()
    let drafts = DraftFolder(folder.path)
    _ = await drafts.save(Self.draft(photos: ["photo:b", "photo:c"]))

    _ = await drafts.save(Self.draft(photos: ["photo:c"]))

    let names = Folder.entries(of: folder.path(of: "a")).map(\.name)
    expect(Set(names), ["draft", "photo-c"])
  }

  @Test(arguments: FormValues.fields)
  func `what stands in a field comes back from disk`(_ field: ProductField) async throws {
    let folder = try TemporaryFolder()
    var draft = Self.draft(photos: [])
    draft.values[field] = FieldSample[field].text

    _ = await DraftFolder(folder.path).save(draft)

    await expect(DraftFolder(folder.path).drafts(), [draft])
  }

  @Test(arguments: [
    Draft.Target.question(Product.ID(rawValue: 7)),
    .answer(.sample(3, about: 7, "Is it\nthere?", offer: 900, by: "Mina")),
    .answer(.sample(4, about: 7, by: nil)),
  ])
  func `a question or an answer comes back with what it is about`(
    target: Draft.Target
  ) async throws {
    let folder = try TemporaryFolder()
    let draft = Draft(
      id: Draft.ID(rawValue: "a"), target: target, key: IdempotencyKey(rawValue: "key"),
      wasSent: true, isWaiting: true,
      values: FormValues([.name: "Bicycle", .description: "Is it?", .price: "170"], photos: []),
      focus: .description, changed: Timestamp(seconds: 1))
    _ = await DraftFolder(folder.path).save(draft)

    await expect(DraftFolder(folder.path).drafts(), [draft])
  }
}
