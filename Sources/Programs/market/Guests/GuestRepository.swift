import Glibc
import MarketModel

/// Market file of a guest, with a server's limits on passwords, questions and answers for the guest's
/// address.
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
    if operation.sendsQuestion { try countQuestion() }
    guard let id = operation.product, let author = operation.author else { return try await call() }
    return try await passwords.trying(
      on: id, by: AttemptOrigin(address: address, author: author), call)
  }

  func answer(
    _ id: Question.ID, with answer: NewAnswer, by author: Author, password: Password?
  ) async throws(RepositoryError) -> Question {
    try countQuestion()
    return try await passwords.answer(
      id, with: answer, by: author, password: password, from: address)
  }

  func deleteQuestion(
    _ id: Question.ID, by author: Author, password: Password?
  ) async throws(RepositoryError) {
    try await passwords.deleteQuestion(id, by: author, password: password, from: address)
  }

  /// Counts a question or an answer towards the limit of the guest's address.
  /// - Throws: `.tooManyRequests` beyond it.
  private func countQuestion() throws(RepositoryError) {
    let seconds = sentQuestions?.useOne(of: QuestionRules.sentInHour, each: 3_600, now: now())
    if let seconds { throw .tooManyRequests(retryAfterSeconds: seconds) }
  }
}

/// Counter of questions and answers from an address, shared by all processes: the modification time of
/// a file says until when the limit is used up.
nonisolated struct GuestCounter: Hashable {
  let path: String

  /// Uses one of `limit` in `period` seconds; nil on success, else the seconds to wait.
  ///
  /// A file that cannot be used counts as used up.
  func useOne(of limit: Int, each period: Int64, now: Int64) -> Int? {
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
