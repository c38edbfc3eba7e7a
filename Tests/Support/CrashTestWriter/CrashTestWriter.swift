import Glibc
import MarketModel
import MarketStore
import StoreCore
import TestSupport

/// Registers, changes and deletes products in the store that its argument names until it is
/// killed, and prints each product the moment the store has acknowledged it; with a seed, what is asked
/// about them; with a number of products and a number of batches, imports those and prints each batch.
@main enum CrashTestWriter {
  static func main() async throws {
    guard let path = CommandLine.arguments.dropFirst().first else { return }
    let options = SQLiteStore.Options(
      createsFile: true, passwordCost: .least)
    let store = try await SQLiteStore.open(
      at: path, pictureProcessor: PassThroughPictureProcessor(), options: options)
    let numbers = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
    if numbers.count == 2 {
      return try await importing(numbers[1], of: numbers[0], into: store)
    }
    if let seed = CommandLine.arguments.dropFirst(2).first.flatMap({ UInt64($0) }) {
      var steps = QuestionSteps(store, seed: seed)
      return try await steps.run()
    }
    for number in 0... {
      let picture = PictureFile.jpeg(UInt8(number % 200), byteCount: 20_000)
      let id = try await store.register(.sample(name: "mug \(number)", pictures: [picture])).id
      say("there \(id.rawValue) \(number)")
      if number % 3 == 1 {
        _ = try await store.update(
          id, with: ProductPatch(stock: 0), password: Password("secret"), by: .guest,
          expecting: nil)
      }
      if number % 3 == 2 {
        // Whether it is still there is open until the deletion is acknowledged.
        say("open \(id.rawValue) \(number)")
        _ = try await store.delete(id, password: Password("secret"), by: .guest)
        say("gone \(id.rawValue) \(number)")
      }
    }
  }

  private static func importing(
    _ batches: Int, of size: Int, into store: SQLiteStore
  ) async throws {
    let target = try await store.beginImport()
    for first in stride(from: 0, to: size * batches, by: size) {
      var batch = ImportBatch()
      batch.products = (first..<first + size).compactMap(lamp)
      let written = try await target.prepare(batch)()
      say("taken \(written.added)")
    }
    say("ending 0")
    try await target.finish()
    say("ended 0")
  }

  private static func lamp(_ number: Int) -> IncomingProduct? {
    guard let price = Price(full: Money(hundredths: 100, currency: .krw)) else { return nil }
    let product = ArchivedProduct(
      seller: ArchivedSeller(id: nil, name: "Shop \(number % 5)"), name: "Lamp \(number)",
      price: price, stock: 1, created: 0, changed: 0)
    return IncomingProduct(identity: Array("\(number)".utf8), product: product)
  }

  /// Writes a line at once; `print` would keep it back in a pipe.
  fileprivate static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    write(STDOUT_FILENO, bytes, bytes.count)
  }
}

/// Random questions, answers and deletions, each printed once it is acknowledged.
private struct QuestionSteps {
  private static let secret = Password("secret")

  private let store: SQLiteStore
  private let seed: UInt64
  private var random: SeededRandom
  private let seller = Author.seller(SellerIdentifier(secret: "seller"))

  init(_ store: SQLiteStore, seed: UInt64) {
    self.store = store
    self.seed = seed
    random = SeededRandom(seed: seed)
  }

  mutating func run() async throws {
    var product = try await newProduct()
    var open: [Question.ID] = []
    for number in 0... {
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        (product, open) = (try await newProduct(), [])
      case 1, 2:
        guard let id = open.popLast() else { continue }
        let reserves = Bool.random(using: &random)
        CrashTestWriter.say("open \(id.rawValue)")
        _ = try await store.answer(
          id, with: NewAnswer(text: reserves ? "Yours." : "Yes.", reserves: reserves), by: seller,
          password: Self.secret)
        CrashTestWriter.say("\(reserves ? "reserved" : "answered") \(id.rawValue)")
      case 3:
        guard let id = open.popLast() else { continue }
        CrashTestWriter.say("open \(id.rawValue)")
        try await store.deleteQuestion(id, by: seller, password: nil)
        CrashTestWriter.say("gone \(id.rawValue)")
      default:
        let asker = SellerIdentifier(secret: "asker \(seed) \(number)")
        let id = try await store.ask(
          NewQuestion(text: "Question \(number)"), about: product, by: asker,
          key: IdempotencyKey(rawValue: "\(number)")
        ).id
        CrashTestWriter.say("asked \(id.rawValue)")
        open.append(id)
      }
    }
  }

  private func newProduct() async throws -> Product.ID {
    try await store.register(.sample(), by: seller).id
  }
}
