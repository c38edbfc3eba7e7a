import MarketModel

/// Generator of realistic products in any number, equal for equal seeds.
struct GeneratedMarket {
  private var random: SplitMix64
  /// Random numbers for fields added later, so that the older fields stay the same.
  private var later: SplitMix64
  private let now: Int64
  private let interval: Double
  private let pictureCount: Int
  private var made = 0
  private let count: Int

  /// Makes a generator of `count` products, whose dates span the two years before `now` (seconds since
  /// 1970), and which share `pictureCount` pictures.
  init(count: Int, seed: UInt64, now: Int64, pictureCount: Int) {
    random = SplitMix64(seed: seed)
    later = SplitMix64(seed: ~seed)
    self.count = count
    self.now = now
    self.pictureCount = pictureCount
    interval = 2 * 365 * 86_400 / Double(max(1, count))
  }

  mutating func next() -> ArchivedProduct {
    let kindNumber = Int.random(in: GeneratedVocabulary.kinds.indices, using: &random)
    let kind = GeneratedVocabulary.kinds[kindNumber]
    made += 1
    var product = ArchivedProduct(
      seller: seller(), name: name(of: kind), description: text(about: kind),
      price: price(of: kind), stock: stock(),
      created: now - Int64(Double(count - made) * interval), pictures: pictures(kindNumber))
    if !later.once(in: 3) { product.category = kind.category }
    if !later.once(in: 3) { product.condition = later.pick(ProductCondition.allCases) }
    if later.once(in: 2) { product.place = later.pick(GeneratedVocabulary.places) }
    product.isReserved = later.once(in: 12) && product.stock > 0
    return product
  }

  private mutating func seller() -> String {
    let name = random.pick(GeneratedVocabulary.givenNames) + random.pick(GeneratedVocabulary.shops)
    return name + " \(Int.random(in: 1...20, using: &random))"
  }

  private mutating func name(of kind: GeneratedProductKind) -> String {
    var parts = [random.pick(kind.makers), random.pick(kind.names)]
    if !random.once(in: 3) { parts.append(random.pick(GeneratedVocabulary.variants)) }
    if random.once(in: 2) { parts.insert(random.pick(GeneratedVocabulary.conditions), at: 0) }
    if random.once(in: 4) { parts.append("\(Int.random(in: 2...9_999, using: &random))") }
    return parts.joined(separator: " ")
  }

  private mutating func text(about kind: GeneratedProductKind) -> String {
    var sentences = ["\(random.pick(kind.makers)) \(random.pick(kind.names))."]
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      sentences.append(random.pick(GeneratedVocabulary.sentences))
    }
    return sentences.joined(separator: random.once(in: 5) ? "\n" : " ")
  }

  private mutating func price(of kind: GeneratedProductKind) -> Price {
    let share = Double.random(in: 0.2...1.1, using: &random)
    let isDollars = random.once(in: 8)
    // Won in thousands, dollars in steps of five cents.
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

  /// One to five adjacent pictures, so that products of one kind look alike.
  private mutating func pictures(_ kind: Int) -> [Int] {
    guard pictureCount > 0 else { return [] }
    let share = max(1, pictureCount / GeneratedVocabulary.kinds.count)
    let first = kind * share + Int.random(in: 0..<share, using: &random)
    let count = min(Int.random(in: 1...5, using: &random), pictureCount)
    return (0..<count).map { (first + $0) % pictureCount }
  }
}

extension StoredMarket {
  /// Adds generated products for tests, equal for equal seeds.
  ///
  /// They are inserted in batches of 3,000; an interrupted run leaves whole batches. The products share
  /// the processed pictures and one password; `progress` receives the number of products after each
  /// batch.
  ///
  /// - Throws: `.cancelled` between two batches; `.store`.
  package func generate(
    _ count: Int, seed: UInt64 = 1, pictures: [PreparedPicture], passwordHash: String,
    progress: @Sendable (Int) -> Void
  ) async throws(RepositoryError) {
    try await beginBulk()
    do throws(RepositoryError) {
      try await write(
        GeneratedMarket(count: count, seed: seed, now: now(), pictureCount: pictures.count), count,
        pictures: pictures, passwordHash: passwordHash, progress: progress)
    } catch {
      // The batches so far are indexed all the same; where that fails too, the first error is thrown.
      try? await endBulk()
      throw error
    }
    try await endBulk()
  }

  private func write(
    _ market: GeneratedMarket, _ count: Int, pictures: [PreparedPicture], passwordHash: String,
    progress: @Sendable (Int) -> Void
  ) async throws(RepositoryError) {
    var market = market
    var done = 0
    while done < count {
      guard !Task.isCancelled else { throw .cancelled }
      let batch = (0..<min(3_000, count - done)).map { _ in market.next() }
      try await self.seed(
        SeedMarket(products: batch, pictures: pictures, passwordHash: passwordHash))
      done += batch.count
      progress(done)
    }
  }
}

/// Pseudorandom numbers, equal for equal seeds (Vigna, "splitmix64").
private struct SplitMix64: RandomNumberGenerator {
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

/// Kind of generated products: names, makers and prices.
private struct GeneratedProductKind {
  /// The Korean and the English name.
  let names: [String]
  let makers: [String]
  /// Usual price when new, in won.
  let won: Int64
  let category: ProductCategory

