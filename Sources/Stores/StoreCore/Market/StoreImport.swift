import MarketModel
import SQLiteKit
import Synchronization

/// Import of products into a store.
final class StoreImport<Store: StoredMarket>: MarketImport {
  private let store: Store
  private let cache: Mutex<ImportCache>
  let startsEmpty: Bool

  init(into store: Store, remembering cache: ImportCache) {
    self.store = store
    startsEmpty = cache.highestOwnID == 0
    self.cache = Mutex(cache)
  }

  func prepare(_ batch: ImportBatch) -> ImportStep {
    var rows: [ImportRow] = []
    var changes: [(index: Int, incoming: IncomingProduct)] = []
    for (index, incoming) in batch.products.enumerated() {
      guard incoming.changes == nil else {
        changes.append((index, incoming))
        continue
      }
      let product = incoming.product
      rows.append(
        (
          incoming.importKey, product,
          store.indexText(product.name, product.description, product.seller.name)
        ))
    }
    let pictures = batch.pictures
    let batch = (rows: rows, changes: changes)
    return { [self] () async throws(RepositoryError) in
      try await write(batch.rows, batch.changes, pictures)
    }
  }

  func finish() async throws(RepositoryError) {
    try await store.endBulk()
  }

  private func write(
    _ rows: [ImportRow],
    _ changes: [(index: Int, incoming: IncomingProduct)], _ pictures: [String: PreparedPicture]
  ) async throws(RepositoryError) -> WrittenBatch {
    let names = Array(pictures.keys)
    let files = try await store.upload(names.compactMap { pictures[$0] })
    let stored = Dictionary(uniqueKeysWithValues: zip(names, files))
    var receipt = try await write(rows, stored)
    for (index, incoming) in changes {
      switch try await change(incoming, stored) {
      case .success(true): receipt.changed += 1
      case .success(false): break
      case .failure(let refusal): receipt.refused[index] = refusal
      }
    }
    return receipt
  }

  private func write(
    _ rows: [ImportRow], _ stored: [String: StoredPicture]
  ) async throws(RepositoryError) -> WrittenBatch {
    guard !rows.isEmpty else { return WrittenBatch(added: 0, pictureNames: [:]) }
    let before = cache.withLock { $0 }
    // The arrival key makes a product unique, however often this is run.
    let (receipt, after) = try await store.write(isRepeatable: true) {
      [store] database throws(StoreError) in
      var cache = before
      let receipt = try ProductWriter(database, indexing: store.indexText).insert(
        rows, pictures: stored, store.tokenizer, remembering: &cache)
      return .success((receipt, cache))
    }
    // The cache of a failed batch may name rows that do not exist.
    cache.withLock { $0 = after }
    return receipt
  }

  /// Changes a product of the market; false where an earlier run did so.
  private func change(
    _ incoming: IncomingProduct, _ stored: [String: StoredPicture]
  ) async throws(RepositoryError) -> Result<Bool, ImportRefusal> {
    let (now, tokenizer) = (store.now(), store.tokenizer)
    // The arrival key makes a change happen once, however often it is run.
    return try await store.write(isRepeatable: true) { database throws(StoreError) in
      // Locked before it is compared.
      let present = try incoming.product.id.flatMap { id throws(StoreError) in
        try database.products.lockedDetail(of: id)
      }
      let match = try database.archive.matches(of: [incoming])[0]
      switch match.decision(for: incoming) {
      case .new, .known: return .success(.success(false))
      case .refused(let refusal): return .success(.failure(refusal))
      case .changing: break
      }
      guard let present, let own = match.own else { return .success(.failure(.gone)) }
      _ = try database.recordImport(incoming.importKey)
      let change = incoming.patch(of: present, from: own, stored)
      try database.changes.apply(
        change.patch, to: present, files: change.files, now: now, tokenizer)
      return .success(.success(true))
    }
  }
}

/// Product to be imported: its key, and its search text under the seller's name in the archive.
typealias ImportRow = (key: [UInt8], product: ArchivedProduct, text: IndexText)

/// Cache of what an import has found in the store.
struct ImportCache: Sendable {
  /// Ids up to this one may have been those of deleted products.
  fileprivate let highestOwnID: Int64
  private let highestOwnQuestion: Int64
  var sellers = BoundedCache<ArchivedSeller, Seller>()
  /// Keys of stored passwords by their hashes.
  var passwords = BoundedCache<String, Int64>()

