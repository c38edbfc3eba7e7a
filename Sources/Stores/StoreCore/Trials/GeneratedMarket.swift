import MarketModel

/// Believable products in any number, the same for the same seed.
struct GeneratedMarket {
  private var random: TrialRandom
  private let now: Int64
  private let interval: Double
  private let pictureCount: Int
  private var made = 0
  private let count: Int

  /// - Parameters:
  ///   - count: how many products there will be; their dates lie over the two years before `now`.
  ///   - seed: another one is another market.
  ///   - now: seconds since 1970.
  ///   - pictureCount: how many pictures there are to share.
  init(count: Int, seed: UInt64, now: Int64, pictureCount: Int) {
    random = TrialRandom(seed: seed)
    self.count = count
    self.now = now
    self.pictureCount = pictureCount
    interval = 2 * 365 * 86_400 / Double(max(1, count))
  }

  mutating func next() -> SeedProduct {
    let kindNumber = Int.random(in: TrialVocabulary.kinds.indices, using: &random)
    let kind = TrialVocabulary.kinds[kindNumber]
    made += 1
    return SeedProduct(
      seller: seller(), name: name(of: kind), description: text(about: kind),
      price: price(of: kind), stock: stock(),
      created: now - Int64(Double(count - made) * interval), pictures: pictures(kindNumber))
  }

  private mutating func seller() -> String {
    let name = random.pick(TrialVocabulary.givenNames) + random.pick(TrialVocabulary.shops)
    return name + " \(Int.random(in: 1...20, using: &random))"
  }

  private mutating func name(of kind: TrialKind) -> String {
    var parts = [random.pick(kind.makers), random.pick(kind.names)]
    if !random.once(in: 3) { parts.append(random.pick(TrialVocabulary.variants)) }
    if random.once(in: 2) { parts.insert(random.pick(TrialVocabulary.conditions), at: 0) }
    if random.once(in: 4) { parts.append("\(Int.random(in: 2...9_999, using: &random))") }
    return parts.joined(separator: " ")
  }

  private mutating func text(about kind: TrialKind) -> String {
    var sentences = ["\(random.pick(kind.makers)) \(random.pick(kind.names))."]
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      sentences.append(random.pick(TrialVocabulary.sentences))
    }
    return sentences.joined(separator: random.once(in: 5) ? "\n" : " ")
  }

  private mutating func price(of kind: TrialKind) -> Price {
    let share = Double.random(in: 0.2...1.1, using: &random)
    let isDollars = random.once(in: 8)
    // Won by the thousand, dollars to five cents.
    let hundredths =
      isDollars
      ? max(100, Int64(Double(kind.won) / 1_300 * share * 20) * 5)
      : max(1, Int64(Double(kind.won) * share / 1_000)) * 100_000
    let percent: Int64 = random.once(in: 5) ? .random(in: 1...14, using: &random) * 5 : 0
    let full = Money(hundredths: hundredths, currency: isDollars ? .usd : .krw)
    guard let price = Price(full: full, discountHundredths: hundredths * percent / 100) else {
      preconditionFailure("a discount in percent is below the price")
    }
    return price
  }

  private mutating func stock() -> Int64 {
    if random.once(in: 6) { return 0 }
    return .random(in: random.once(in: 8) ? 10...2_000 : 1...5, using: &random)
  }

  /// One to five neighbours, so that products of one kind look alike.
  private mutating func pictures(_ kind: Int) -> [Int] {
    guard pictureCount > 0 else { return [] }
    let share = max(1, pictureCount / TrialVocabulary.kinds.count)
    let first = kind * share + Int.random(in: 0..<share, using: &random)
    let count = min(Int.random(in: 1...5, using: &random), pictureCount)
    return (0..<count).map { (first + $0) % pictureCount }
  }
}

extension StoredMarket {
  /// Adds believable products for trials, the same ones for the same seed.
  ///
  /// They come in batches; a run that is cut short leaves whole batches.
  ///
  /// - Parameters:
  ///   - count: how many.
  ///   - seed: another one is another market.
  ///   - pictures: what the products share, fit to be kept.
  ///   - passwordHash: of the one password of all these products.
  ///   - progress: told how many products there are after each batch.
  /// - Throws: as any writing; `.cancelled` between two batches.
  package func generate(
    _ count: Int, seed: UInt64 = 1, pictures: [PreparedPicture], passwordHash: String,
    progress: @Sendable (Int) -> Void
  ) async throws(RepositoryError) {
    var market = GeneratedMarket(
      count: count, seed: seed, now: now(), pictureCount: pictures.count)
    try await beginBulk()
    var done = 0
    while done < count {
      guard !Task.isCancelled else { throw .cancelled }
      let batch = (0..<min(20_000, count - done)).map { _ in market.next() }
      try await self.seed(
        SeedMarket(products: batch, pictures: pictures, passwordHash: passwordHash))
      done += batch.count
      progress(done)
    }
    try await endBulk()
  }
}

/// Numbers that look random and are the same for the same seed (Vigna, "splitmix64").
private struct TrialRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &self)]
  }

  /// True once in `count` times.
  mutating func once(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
