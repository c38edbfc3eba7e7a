import Glibc
import MarketModel
import SQLiteKit
import Synchronization
import TestSupport
import Testing

@testable import PersonalStore

/// What a person keeps, over real files.
@Suite struct PersonalFileTests {
  let folder: FolderOfTest
  let troubles = Troubles()
  let clock = WallClock()

  init() throws {
    folder = try FolderOfTest()
  }

  func open(
    by visitor: VisitProcess = .current, pages: Int? = nil, waiting milliseconds: Int32 = 50
  ) -> PersonalFile {
    PersonalFile(
      at: folder.path, visitor: visitor, now: { [clock] in clock.now },
      busyMilliseconds: milliseconds, maximumPages: pages, tell: { [troubles] in troubles.add($0) })
  }

  /// A connection of somebody else to the same file.
  func other() throws -> SQLiteConnection { try SQLiteConnection(opening: folder.path, .init()) }

  @Test func `what was asked comes back the latest first, each text once`() async {
    let file = open()

    for text in ["자전거", "camera", "sale", "자전거"] { await file.didSearch(for: text) }

    #expect(await file.pastSearches(atMost: 2) == ["자전거", "sale"])
    #expect(await open().pastSearches(atMost: 10) == ["자전거", "sale", "camera"])
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
    #expect(texts.count == 1_000)
    #expect(texts.first == "text 1005")
    #expect(texts.last == "text 6")
  }

  @Test func `a saved search takes the place of one of the same name`() async {
    let file = open()

    #expect(await file.save(SavedSearch(name: "bikes", text: "자전거")))
    #expect(await file.save(SavedSearch(name: "Attic", text: "lamp sale")))
    #expect(await file.save(SavedSearch(name: "bikes", text: "자전거 <200000")))
    let both = await open().savedSearches()
    await file.forgetSearch(named: "Attic")

    #expect(
      both == [
        SavedSearch(name: "Attic", text: "lamp sale"),
        SavedSearch(name: "bikes", text: "자전거 <200000"),
      ])
    #expect(await open().savedSearches().map(\.name) == ["bikes"])
  }

  @Test func `a search without a name is refused, and one too many`() async throws {
    let file = open()
    #expect(await !file.save(SavedSearch(name: "", text: "x")))
    for number in 1...PersonalFile.Limits().savedSearches {
      try #require(await file.save(SavedSearch(name: "\(number)", text: "x")))
    }

    #expect(await !file.save(SavedSearch(name: "one more", text: "x")))
    #expect(await file.save(SavedSearch(name: "7", text: "y")))
    #expect(troubles.all.isEmpty)
  }

  @Test func `two programs write at once, and lose nothing`() async {
    // Others may have the machine.
    let files = [open(waiting: 30_000), open(waiting: 30_000)]

    await withTaskGroup { group in
      for (number, file) in files.enumerated() {
        group.addTask {
          for turn in 0..<100 { await file.didSearch(for: "\(number) \(turn)") }
        }
      }
    }

    #expect(await open().pastSearches(atMost: .max).count == 200)
    #expect(troubles.all.isEmpty)
  }

  @Test func `the file and those beside it are its owner's alone, also one that was not`() async {
    await open().didSearch(for: "x")
    chmod(folder.path, 0o644)

    await open().didSearch(for: "y")

    var status = stat()
    for ending in ["", "-wal", "-shm"] where stat(folder.path + ending, &status) == 0 {
      #expect(status.st_mode & 0o777 == 0o600)
    }
  }
}

/// A file in a folder of its own, which is there once something is kept.
final class FolderOfTest: Sendable {
  let path: String
  /// The folder of the file.
  let parent: String
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    parent = folder.path(of: "data")
    path = parent + "/personal.sqlite"
  }
}

/// What a file said it cannot do.
final class Troubles: Sendable {
  private let told = Mutex<[PersonalStoreError]>([])

  var all: [PersonalStoreError] { told.withLock { $0 } }

  func add(_ trouble: PersonalStoreError) { told.withLock { $0.append(trouble) } }
}
