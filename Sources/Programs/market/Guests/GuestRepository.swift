import Glibc
import MarketModel

/// A market file for a guest: passwords are tried, and questions and answers sent, as often as a server
/// lets them be, from the guest's own address.
nonisolated struct GuestRepository: RepositoryDecorator {
  var repository: any ProductRepository { market }
  private let market: any ServedMarket
  private let passwords: PasswordGuard
  private let address: String
  private let sentQuestions: GuestCounter?
  private let now: @Sendable () -> Int64

  init(_ market: any ServedMarket, for guest: Guest, now: @escaping @Sendable () -> Int64) {
    self.market = market
    passwords = PasswordGuard(market: market, now: now)
    address = guest.caller.address
    sentQuestions = guest.sentQuestions
    self.now = now
  }

  func perform<Answer: Sendable>(
    _ operation: RepositoryOperation,
    _ call: @Sendable () async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    if operation.sendsQuestion,
      let seconds = sentQuestions?.take(of: QuestionRules.sentInHour, each: 3_600, now: now())
    {
      throw .tooManyRequests(retryAfterSeconds: seconds)
    }
    let origin = operation.author.map { AttemptOrigin(address: address, author: $0) }
    if let question = operation.question {
      return try await passwords.trying(onQuestion: question, by: origin, call)
    }
    guard let id = operation.product, let origin else { return try await call() }
    return try await passwords.trying(on: id, by: origin, call)
  }
}

/// Count of what guests from an address have sent, for all processes: a file whose modification time says
/// until when something is used up.
nonisolated struct GuestCounter: Hashable {
  let path: String

  /// Takes one of `limit` in `period` seconds; returns the seconds until there is one where there is
  /// none, or the file cannot be used.
  func take(of limit: Int, each period: Int64, now: Int64) -> Int? {
    let cost = period / Int64(limit)
    let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    defer { close(file) }
    var status = stat()
    guard flock(file, LOCK_EX) == 0, fstat(file, &status) == 0 else { return Int(cost) }
    let busyUntil = min(max(Int64(status.st_mtim.tv_sec), now), now + period) + cost
    guard busyUntil <= now + period else { return Int(busyUntil - now - period) }
    let time = timespec(tv_sec: Int(busyUntil), tv_nsec: 0)
    return futimens(file, [time, time]) == 0 ? nil : Int(cost)
  }
}
