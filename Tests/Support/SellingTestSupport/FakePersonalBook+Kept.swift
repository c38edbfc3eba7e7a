import MarketModel

/// What is kept, in memory.
struct FakeKept {
  struct Entry {
    var product: KeptProduct?
    var seller: KeptSeller?
    var isLetGo = false

    var key: KeptKey? { product?.key ?? seller?.key }
  }

  var entries: [Entry] = []
  var pictures: [KeptID: [UInt8]] = [:]
  static let now = Timestamp(seconds: 1_700_000_000)

  func index(of key: KeptKey) -> Int? { entries.firstIndex { $0.key == key } }

  var present: [Entry] { entries.filter { !$0.isLetGo } }
}

extension FakePersonalBook {
  /// All products that are kept, the latest first.
  package var keptNow: [KeptProduct] { kept.present.reversed().compactMap(\.product) }

  package func keptMarks(of market: MarketKey) -> KeptMarks {
    let keys = kept.present.compactMap(\.key).filter { $0.market == market }
    return keys.reduce(into: KeptMarks()) { $0.set($1.thing, isKept: true) }
  }

  package func keep(
    _ product: Product, description: String?, of market: KeptMarket
  ) -> KeepingOutcome {
    guard !isFull else { return .full }
    let key = KeptKey(.product(product.id), in: market.key)
    if let index = kept.index(of: key) {
      kept.entries[index].isLetGo = false
      kept.entries[index].product?.product = product
    } else {
      let id = KeptID(rawValue: Int64(kept.entries.count + 1))
      kept.entries.append(
        FakeKept.Entry(
          product: KeptProduct(
            id: id, market: market, product: product, description: description,
            kept: FakeKept.now, seen: FakeKept.now)))
    }
    return .kept
  }

  package func keep(
    _ seller: Seller, by product: Product.ID, of market: KeptMarket
  ) -> KeepingOutcome {
    guard !isFull else { return .full }
    if let index = kept.index(of: KeptKey(.seller(seller.id), in: market.key)) {
      kept.entries[index].isLetGo = false
    } else {
      let id = KeptID(rawValue: Int64(kept.entries.count + 1))
      kept.entries.append(
        FakeKept.Entry(
          seller: KeptSeller(
            id: id, market: market, seller: seller, product: product, kept: FakeKept.now)))
    }
    return .kept
  }

  package func letGo(_ key: KeptKey) -> Bool { change(key) { $0.isLetGo = true } }
  package func takeBack(_ key: KeptKey) -> Bool { change(key) { $0.isLetGo = false } }

  package func write(_ note: String, to key: KeptKey) -> Bool {
    change(key) {
      $0.product?.note = note
      $0.seller?.note = note
    }
  }

  private func change(_ key: KeptKey, _ change: (inout FakeKept.Entry) -> Void) -> Bool {
    guard !isFull, let index = kept.index(of: key) else { return false }
    change(&kept.entries[index])
    return true
  }

  package func keptList(of words: [String]) -> KeptList {
    let found = kept.present.reversed().filter { entry in
      let text = [
        entry.product?.product.name, entry.product?.note, entry.seller?.seller.name,
        entry.seller?.note,
      ].compactMap(\.self).joined(separator: " ").lowercased()
      return words.allSatisfy { text.contains($0.lowercased()) }
    }
    return KeptList(
      products: found.compactMap { $0.product?.id }, sellers: found.compactMap { $0.seller?.id })
  }

  package func keptProducts(_ ids: [KeptID]) -> [KeptProduct] {
    kept.present.compactMap(\.product).filter { ids.contains($0.id) }
  }

  package func keptSellers(_ ids: [KeptID]) -> [KeptSeller] {
    kept.present.compactMap(\.seller).filter { ids.contains($0.id) }
  }

  package func keptProduct(_ id: Product.ID, in market: MarketKey) -> KeptProduct? {
    kept.present.compactMap(\.product).first { $0.key == KeptKey(.product(id), in: market) }
  }

  package func keptPicture(of id: KeptID) -> [UInt8]? { kept.pictures[id] }

  package func latestKept(ofEach limit: Int) -> [KeptMarket: [Product.ID]] {
    Dictionary(grouping: keptNow, by: \.market).mapValues { $0.prefix(limit).map(\.product.id) }
  }

  package func didSeeKept(_ products: [Product], in market: MarketKey) -> [Product.ID] {
    for product in products {
      _ = change(KeptKey(.product(product.id), in: market)) {
        $0.product?.product = product
        $0.product?.gone = nil
      }
    }
    return []
  }

  package func didSeeKept(
    _ description: String, of product: Product.ID, in market: MarketKey
  ) {
    _ = change(KeptKey(.product(product), in: market)) { $0.product?.description = description }
  }

  package func didLoseKept(_ products: [Product.ID], in market: MarketKey) {
    for product in products {
      _ = change(KeptKey(.product(product), in: market)) { $0.product?.gone = FakeKept.now }
    }
  }

  package func keep(_ picture: [UInt8], of product: Product, in market: MarketKey) {
    guard let kept = keptProduct(product.id, in: market) else { return }
    self.kept.pictures[kept.id] = picture
  }
}