  /// Takes the highest ids that a product and a question of the store have ever had.
  init(highestOwnID: Int64, highestOwnQuestion: Int64) {
    self.highestOwnID = highestOwnID
    self.highestOwnQuestion = highestOwnQuestion
  }

  /// Whether a question keeps the number of the archive, under the rule of `preservableID(of:)`.
  func preserves(_ question: Question.ID) -> Bool {
    question.rawValue > highestOwnQuestion
      && StoredNumbers.preservableIDs.contains(question.rawValue)
  }

  /// The number of the archive, where the product may keep it; nil where it may have been used in this
  /// store, or is so large that it would leave no room for new ones.
  func preservableID(of product: ArchivedProduct) -> Int64? {
    guard let id = product.id?.rawValue, id > highestOwnID,
      StoredNumbers.preservableIDs.contains(id)
    else {
      return nil
    }
    return id
  }
}

extension ArchivedSeller {
  /// The number of the archive, where the seller may keep it if it is free; below 0 for sellers without
  /// an identifier.
  ///
  /// Nil beyond `StoredNumbers.preservableIDs`, as with products: new numbers need room.
  var preservableID: Int64? {
    guard let id = id?.rawValue else { return nil }
    let range = StoredNumbers.preservableIDs
    let isSound =
      identifierHash == nil ? (-range.upperBound..<0).contains(id) : range.contains(id)
    return isSound ? id : nil
  }
}

/// Existing rows of a market that decide on the import of a product.
struct ImportMatch: Sendable {
  /// Whether an earlier run has imported it.
  let isImported: Bool
  /// The product of the market that has its number.
  let own: ArchivedProduct?
  /// Whether an earlier run imported it under another number, so that `own` is another product.
  let isRenumbered: Bool

  /// `keys` are the stored keys, which include those of `incoming`; `own` is the product of the market with
  /// its number.
  init(of incoming: IncomingProduct, keys: Set<[UInt8]>, own: ArchivedProduct?) {
    isImported = keys.contains(incoming.importKey)
    self.own = own
    isRenumbered =
      incoming.product.id.map { keys.contains(ImportMatch.key(ofRenumbered: $0.rawValue)) } ?? false
  }

  /// Key of a product that was imported under a number other than its own.
  static func key(ofRenumbered number: Int64) -> [UInt8] {
    [0x23] + number.bigEndianBytes
  }

  /// The decision for the product: new, known, changing or refused.
  func decision(for incoming: IncomingProduct) -> ImportDecision {
    if isImported { return .known }
    guard let changes = incoming.changes else {
      let isCopy = own.map(incoming.isCopy) ?? false
      return isCopy && !isRenumbered && incoming.isFirstOfNumber ? .known : .new
    }
    guard let own else { return .refused(.gone) }
    guard incoming.product.version == own.version else {
      return .refused(.otherVersion(present: own.version))
    }
    if let problem = incoming.amountProblem(in: own) { return .refused(.invalid(problem)) }
    let newPictures = incoming.newPictures(for: own)
    guard incoming.differs(from: own) else { return .known }
    guard incoming.isFirstOfNumber else { return .refused(.repeated) }
    let differing = incoming.changes(of: own)
    if let field = ProductField.texts.first(where: { differing[$0].isLossy(copyOf: own[$0]) }) {
      return .refused(.lossy(field))
    }
    let values = own.fieldValues.merging(changes) { $1 }
    let problem =
      ProductField.texts.lazy.compactMap { $0.textProblem(of: differing[$0]) }.first
      ?? ProductField.allCases.lazy.filter { $0 != .pictures }
      .flatMap { $0.problems(in: values) }.first
    return problem.map { .refused(.invalid($0)) } ?? .changing(newPictures: newPictures)
  }
}

extension ImportIdentity {
  /// The first 16 bytes of the hash, followed by the number of equal products before it where there are
  /// any.
  fileprivate var key: [UInt8] {
    let hash = Array(ContentHash.of(bytes).prefix(16))
    guard earlier > 0 else { return hash }
    return hash + UInt64(earlier).bigEndianBytes
  }
}

extension IncomingProduct {
  /// The key under which the product is recorded as imported.
  var importKey: [UInt8] { identity.key }

