import Expectations
import MarketModel
import StoreCore
import TestSupport
import Testing

/// Pictures in a store's own database.
struct PictureTests {
  @Test(arguments: Database.allCases)
  func `one picture of several products goes with the last one that has it`(_ database: Database)
    async throws
  {
    let market = try await ContractMarket(database)
    let files = (1...3).map { PictureFile.jpeg(UInt8($0)) }
    let first = try await market.store.register(.sample(pictures: [files[0], files[1], files[0]]))
    let second = try await market.store.register(.sample(pictures: [files[1], files[2]]))
    #expect(first.pictures[1] == second.pictures[0] && first.pictures[0] == first.pictures[2])
    func presence() async throws -> [Bool] {
      var presence: [Bool] = []
      for picture in [first.pictures[0], first.pictures[1], second.pictures[1]] {
        let original = try? await market.store.picture(at: picture.original, .original)
        let small = try? await market.store.picture(at: picture.thumbnail, .thumbnail)
        expect(original == nil, small == nil)
        presence.append(original != nil)
      }
      return presence
    }

    let before = try await presence()
    _ = try await market.store.update(
      second.id, with: ProductPatch(pictures: .list([.kept(second.pictures[0])])),
      password: Password("secret"), by: .guest, expecting: nil)
    let edited = try await presence()
    try market.expectConsistent()
    _ = try await market.store.remove(first.id)
    let removed = try await presence()
    _ = try await market.store.remove(second.id)

    #expect(before == [true, true, true] && edited == [true, true, false])
    expect(removed, [false, true, false])
    try await expect(presence(), [false, false, false])
  }

  @Test(arguments: Database.allCases)
  func `both files of a picture are read by their locators, and by no others`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let picture = try #require(
      try await market.store.register(.sample(pictures: [PictureFile.jpeg(1)])).pictures.first)

    let original = try await market.store.picture(at: picture.original, .original)
    let small = try await market.store.picture(at: picture.thumbnail, .thumbnail)

    #expect(original == PictureFile.jpeg(1) && small == Array(original.prefix(16)))
    for locator in [
      "", "none", picture.original.uppercased(), picture.original + "00",
      String(repeating: "0", count: 64),
    ] {
      await #expect(throws: RepositoryError.notFound, "\(locator)") {
        try await market.store.picture(at: locator, .original)
      }
    }
    await #expect(throws: PictureError.missing) {
      try await market.store.bytes(
        of: Picture(original: "none", thumbnail: "none"), .original)
    }
  }

  @Test(arguments: Database.allCases)
  func `bytes that are stored grow with pictures`(_ database: Database) async throws {
    let market = try await ContractMarket(database)
    let empty = try await market.store.storedBytes()

    let id = try await market.store.register(
      .sample(pictures: [PictureFile.jpeg(1, byteCount: 300_000)])
    ).id
    let full = try await market.store.storedBytes()

    #expect(full > 250_000)
    // A database is shared with other tests, and counts what is free until tables are cleaned.
    guard database == .sqlite else { return }
    #expect(full - empty > 250_000)
    _ = try await market.store.remove(id)
    #expect(try await market.store.storedBytes() < full - 250_000)
  }
}
