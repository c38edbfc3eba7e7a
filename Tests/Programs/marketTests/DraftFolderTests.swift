import MarketModel
import MarketViewModels
import PersonalStore
import Posix
import TestSupport
import Testing

@testable import market

@Suite struct DraftFolderTests {
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

    #expect(drafts.map(\.version) == [ProductVersion(rawValue: "3")])
    #expect(drafts.first?.values == Self.draft(photos: ["photo:b"]).values)
  }

  @Test func `the file of a photo that was removed goes`() async throws {
    let folder = try TemporaryFolder()
    let drafts = DraftFolder(folder.path)
    _ = await drafts.save(Self.draft(photos: ["photo:b", "photo:c"]))

    _ = await drafts.save(Self.draft(photos: ["photo:c"]))

    let names = Folder.entries(of: folder.path(of: "a")).map(\.name)
    #expect(Set(names) == ["draft", "photo-c"])
  }

  @Test(arguments: FormValues.fields)
  func `what stands in a field comes back from disk`(_ field: ProductField) async throws {
    let folder = try TemporaryFolder()
    var draft = Self.draft(photos: [])
    draft.values[field] = FieldSample[field].text

    _ = await DraftFolder(folder.path).save(draft)

    #expect(await DraftFolder(folder.path).drafts() == [draft])
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

    #expect(await DraftFolder(folder.path).drafts() == [draft])
    // Earlier versions leave it out, for it is no product.
    #expect(draft.records.first("version") == "2")
  }

  @Test func `a draft that an older version of the program kept is read and kept as it is`()
    throws
  {
    let id = Draft.ID(rawValue: "a")
    let records = try #require(RecordFile(Array(Self.older.utf8)))

    let draft = try #require(Draft(id, records) { _ in nil })

    // Newer fields are kept as well.
    var kept = RecordFile()
    for (name, value) in draft.records.values where records.first(name) != nil {
      kept.add(name, value)
    }
    let lines = { (records: RecordFile) in records.values.map { "\($0) \($1)" }.sorted() }
    #expect(lines(kept) == lines(records))
    #expect(draft.values.value(of: .price) == .amount(120_000))
    #expect(draft.values[.description] == "two\nlines" && draft.values[.discount] == "")
    #expect(draft.changedFields == [.price] && draft.carets == [.price: 4])
    #expect(draft.wasSent && draft.focus == .price && draft.values.photos.count == 1)
  }

  private static let older = """
    version 1
    1
    product 1
    7
    productVersion 1
    3
    key 3
    key
    changed 1
    1
    sent 3
    yes
    name 7
    Bicycle
    price 4
    1200
    currency 3
    USD
    discount 0

    stock 1
    3
    description 9
    two
    lines
    edits 5
    price
    focus 5
    price
    caret 7
    price 4
    photo 23
    kept\thash-of-it\tsmall\t5

    """
}

/// Drafts that an earlier version kept under one name for several places.
@Suite struct FormerDraftTests {
  private static let slash = KnownLocation(MarketKey(rawValue: "/m/a/b.sqlite"))
  private static let hyphen = KnownLocation(MarketKey(rawValue: "/m/a-b.sqlite"))
  private static let former = MarketKey(rawValue: "file--m-a-b.sqlite")

  private func drafts(
    _ location: KnownLocation, in folder: borrowing TemporaryFolder, known: [KnownLocation] = [],
    canAsk: Bool = true
  ) -> DraftFolder {
    DraftFolder(
      folder.path(of: location.key.fileName),
      former: LegacyLocation(location, canAsk: canAsk, known: { known }))
  }

  private func folderWithDraft() async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let draft = Draft(
      id: Draft.ID(rawValue: "a"), target: .registration, key: IdempotencyKey(rawValue: "key"),
      values: FormValues(), changed: Timestamp(seconds: 1))
    #expect(await DraftFolder(folder.path(of: Self.former.rawValue)).save(draft))
    return folder
  }

  @Test func `what only one place can have kept comes along`() async throws {
    let folder = try await folderWithDraft()

    #expect(await drafts(Self.slash, in: folder).drafts().count == 1)
    #expect(await drafts(Self.slash, in: folder).drafts().count == 1)
    #expect(await drafts(Self.hyphen, in: folder).drafts().isEmpty)
  }

  @Test func `what two places had waits for the answer, and goes where that says`() async throws {
    let folder = try await folderWithDraft()
    let known = [Self.slash, Self.hyphen]
    let (one, other) = (
      drafts(Self.slash, in: folder, known: known), drafts(Self.hyphen, in: folder, known: known)
    )
    #expect(await one.drafts().isEmpty)
    #expect(await other.drafts().isEmpty)

    await other.take(from: Self.former)

    #expect(await one.drafts().isEmpty)
    #expect(await other.drafts().count == 1)
  }

  @Test func `where nobody can be asked it stays where it was used first`() async throws {
    let folder = try await folderWithDraft()
    let known = [Self.slash, Self.hyphen]

    let later = drafts(Self.hyphen, in: folder, known: known, canAsk: false)
    #expect(await later.drafts().isEmpty)
    let first = drafts(Self.slash, in: folder, known: known, canAsk: false)
    #expect(await first.drafts().count == 1)
  }
}
