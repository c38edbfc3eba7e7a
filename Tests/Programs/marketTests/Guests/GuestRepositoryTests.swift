import Expectations
import MarketModel
import MarketStore
import StoreCore
import TestSupport
import Testing

@testable import market

struct GuestRepositoryTests {
  @Test(arguments: ["verify", "update", "delete", "answer", "empty answer", "delete question"])
  func `the sixth wrong password of a guest is not looked at`(operation: String) async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.open(
      at: folder.path(of: "market.sqlite"), pictureProcessor: PassThroughPictureProcessor(),
      options: SQLiteStore.Options(createsFile: true, passwordCost: .least))
    let guest = Guest(
      caller: try SSHClientInfo { $0 == "SSH_CONNECTION" ? "192.0.2.1 1 192.0.2.2 22" : nil },
      sshArguments: "")
    let repository = GuestRepository(store, for: guest, now: { 1_000 })
    let registration = ProductRegistration(
      name: "Cup", description: "Tall", price: Money(hundredths: 1_000, currency: .usd),
      discountHundredths: 0, stock: 1, pictures: [PictureFile.jpeg()],
      password: Password("secret"))
    let key = IdempotencyKey(rawValue: "key")
    let id = try await repository.register(registration, by: .guest, key: key).id
    let asker = SellerIdentifier(secret: "asker")
    let question = try await repository.ask(
      NewQuestion(text: "Is it there?"), about: id, by: asker, key: key
    ).id
    func attempt(_ password: Password) async -> RepositoryError? {
      do throws(RepositoryError) {
        switch operation {
        case "verify": try await repository.verify(password, for: id, by: .guest)
        case "update":
          _ = try await repository.update(
            id, with: ProductPatch(stock: 0), password: password, by: .guest, expecting: nil)
        case "answer":
          _ = try await repository.answer(
            question, with: NewAnswer(text: "Yes."), by: .guest, password: password)
        case "empty answer":
          _ = try await repository.answer(
            question, with: NewAnswer(text: ""), by: .guest, password: password)
        case "delete question":
          try await repository.deleteQuestion(question, by: .guest, password: password)
        default: _ = try await repository.delete(id, password: password, by: .guest)
        }
        return nil
      } catch {
        return error
      }
    }

    for _ in 1...5 { await expect(attempt(Password("wrong")), .wrongPassword) }

    await expect(attempt(Password("secret")), .tooManyAttempts(retryAfterSeconds: 30))
    try await expect(repository.detail(of: id).product.stock, 1)
  }

  @Test func `guests from one address send ten questions and answers an hour, in all processes`()
    async throws
  {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.open(
      at: folder.path(of: "market.sqlite"), pictureProcessor: PassThroughPictureProcessor(),
      options: SQLiteStore.Options(createsFile: true, passwordCost: .least))
    let seller = SellerIdentifier(secret: "seller")
    let id = try await store.register(
      .sample(), by: .seller(seller), key: IdempotencyKey(rawValue: "key")
    ).id
    var limits = HostingOptions()
    limits.state = folder.path(of: "house")
    let directory = try GuestDirectory(limits)
    func refusal(_ number: Int, from address: String, after seconds: Int64 = 0) async throws
      -> RepositoryError?
    {
      var guest = Guest(
        caller: try SSHClientInfo { $0 == "SSH_CONNECTION" ? "\(address) 1 192.0.2.2 22" : nil },
        sshArguments: "")
      guest.sentQuestions = directory.counter(of: address)
      let repository = GuestRepository(store, for: guest, now: { 4_000_000_000 + seconds })
      do throws(RepositoryError) {
        let key = IdempotencyKey(rawValue: "\(number)")
        let question = try await repository.ask(
          NewQuestion(text: "\(number)"), about: id,
          by: SellerIdentifier(secret: "asker-\(number)"), key: key)
        _ = try await repository.answer(
          question.id, with: NewAnswer(text: "Yes."), by: .seller(seller), password: nil)
        return nil
      } catch {
        return error
      }
    }

    for number in 1...5 { try await expect(refusal(number, from: "192.0.2.1"), nil) }

    let wait = RepositoryError.tooManyRequests(retryAfterSeconds: 360)
    try await expect(refusal(6, from: "192.0.2.1"), wait)
    try await expect(refusal(6, from: "198.51.100.9"), nil)
    try await expect(
      refusal(7, from: "192.0.2.1", after: 359), .tooManyRequests(retryAfterSeconds: 1))
    try await expect(refusal(7, from: "192.0.2.1", after: 720), nil)
    try await expect(store.detail(of: id).questionCount, 7)
  }
}