  init(
    _ korean: String, _ english: String, _ makers: String, won: Int64, _ category: ProductCategory
  ) {
    self.category = category
    names = [korean, english]
    self.makers = makers.split(separator: " ").map(String.init)
    self.won = won
  }
}

private enum GeneratedVocabulary {
  static let kinds = [
    GeneratedProductKind("자전거", "Bicycle", "삼천리 Giant Trek Brompton", won: 650_000, .sports),
    GeneratedProductKind(
      "무선 이어폰", "Earbuds", "갤럭시버즈2 AirPods Sony Jabra", won: 189_000, .electronics),
    GeneratedProductKind(
      "통기타", "Acoustic guitar", "Yamaha Crafter Cort 고퍼우드", won: 420_000, .music),
    GeneratedProductKind("의자", "Chair", "시디즈 이케아 HermanMiller 듀오백", won: 310_000, .furniture),
    GeneratedProductKind("머그컵", "Mug", "스타벅스 덴비 Fire-King 무인양품", won: 24_000, .kitchen),
    GeneratedProductKind(
      "카메라", "Camera", "Fujifilm Canon Nikon Leica 올림푸스", won: 1_250_000, .electronics),
    GeneratedProductKind("책상", "Desk", "한샘 데스커 IKEA 일룸", won: 260_000, .furniture),
    GeneratedProductKind("노트북", "Laptop", "LG그램 ThinkPad MacBook 갤럭시북", won: 1_690_000, .computers),
    GeneratedProductKind("스마트폰", "Phone", "갤럭시S24 iPhone Pixel 샤오미", won: 980_000, .electronics),
    GeneratedProductKind("텐트", "Tent", "코베아 스노우피크 헬리녹스 Coleman", won: 540_000, .outdoors),
    GeneratedProductKind("운동화", "Sneakers", "나이키 아디다스 NewBalance 아식스", won: 139_000, .clothing),
    GeneratedProductKind("코트", "Coat", "노스페이스 유니클로 Barbour 코오롱", won: 280_000, .clothing),
    GeneratedProductKind("책 세트", "Book set", "민음사 열린책들 Penguin 창비", won: 88_000, .books),
    GeneratedProductKind("유모차", "Stroller", "Stokke 부가부 잉글레시나 Cybex", won: 870_000, .baby),
    GeneratedProductKind("커피 머신", "Coffee machine", "브레빌 드롱기 네스프레소 Gaggia", won: 460_000, .kitchen),
    GeneratedProductKind("스탠드 조명", "Lamp", "필립스 루이스폴센 IKEA 무토", won: 95_000, .furniture),
    GeneratedProductKind("키보드", "Keyboard", "레오폴드 해피해킹 Keychron 로지텍", won: 165_000, .computers),
    GeneratedProductKind("모니터", "Monitor", "LG 삼성 Dell BenQ", won: 390_000, .computers),
    GeneratedProductKind("손목시계", "Watch", "세이코 카시오 Omega 티쏘", won: 720_000, .clothing),
    GeneratedProductKind("화분", "Plant pot", "몬스테라 두갸르송 올리브나무 Fiddle-leaf", won: 35_000, .other),
    GeneratedProductKind("스피커", "Speaker", "보스 JBL 마샬 Harman/Kardon", won: 330_000, .electronics),
    GeneratedProductKind("블록 세트", "Building bricks", "LEGO 레고 옥스포드 메가블록", won: 120_000, .toys),
    GeneratedProductKind("냄비", "Cooking pot", "르크루제 스타우브 휘슬러 WMF", won: 210_000, .kitchen),
    GeneratedProductKind("스케이트보드", "Skateboard", "Element 산타크루즈 Globe 루디스", won: 150_000, .sports),
  ]

  static let conditions = [
    "새상품급", "미개봉", "S급", "상태 좋은", "사용감 있는", "거의 새것", "like new", "boxed", "vintage",
    "barely used", "급처", "정품",
  ]

  static let places = [
    "서울 마포구", "서울 성동구", "서울 송파구", "서울 관악구", "서울 은평구", "서울 종로구", "서울 강서구", "서울 노원구",
    "경기 성남시 분당구", "경기 수원시", "경기 고양시 일산", "경기 부천시", "인천 연수구", "부산 해운대구", "부산 수영구",
    "대구 수성구", "대전 유성구", "광주 북구", "울산 남구", "세종", "강원 강릉시", "전북 전주시", "제주시", "Seoul, Itaewon",
  ]

  static let variants = [
    "블랙", "화이트", "그레이", "네이비", "2인용", "한정판", "256GB", "13인치", "M", "270mm", "2023년형",
    "Pro", "mini", "세트", "limited", "red",
  ]

  static let sentences = [
    "작년에 사서 몇 번 안 썼어요.", "이사 때문에 급하게 내놓습니다.", "생활 기스 조금 있고 작동 잘 됩니다.",
    "직거래는 합정역 근처에서 가능해요.", "택배비는 별도입니다.", "선물 받았는데 취향이 아니라 팝니다.",
    "박스와 설명서 모두 있습니다.", "반려동물 없는 집에서 썼습니다.", "네고는 조금만 가능합니다.",
    "구성품은 사진에 있는 것이 전부예요.", "밤 9시 이후에 연락 주세요.", "배터리는 하루 넘게 갑니다.",
    "Bought last spring, used a handful of times.", "Small scratch on the back, see photo 2.",
    "Pick up near City Hall, evenings.", "Smoke-free home.", "All parts included, box too.",
    "Price is firm, thanks.", "Works perfectly; I simply have two.", "Can ship within 2 days.",
  ]

  static let givenNames = [
    "민수", "영희", "지우", "서연", "도윤", "하은", "준호", "Alex", "Sam", "Yuna", "Chris", "Mina",
  ]

  static let shops = ["네 가게", "상점", "의 서랍", " 중고", "'s attic", " & co", " market", "네 창고"]
}
