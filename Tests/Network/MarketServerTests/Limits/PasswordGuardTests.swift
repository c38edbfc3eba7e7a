import Expectations
import MarketAPI
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import MarketModel
@testable import MarketServer

struct PasswordGuardTests {
  private let items = ItemsDialect()
  private let products = ProductsDialect(variant: .y2023)
  private let owner = Author.seller(SellerIdentifier(secret: "the-owner"))

  @Test func `the sixth wrong try from one address is not looked at`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(password: "right")).id

    for _ in 1...5 {
      let wrong = try await market.send(.delete(id, Password("wrong"), .guest), in: items)
      expect(wrong.status, .notFound)
    }
    let sixth = try await market.send(.delete(id, Password("right"), .guest), in: items)

    expect(sixth.status, .notFound)
    expect(sixth.headers[HeaderName.retryAfter], "30")
  }

  @Test func `while lanes are busy for too long others are to come back`() async throws {
    expect(PasswordHasher.Lanes.served.timeout, .seconds(2))
    let market = try await ServedStore(hashingOn: .init(count: 1, timeout: .zero))
    let responder = market.responder
    let message = try products.request(for: .register(.sample(), owner, nil))
    let request = ServerRequest(
      message.method, message.target.text, headers: message.headers, body: message.body,
      from: RemoteClient(address: "192.0.2.1"))

    let answers = await withTaskGroup(of: HTTPResponse.self) { group in
      for _ in 0..<200 { group.addTask { await responder.response(to: request).message } }
      return await group.reduce(into: []) { $0.append($1) }
    }

    let refused = answers.filter { !$0.status.isSuccess }
    #expect(!refused.isEmpty && refused.count < 200)
    for answer in refused {
      expect(answer.status, .serviceUnavailable)
      expect(answer.headers[HeaderName.retryAfter], "1")
    }
  }

  @Test func `the wait doubles with each wrong try, up to a quarter of an hour`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(password: "right")).id
    for _ in 1...5 { _ = try await tryWrong(id, at: market) }

    var waits: [Int64] = []
    for _ in 1...7 {
      let refused = try await tryWrong(id, at: market)
      let wait = try #require(refused.headers[HeaderName.retryAfter].flatMap { Int64($0) })
      waits.append(wait)
      market.clock.advance(by: wait)
      try await expect(tryWrong(id, at: market).problem, "wrong_password")
    }

    expect(waits, [30, 60, 120, 240, 480, 900, 900])
  }

  @Test func `the right password after the wait begins a new count`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(password: "right")).id
    for _ in 1...5 { _ = try await tryWrong(id, at: market) }
    market.clock.advance(by: 30)

    let right = try await market.send(.verify(id, Password("right"), .guest), in: items)

    expect(right.status, .ok)
    for _ in 1...5 {
      try await expect(tryWrong(id, at: market).problem, "wrong_password")
    }
  }

  @Test func `attempts at the same time do not all pass as the first one`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(password: "right")).id
    let responder = market.responder
    let message = try items.request(for: .verify(id, Password("wrong"), .guest))
    let request = ServerRequest(
      message.method, message.target.text, headers: message.headers, body: message.body,
      from: RemoteClient(address: "192.0.2.9"))

    let problems = await withTaskGroup(of: String?.self) { group in
      for _ in 1...20 {
        group.addTask { try? await responder.response(to: request).message.problem }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }

    expect(problems.count { $0 == "wrong_password" }, 5)
    expect(problems.count { $0 == "too_many_attempts" }, 15)
  }

  @Test func `right edits of the owner at the same moment are all looked at`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(password: "right"), by: owner).id

    let statuses = try await statuses(
      of: 40, .verify(id, Password("right"), owner), in: products, at: [market.responder])

    expect(statuses, [HTTPStatus](repeating: .accepted, count: 40))
    for _ in 1...5 { try await expect(tryWrong(id, at: market).status, .notFound) }
  }

  @Test func `right attempts of a guest at the same moment are all looked at, also at two servers`()
    async throws
  {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(password: "right")).id
    let another = try await market.anotherServer()

    let statuses = try await statuses(
      of: 24, .verify(id, Password("right"), .guest), in: items, at: [market.responder, another])

    expect(statuses, [HTTPStatus](repeating: .ok, count: 24))
  }

  @Test func `guessing at two servers at the same moment gains no try`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(password: "right")).id
    let another = try await market.anotherServer()

    let problems = try await problems(
      of: 24, .verify(id, Password("wrong"), .guest), in: items, at: [market.responder, another])

    expect(problems.count { $0 == "wrong_password" }, 5)
    expect(problems.count { $0 == "too_many_attempts" }, 19)
  }

  @Test func `who has known the password may be wrong as often as anybody`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(password: "right")).id
    _ = try await market.send(.verify(id, Password("right"), .guest), in: items)

    for _ in 1...5 { try await expect(tryWrong(id, at: market).problem, "wrong_password") }

    let sixth = try await market.send(.verify(id, Password("right"), .guest), in: items)
    try expect(sixth.problem, "too_many_attempts")
    expect(sixth.headers[HeaderName.retryAfter], "30")
  }

  @Test func `who has known the password gains a bounded number of attempts by guessing at once`()
    async throws
  {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(password: "right")).id
    _ = try await market.send(
      .verify(id, Password("right"), .guest), in: items, from: "192.0.2.9")

    let problems = try await problems(
      of: 100, .verify(id, Password("wrong"), .guest), in: items, at: [market.responder])

    #expect(problems.count { $0 == "wrong_password" } > 5)
    #expect(problems.count { $0 == "wrong_password" } <= 37)
    let next = try await tryWrong(id, at: market, from: "192.0.2.9")
    try expect(next.problem, "too_many_attempts")
  }

  @Test func `a stranger's try in which no password was looked at is taken back`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(password: "right")).id
    let passwords = PasswordGuard(market: market.store, now: { 1_750_000_000 })

    for number in 1...100 {
      let origin = AttemptOrigin(address: "192.0.2.\(number)", author: .guest)
      await #expect(throws: RepositoryError.store(.locked)) {
        try await passwords.trying(on: id, by: origin) { () throws(RepositoryError) -> Void in
          throw .store(.locked)
        }
      }
    }

    for number in 1...30 {
      let stranger = try await tryWrong(id, at: market, from: "198.51.100.\(number)")
      try expect(stranger.problem, "wrong_password")
    }
    let last = try await tryWrong(id, at: market, from: "203.0.113.1")
    try expect(last.problem, "too_many_attempts")
  }

  @Test func `a try of one address in which no password was looked at is taken back`()
    async throws
  {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(password: "right")).id
    let passwords = PasswordGuard(market: market.store, now: { 1_750_000_000 })
    let origin = AttemptOrigin(address: "192.0.2.1", author: .guest)

    for _ in 1...20 {
      await #expect(throws: RepositoryError.cancelled) {
        try await passwords.trying(on: id, by: origin) { () throws(RepositoryError) -> Void in
          throw .cancelled
        }
      }
    }

    for _ in 1...5 { try await expect(tryWrong(id, at: market).problem, "wrong_password") }
    try await expect(tryWrong(id, at: market).problem, "too_many_attempts")
  }

  @Test(arguments: [Int64.min, -1, Int64.max])
  func `counts of a forged file are taken for the nearest that can be`(
    _ number: Int64
  ) async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(password: "right")).id
    _ = try await tryWrong(id, at: market)
    let path = market.folder.path(of: "market.sqlite")
    try SQLiteConnection(opening: path, .init()).execute(
      "UPDATE password_attempt SET wrong = \(number), last = \(number);"
        + "UPDATE password_limit SET busy_until = \(number)")

    for address in ["192.0.2.1", "192.0.2.2"] {
      let answer = try await tryWrong(id, at: market, from: address)
      expect(answer.status, .notFound)
    }

    market.clock.advance(by: AttemptRules.forgettingSeconds + 1)
    let right = try await market.send(.verify(id, Password("right"), .guest), in: items)
    expect(right.status, .ok)
  }

  @Test func `over all addresses a product takes a bounded rate of wrong attempts`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(password: "right")).id

    var looked = 0
    for number in 1...100 {
      let answer = try await tryWrong(id, at: market, from: "192.0.2.\(number)")
      if try answer.problem == "wrong_password" { looked += 1 }
    }

    expect(looked, 30)
    market.clock.advance(by: 60)
    let right = try await market.send(
      .verify(id, Password("right"), .guest), in: items, from: "198.51.100.1")
    expect(right.status, .ok)
  }

  @Test func `a siege keeps neither the seller nor a known address out`() async throws {
    let market = try await ServedStore()
    let sold = try await market.store.register(.sample(password: "right"), by: owner).id
    let known = "198.51.100.7"
    _ = try await market.send(.verify(sold, Password("right"), .guest), in: items, from: known)

    for number in 1...100 { _ = try await tryWrong(sold, at: market, from: "192.0.2.\(number)") }

    let stranger = try await market.send(
      .verify(sold, Password("right"), .guest), in: items, from: "203.0.113.1")
    try expect(stranger.problem, "too_many_attempts")
    #expect(try #require(stranger.headers[HeaderName.retryAfter].flatMap { Int($0) }) <= 60)
    let byIdentifier = try await market.send(
      .verify(sold, Password("right"), owner), in: products, from: "203.0.113.1")
    expect(byIdentifier.status, .accepted)
    let byAddress = try await market.send(
      .verify(sold, Password("right"), .guest), in: items, from: known)
    expect(byAddress.status, .ok)
  }

  @Test func `another seller's attempts count for nobody`() async throws {
    let market = try await ServedStore()
    let sold = try await market.store.register(.sample(password: "right"), by: owner).id
    let other = Author.seller(SellerIdentifier(secret: "another"))

    for _ in 1...20 {
      let answer = try await market.send(.verify(sold, Password("right"), other), in: products)
      expect(answer.status, .forbidden)
    }

    let own = try await market.send(.verify(sold, Password("right"), owner), in: products)
    expect(own.status, .accepted)
  }

  @Test func `many identifiers from one address are one stranger`() async throws {
    let market = try await ServedStore()
    let guests = try await market.store.register(.sample(password: "right")).id

    var looked = 0
    for number in 1...20 {
      let identifier = Author.seller(SellerIdentifier(secret: "seller-\(number)"))
      let answer = try await market.send(
        .verify(guests, Password("wrong"), identifier), in: products)
      if answer.status == .unauthorized { looked += 1 }
    }

    expect(looked, 5)
  }

  @Test func `a clock that is set back makes no wait longer`() async throws {
    let market = try await ServedStore()
    let id = try await market.store.register(.sample(password: "right")).id
    for _ in 1...5 { _ = try await tryWrong(id, at: market) }
    for number in 2...40 { _ = try await tryWrong(id, at: market, from: "192.0.2.\(number)") }

    market.clock.advance(by: -86_400)

    let own = try await tryWrong(id, at: market)
    expect(own.headers[HeaderName.retryAfter], "30")
    let stranger = try await tryWrong(id, at: market, from: "198.51.100.1")
    #expect(try #require(stranger.headers[HeaderName.retryAfter].flatMap { Int($0) }) <= 60)
    market.clock.advance(by: 60)
    try await expect(tryWrong(id, at: market).status, .notFound)
  }

  @Test func `a product that is not there has no attempts`() async throws {
    let market = try await ServedStore()

    for _ in 1...10 {
      try await expect(tryWrong(Product.ID(rawValue: 99), at: market).status, .notFound)
    }
  }

  /// What attempts at the same moment are answered, divided among servers.
  private func statuses(
    of count: Int, _ operation: MarketOperation, in dialect: any MarketDialect,
    at servers: [MarketResponder]
  ) async throws -> [HTTPStatus] {
    try await responses(of: count, operation, in: dialect, at: servers).map(\.status)
  }

  private func problems(
    of count: Int, _ operation: MarketOperation, in dialect: any MarketDialect,
    at servers: [MarketResponder]
  ) async throws -> [String?] {
    try await responses(of: count, operation, in: dialect, at: servers).map { try $0.problem }
  }

  /// What is answered to as many requests at once, divided among the servers.
  private func responses(
    of count: Int, _ operation: MarketOperation, in dialect: any MarketDialect,
    at servers: [MarketResponder]
  ) async throws -> [HTTPResponse] {
    let message = try dialect.request(for: operation)
    let request = ServerRequest(
      message.method, message.target.text, headers: message.headers, body: message.body,
      from: RemoteClient(address: "192.0.2.9"))
    return await withTaskGroup(of: HTTPResponse.self) { group in
      for number in 0..<count {
        let server = servers[number % servers.count]
        group.addTask { await server.response(to: request).message }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  private func tryWrong(
    _ id: Product.ID, at market: borrowing ServedStore, from address: String = "192.0.2.1"
  ) async throws -> HTTPResponse {
    try await market.send(.verify(id, Password("wrong"), .guest), in: items, from: address)
  }
}
