import MarketModel
import MarketStore
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

@Suite struct StoreCrashTests {
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
        #expect(detail.product.name == "mug \(number)")
        let picture = try #require(detail.pictures.first)
        let file = PictureFile.jpeg(UInt8(number % 200), byteCount: 20_000)
        #expect(try await store.bytes(of: picture, .original) == file)
      }
    }
    try expectConsistent(path)
  }
}
