import Expectations
import MarketModel
import SQLiteKit
import StoreCore
import TestSupport
import Testing

/// Photos from telephones that wait for their form, over both databases.
struct UploadTests {
  private static let owner = SellerIdentifier(secret: "owner")
  private static let other = SellerIdentifier(secret: "other")
  private static let token = String(repeating: "A", count: 26)
  private static let bike = UploadedPhoto(name: "bike.jpg", bytes: [0xFF, 0xD8, 0xFF, 1, 2, 3])

  @Test(arguments: Database.allCases)
  func `photos are the owner's alone, in order, until the form has decided`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let store = market.store
    try await store.openUpload(Self.token, by: Self.owner)

    let wheel = UploadedPhoto(name: "바퀴.jpg", bytes: [1])
    let ids = try #require(try await store.addUploads([Self.bike, wheel], to: Self.token))
    let all = try await store.uploads(on: Self.token, by: Self.owner, after: 0)
    let rest = try await store.uploads(on: Self.token, by: Self.owner, after: ids[0])

    expect(
      all,
      [
        WaitingUpload(id: ids[0], name: "bike.jpg", bytes: 6),
        WaitingUpload(id: ids[1], name: "바퀴.jpg", bytes: 1),
      ])
    expect(rest.map(\.id), [ids[1]])
    let bytes = try await store.uploadedBytes(of: ids[0], on: Self.token, by: Self.owner)
    expect(bytes, Self.bike.bytes)
    try await store.endUpload(of: ids[0], on: Self.token, by: Self.owner, isTaken: true)
    try await store.endUpload(of: ids[1], on: Self.token, by: Self.owner, isTaken: false)
    expect(try await store.uploadStates(of: ids, on: Self.token), [true, false])
    expect(try await store.uploads(on: Self.token, by: Self.owner, after: 0), [])
    await #expect(throws: RepositoryError.notFound) {
      try await store.uploadedBytes(of: ids[0], on: Self.token, by: Self.owner)
    }
  }

  @Test(arguments: Database.allCases)
  func `another token and another seller find nothing`(_ database: Database) async throws {
    let market = try await ContractMarket(database)
    let store = market.store
    try await store.openUpload(Self.token, by: Self.owner)
    let ids = try #require(try await store.addUploads([Self.bike], to: Self.token))

    await #expect(throws: RepositoryError.notFound) {
      try await store.addUploads([Self.bike], to: String(repeating: "B", count: 26))
    }
    await #expect(throws: RepositoryError.notFound) {
      try await store.uploads(on: Self.token, by: Self.other, after: 0)
    }
    await #expect(throws: RepositoryError.notFound) {
      try await store.uploadedBytes(of: ids[0], on: Self.token, by: Self.other)
    }
    await #expect(throws: RepositoryError.notFound) {
      try await store.closeUpload(Self.token, by: Self.other)
    }
    expect(try await store.uploads(on: Self.token, by: Self.owner, after: 0).count, 1)
  }

  @Test(arguments: Database.allCases)
  func `ten photos are taken, also where the form has had them already`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let store = market.store
    try await store.openUpload(Self.token, by: Self.owner)

    let nine = Array(repeating: Self.bike, count: 9)
    let ids = try #require(try await store.addUploads(nine, to: Self.token))
    try await store.endUpload(of: ids[0], on: Self.token, by: Self.owner, isTaken: true)

    expect(try await store.addUploads([Self.bike, Self.bike], to: Self.token), nil)
    expect(try await store.addUploads([Self.bike], to: Self.token)?.count, 1)
    expect(try await store.addUploads([Self.bike], to: Self.token), nil)
  }

  @Test(arguments: Database.allCases)
  func `a page ends ten minutes after the form's last request, and its photos with it`(
    _ database: Database
  ) async throws {
    let clock = SecondsClock()
    let market = try await ContractMarket(database, MarketOptions(now: { clock.seconds }))
    let store = market.store
    try await store.openUpload(Self.token, by: Self.owner)
    _ = try await store.addUploads([Self.bike], to: Self.token)

    clock.seconds += 599
    expect(try await store.uploads(on: Self.token, by: Self.owner, after: 0).count, 1)
    clock.seconds += 599
    try await store.deleteOldUploads()
    expect(try await store.uploads(on: Self.token, by: Self.owner, after: 0).count, 1)
    clock.seconds += 601

    await #expect(throws: RepositoryError.notFound) {
      try await store.uploads(on: Self.token, by: Self.owner, after: 0)
    }
    try await store.deleteOldUploads()
  }

  @Test(arguments: Database.allCases)
  func `a closed page has neither photos nor room`(_ database: Database) async throws {
    let market = try await ContractMarket(database)
    let store = market.store
    try await store.openUpload(Self.token, by: Self.owner)
    _ = try await store.addUploads([Self.bike], to: Self.token)

    try await store.closeUpload(Self.token, by: Self.owner)

    await #expect(throws: RepositoryError.notFound) {
      try await store.addUploads([Self.bike], to: Self.token)
    }
  }
}