  /// All keys that decide on the product.
  var recordedKeys: [[UInt8]] {
    [importKey] + (product.id.map { [ImportMatch.key(ofRenumbered: $0.rawValue)] } ?? [])
  }

  /// Names of its pictures without the extension that an archive adds.
  private var pictureNames: [String] { product.pictures.map(Self.pictureName) }

  private static func pictureName(_ name: String) -> String {
    name.split(separator: ".").first.map(String.init) ?? name
  }

  /// Whether it equals a product of the market, apart from questions.
  func isCopy(of own: ArchivedProduct) -> Bool {
    var product = product
    (product.pictures, product.questions) = (pictureNames, [])
    return own == product
  }

  /// Whether it changes any field or the pictures of a product of the market; an empty list of pictures
  /// leaves them as they are.
  func differs(from own: ArchivedProduct) -> Bool {
    !changes(of: own).isEmpty || !product.pictures.isEmpty && pictureNames != own.pictures
  }

  /// The fields but pictures that it changes; texts with other line ends are the same.
  func changes(of own: ArchivedProduct) -> FieldValues {
    (changes ?? [:]).filter { field, value in
      guard field != .pictures, let present = own[field], present != value else { return false }
      guard let new = value.text, let old = present.text, new.contains(where: \.isNewline) else {
        return true
      }
      return !new.elementsEqual(old) { $0 == $1 || $0.isLineEnd && $1.isLineEnd }
    }
  }

  /// What is wrong with the amounts of a row that names no currency for its product: they are of another,
  /// or have decimals that it has not.
  func amountProblem(in own: ArchivedProduct) -> FieldError? {
    let currency = own.price.currency
    if let amountCurrency, amountCurrency != currency {
      return FieldError(.price, .amount(.otherCurrency(amountCurrency, instead: currency)))
    }
    guard changes?[.currency] == nil, currency.usualDecimals == 0 else { return nil }
    let broken = [ProductField.price, .discount].first { field in
      changes?[field] != own[field] && changes?[field]?.amount?.isMultiple(of: 100) == false
    }
    return broken.map { FieldError($0, .amount(.decimals(currency))) }
  }

  /// The files of its pictures that a product of the market does not have.
  func newPictures(for own: ArchivedProduct) -> [String] {
    product.pictures.filter { !own.pictures.contains(Self.pictureName($0)) }
  }

  /// The patch for a product of the market, with the files of its new pictures in order.
  fileprivate func patch(
    of present: ProductDetail, from own: ArchivedProduct, _ stored: [String: StoredPicture]
  ) -> (patch: ProductPatch, files: [StoredPicture]) {
    var patch = ProductPatch()
    patch.set(changes(of: own))
    guard !product.pictures.isEmpty, pictureNames != own.pictures else { return (patch, []) }
    var files: [StoredPicture] = []
    let elements = product.pictures.compactMap { name -> ProductPatch.Pictures.Element? in
      let known = present.pictures.first { $0.original == Self.pictureName(name) }
      if let known { return .kept(known) }
      guard let file = stored[name] else { return nil }
      files.append(file)
      return .new([])
    }
    if elements.count == product.pictures.count { patch.pictures = .list(elements) }
    return (patch, files)
  }
}

extension FieldValue? {
  /// Whether the text is another one with “?” for each scalar beyond ASCII, or for each of its units of
  /// UTF-16, as programs save what an encoding lacks; line ends may differ.
  fileprivate func isLossy(copyOf value: FieldValue?) -> Bool {
    guard let new = self?.text, let old = value?.text, new.utf8.contains(0x3F), new != old else {
      return false
    }
    return [true, false].contains { countsUnits in
      var rest = Array(new.unicodeScalars.filter { $0 != "\r" })[...]
      for scalar in old.unicodeScalars where scalar != "\r" {
        if rest.first == scalar {
          rest.removeFirst()
        } else {
          let marks = Array(
            repeating: "?" as Unicode.Scalar, count: countsUnits ? UTF16.width(scalar) : 1)
          guard !scalar.isASCII, rest.starts(with: marks) else { return false }
          rest = rest.dropFirst(marks.count)
        }
      }
      return rest.isEmpty
    }
  }
}

extension Character {
  fileprivate var isLineEnd: Bool { self == "\r\n" || self == "\n" || self == "\r" }
}
