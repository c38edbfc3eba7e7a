import Expectations
import Glibc
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

  private static let lamp = ProductRegistration(
    name: "Lamp", price: Money(hundredths: 1_000_00, currency: .krw), pictures: [[1]],
    password: Password("secret"))

  private func begin(
    _ drafts: DraftFolder, _ key: String, again: Bool = false, by author: Author = .guest,
    _ registration: ProductRegistration = lamp
  ) async -> String {
    await drafts.beginRegistration(
      registration, by: author, key: IdempotencyKey(rawValue: key), again: again
    ).rawValue
  }

  @Test func `an equal registration without an answer is sent with its key, until it has one`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "drafts")
    let lost = DraftFolder(path)
    await expect(begin(lost, "a"), "a")
    await lost.endRegistration(IdempotencyKey(rawValue: "a"), isAnswered: false)
    var other = Self.lamp
    other.price.hundredths = 2_000_00

    let next = DraftFolder(path)
    await expect(begin(next, "b", other), "b")
    await expect(begin(next, "c", by: .seller(SellerIdentifier(secret: "me"))), "c")
    await expect(begin(next, "d", again: true), "d")
    await expect(begin(next, "e"), "a")
    await expect(next.wasSent(IdempotencyKey(rawValue: "a")), true)
    await next.endRegistration(IdempotencyKey(rawValue: "a"), isAnswered: true)
    for key in ["b", "c", "d"] {
      await next.endRegistration(IdempotencyKey(rawValue: key), isAnswered: true)
    }
    await expect(begin(DraftFolder(path), "f"), "f")
  }

  @Test func `two runs that register the same at once have two keys`() async throws {
    let folder = try TemporaryFolder()
    let (first, second) = (DraftFolder(folder.path), DraftFolder(folder.path))

    await expect(begin(first, "a"), "a")
    await expect(begin(second, "b"), "b")
  }

  @Test func `the record of a registration is private, without the password, and for an hour`()
    async throws
  {
    let folder = try TemporaryFolder()
    let drafts = DraftFolder(folder.path)
    _ = await begin(drafts, "a")
    await drafts.endRegistration(IdempotencyKey(rawValue: "a"), isAnswered: false)
    let record = folder.path(of: try #require(Folder.names(in: folder.path).first))
    var status = stat()
    lstat(record, &status)
    expect(status.st_mode & 0o777, 0o600)
    expect(status.st_size, 0)
    await expect(drafts.drafts(), [])

    var times = [timespec(), timespec()]
    times[1].tv_sec = time(nil) - 3_601
    times[0].tv_sec = times[1].tv_sec
    utimensat(AT_FDCWD, record, &times, 0)

    await expect(begin(DraftFolder(folder.path), "b"), "b")
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
