import CommandKit
import Expectations
import MarketModel
import MarketStrings
import PostgresStore
import PostgresTestSupport
import SafeTextKit
import StoreCore
import TestSupport
import Testing

@testable import market_server

/// Messages about the database at the start of the server.
struct DatabaseSentenceTests {
  private static let place = StoreLocation("postgresql://market:secret@db.example/market")

  @Test func `it is one sentence of the language, and the database's own words once`() {
    let error = RepositoryError.store(.cannotOpen("FATAL:  no\u{1B}[31m entry"))

    expect(
      Self.place.sentence(on: error, Strings(.korean)).string,
      "데이터베이스를 열 수 없습니다: FATAL:  no\u{FFFD}[31m entry")
    expect(
      Self.place.sentence(on: error, Strings(.english)).string,
      "The database cannot be opened: FATAL:  no\u{FFFD}[31m entry")
  }

  @Test(
    arguments: [
      .unreachable(.disconnected), .store(.locked), .store(.readOnly), .store(.diskFull),
      .store(.newerVersion), .store(.beforeFirstRelease), .store(.failed(code: 0)),
    ] as [RepositoryError])
  func `no sentence speaks of a file`(error: RepositoryError) {
    let english = Self.place.sentence(on: error, Strings(.english)).string
    let korean = Self.place.sentence(on: error, Strings(.korean)).string

    #expect(english.contains("database") && !english.contains("file"))
    #expect(korean.hasPrefix("데이터베이스") || korean.contains("데이터베이스입니다"))
  }

  @Test(
    arguments: [
      "market:secret@127.0.0.1:1/market", "market:secret%@127.0.0.1:1/market",
      "market:x@secret@127.0.0.1:1/market", "market:secret/x@127.0.0.1:1/market",
      "market:x/secret@127.0.0.1:1/market", "market:secret?x/y@127.0.0.1:1/market",
      "market@127.0.0.1:1/market?password=secret", "market:secret@[::1/market",
      "market:secret@127.0.0.1,127.0.0.1,127.0.0.1/market?port=1,2",
    ])
  func `no password comes out of an address that cannot be opened`(rest: String) async throws {
    var options = PostgresMarketStore.Options.forTests
    options.timeoutMilliseconds = 2_000

    let error = try await #require(throws: RepositoryError.self) {
      try await PostgresMarketStore.open(at: "postgresql://" + rest, options)
    }

    let sentence = Self.place.sentence(on: error, Strings(.english)).string
    #expect(sentence.hasPrefix("The database cannot be opened: "))
    #expect(!sentence.contains("secret"), "\(sentence)")
  }

  @Test(arguments: [[""], ["--store:"], ["--listen", ""]])
  func `no mistake of the command line repeats an address`(words: [String]) throws {
    let words = words.dropLast() + [(words.last ?? "") + "postgresql://market:secret@db/market"]

    let mistake = try #require(throws: CommandLineError.self) {
      try ServerCommands.table.parse(Array(words))
    }

    #expect(!mistake.text(Strings(.english)).string.contains("secret"))
  }
}
