import Expectations
import MarketModel
import MarketStore
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

struct StoreCrashTests {
  /// What the program that writes had been told about one product when it was killed.
  private enum Knowledge {
    case there(number: Int)
    case open
    case gone
  }

  private func knowledge(
    afterKilling path: String, after lines: Int
  ) throws -> [Product.ID: Knowledge] {
    let child = try ChildProcess("CrashTestWriter", arguments: [path])
    var known: [Product.ID: Knowledge] = [:]
    for _ in 0..<lines {
      let words = try #require(try child.readLine()).split(separator: " ")
      let id = Product.ID(rawValue: try #require(Int64(words[1])))
      switch words[0] {
      case "there": known[id] = .there(number: try #require(Int(words[2])))
      case "open": known[id] = .open
      default: known[id] = .gone
      }
    }
    child.kill()
    return known
  }

  @Test(arguments: [1, 2, 7, 40, 111])
  func `a program killed while it writes loses nothing acknowledged and leaves nothing half`(
    lines: Int
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "market.sqlite")
    let known = try knowledge(afterKilling: path, after: lines)

    let store = try await SQLiteStore.temporary(in: folder)
    for (id, knowledge) in known {
      switch knowledge {
      case .open: break
      case .gone:
        await #expect(throws: RepositoryError.notFound) { try await store.detail(of: id) }
      case .there(let number):
        // Lines that were printed and not read may have led further.
        guard number % 3 != 2 else { continue }
        let detail = try await store.detail(of: id)
        expect(detail.product.name, "mug \(number)")
        let picture = try #require(detail.pictures.first)
        let file = PictureFile.jpeg(UInt8(number % 200), byteCount: 20_000)
        try await expect(store.bytes(of: picture, .original), file)
      }
    }
    try expectConsistent(path)
  }

  @Test(arguments: 0...11)
  func `an import into an empty file that is killed leaves what was counted, and is repeated`(
    lines: Int
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "market.sqlite")
    let killed = try ChildProcess("CrashTestWriter", arguments: [path, "60", "10"])
    var counted = 0
    for _ in 0..<lines {
      let words = try #require(try killed.readLine()).split(separator: " ")
      counted += try #require(Int(words[1]))
    }
    killed.kill()

    // Opening also makes the indexes and words of what is there.
    let store = try await SQLiteStore.temporary(in: folder)
    let there = try await store.exactTotal(of: ProductQuery())
    #expect(there >= counted && there % 60 == 0)
    try await expect(store.exactTotal(of: ProductQuery(text: "lamp")), there)
    await store.close()
    try expectConsistent(path)

    let whole = try ChildProcess("CrashTestWriter", arguments: [path, "60", "10"])
    while try whole.readLine() != nil {}
    let again = try await SQLiteStore.temporary(in: folder)
    try await expect(again.exactTotal(of: ProductQuery(text: "lamp")), 600)
    try expectConsistent(path)
  }

  @Test func `of two hundred random steps with questions no kill loses what was acknowledged`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "market.sqlite")
    var random = SeededRandom(seed: 36)
    var known: [Question.ID: String] = [:]
    var steps = 0
    while steps < 200 {
      let child = try ChildProcess("CrashTestWriter", arguments: [path, String(steps + 1)])
      let count = Int.random(in: 1...50, using: &random)
      for number in 1... {
        if number == count { child.kill() }
        // What was said before the end is read to the last line.
        guard let line = try child.readLine() else { break }
        let words = line.split(separator: " ")
        known[Question.ID(rawValue: try #require(Int64(words[1])))] = String(words[0])
        steps += 1
      }

      let store = try await SQLiteStore.temporary(in: folder)
      for (id, state) in known {
        guard state != "gone" else {
          await #expect(throws: RepositoryError.notFound) {
            try await store.product(ofQuestion: id)
          }
          continue
        }
        // The last write may or may not have happened.
        guard state != "open" else { continue }
        let product = try await store.product(ofQuestion: id)
        let all = try await store.questions(QuestionsRequest(.product(product), size: 100))
          .questions
        let answer = all.first { $0.id == id }?.answer?.text
        expect(answer, ["reserved": "Yours.", "answered": "Yes."][state])
        // Both or neither.
        let isReserved = try await store.detail(of: product).product.isReserved
        expect(isReserved, all.contains { $0.answer?.text == "Yours." })
      }
      try expectConsistent(path)
    }
  }
}
