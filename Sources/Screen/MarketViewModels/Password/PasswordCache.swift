internal import EditorKit
internal import MarketModel

/// Last correct password on one market, cached for five minutes in locked memory, for edits, undo and
/// further registrations of the same seller.
///
/// Each market has a cache of its own, so that no other server gets the password; it is never
/// written.
package final class PasswordCache {
  /// Minutes until it is cleared, rounded up; nil if there is none.
  @Observed package private(set) var minutesLeft: Int?

  /// Whether the setting is on that asks for the password each time.
  package var asksAlways: () -> Bool = { false }
  /// Open form, which may contain the password.
  weak var form: FormModel?
  /// Passwords in use by flows.
  private(set) var held: [Password] = []
  private var cached: Entry?
  private var ageing: Task<Void, Never>?
  private let clock: any Clock<Duration>

  /// Minutes after the last correct use at which the cache is cleared.
  private static let minutes = 5

  private struct Entry {
    var secret: PasswordEditor
    let seller: SellerIdentifier
    /// Products for which it was correct, and those for which it was tried.
    var opened: Set<Product.ID>
    var tried: Set<Product.ID> = []
  }

  /// Permitted use of the password for a product.
  enum Use {
    /// The password was correct for this product.
    case proved(Password)
    /// The password was correct for another product and may be tried once.
    case untried(Password)
  }

  init(clock: any Clock<Duration>) {
    self.clock = clock
  }

  package var hasPassword: Bool { minutesLeft != nil }

  /// Whether the cached password was correct for a product.
  func isKept(for product: Product.ID) -> Bool {
    hasPassword && cached?.opened.contains(product) == true
  }

  // MARK: Caching

  /// Caches a password that was correct for a product, in place of the previous one.
  ///
  /// Clears the cache if no memory can be locked, or each change asks for the password.
  func keep(_ password: Password, for product: Product.ID, by seller: SellerIdentifier?) {
    guard let seller, !asksAlways() else { return drop() }
    var secret = PasswordEditor()
    _ = password.withBytes { secret.fill($0) }
    guard secret.isLocked else {
      secret.wipe()
      return drop()
    }
    cached?.secret.wipe()
    cached = Entry(secret: secret, seller: seller, opened: [product])
    age()
  }

  /// Records that the cached password was correct for another product.
  func didProve(for product: Product.ID) {
    guard cached != nil else { return }
    cached?.opened.insert(product)
    age()
  }

  /// Renews the cache time if the password was correct for a changed product.
  func didUse(for product: Product.ID) {
    if cached?.opened.contains(product) == true { age() }
  }

  /// Clears the password if it was cached for this product.
  func didFail(for product: Product.ID) {
    if cached?.opened.contains(product) == true { drop() }
  }

  /// Has a password wiped when the cache is cleared, if its flow still holds it.
  func hold(_ password: Password) -> Password {
    held.removeAll { $0.byteCount == 0 }
    held.append(password)
    return password
  }

  /// Wipes the cached password and those in use.
  package func forget() {
    drop()
    for password in held { password.wipe() }
    held = []
  }

  private func drop() {
    ageing?.cancel()
    ageing = nil
    guard cached != nil else { return }
    cached?.secret.wipe()
    cached = nil
    minutesLeft = nil
    form?.forgetGivenPassword()
  }

  // MARK: Use

  /// Copy of the password for a product, which the caller wipes; nil if none is cached for this
  /// seller, or it was tried before.
  func use(for product: Product.ID, by seller: SellerIdentifier?) -> Use? {
    guard let password = password(by: seller) else { return nil }
    if cached?.opened.contains(product) == true { return .proved(password) }
    guard cached?.tried.insert(product).inserted == true else {
      password.wipe()
      return nil
    }
    return .untried(password)
  }

  /// Copy of the password for a new product; nil if none is cached for this seller.
  func password(by seller: SellerIdentifier?) -> Password? {
    guard let cached else { return nil }
    guard cached.seller == seller, !asksAlways() else {
      drop()
      return nil
    }
    return Password(cached.secret)
  }

  /// Restarts the five minutes.
  private func age() {
    ageing?.cancel()
    minutesLeft = Self.minutes
    ageing = Task.immediate { [weak self, clock] in
      for left in (0..<Self.minutes).reversed() {
        guard (try? await clock.sleep(for: .seconds(60))) != nil, !Task.isCancelled else { return }
        guard left > 0 else { break }
        self?.minutesLeft = left
      }
      self?.forget()
    }
  }
}
