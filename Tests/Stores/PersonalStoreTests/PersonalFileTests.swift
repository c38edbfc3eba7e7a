import Expectations
import Glibc
import MarketModel
import SQLiteKit
import Synchronization
import TestSupport
import Testing

@testable import PersonalStore

/// What a person keeps, over real files.
struct PersonalFileTests {
  let folder = FolderOfTest()

  func open() -> PersonalFile { folder.open(waiting: 50) }

  @Test func `what was asked comes back the latest first, each text once`() async {
    let file = open()

    for text in ["자전거", "camera", "sale", "자전거"] { await file.didSearch(for: text) }

    await expect(file.pastSearches(atMost: 2), ["자전거", "sale"])
    await expect(open().pastSearches(atMost: 10), ["자전거", "sale", "camera"])
  }

  @Test func `the history stays within a thousand texts, and takes none that is blank or huge`()
    async
  {
    let file = open()

    for number in 1...1_005 { await file.didSearch(for: "text \(number)") }
    for text in ["", " \n", String(repeating: "x", count: 5_000)] {
      await file.didSearch(for: text)
    }

    let texts = await file.pastSearches(atMost: .max)
    expect(texts.count, 1_000)
    expect(texts.first, "text 1005")
    expect(texts.last, "text 6")
  }

  @Test func `a saved search takes the place of one of the same name`() async {
    let file = open()

    #expect(await file.save(SavedSearch(name: "bikes", text: "자전거")))
    #expect(await file.save(SavedSearch(name: "Attic", text: "lamp sale")))
    #expect(await file.save(SavedSearch(name: "bikes", text: "자전거 <200000")))
    let both = await open().savedSearches()
    await file.forgetSearch(named: "Attic")

    expect(
      both,
      [
        SavedSearch(name: "Attic", text: "lamp sale"),
        SavedSearch(name: "bikes", text: "자전거 <200000"),
      ])
    await expect(open().savedSearches().map(\.name), ["bikes"])
  }

  @Test func `a search without a name is refused, and one too many`() async throws {
    let file = open()
    #expect(await !file.save(SavedSearch(name: "", text: "x")))
    for number in 1...PersonalFile.Limits().savedSearches {
      try #require(await file.save(SavedSearch(name: "\(number)", text: "x")))
    }

    #expect(await !file.save(SavedSearch(name: "one more", text: "x")))
    #expect(await file.save(SavedSearch(name: "7", text: "y")))
    #expect(folder.troubles.isEmpty)
  }

  @Test func `the file and those beside it are its owner's alone, also one that was not`() async {
    await open().didSearch(for: "x")
    chmod(folder.path, 0o644)

    await open().didSearch(for: "y")

    var status = stat()
    for ending in ["", "-wal", "-shm"] where stat(folder.path + ending, &status) == 0 {
      expect(status.st_mode & 0o777, 0o600)
    }
  }
}

/// A file in a folder of its own, which is there once something is kept.
final class FolderOfTest: Sendable {
  let path: String
  /// The folder of the file.
  let parent: String
  let clock = WallClock()
  private let folder: TemporaryFolder
  private let told = Mutex<[PersonalStoreError]>([])

  init() {
    guard let folder = try? TemporaryFolder() else { preconditionFailure("no temporary folder") }
    self.folder = folder
    parent = self.folder.path(of: "data")
    path = parent + "/personal.sqlite"
  }

  /// What the files said they cannot do.
  var troubles: [PersonalStoreError] { told.withLock { $0 } }

  /// Opens the file as a program does.
  func open(
    by visitor: VisitProcess = .current, waiting milliseconds: Int32 = 1_000, pages: Int? = nil,
    limits: PersonalFile.Limits = PersonalFile.Limits()
  ) -> PersonalFile {
    PersonalFile(
      at: path, visitor: visitor, now: { [clock] in clock.now }, busyMilliseconds: milliseconds,
      maximumPages: pages, limits: limits,
      report: { [self] trouble in told.withLock { $0.append(trouble) } })
  }

  /// A connection of another program to the same file.
  func connection() throws -> SQLiteConnection { try SQLiteConnection(opening: path, .init()) }
}

extension Money {
  static func won(_ amount: Int64) -> Money { Money(hundredths: amount * 100, currency: .krw) }
}
