internal import EditorKit
internal import MarketModel

/// The password that proved right last on one market, kept for a few minutes in locked memory: for
/// edits, undo and further registrations of the same seller.
///
/// Each market has one of its own, so that no other origin can ask for it; nothing writes it anywhere.
package final class PasswordCache {
  /// Minutes until it is forgotten, rounded up; nil where none is kept.
  @Observed package private(set) var minutesLeft: Int?

  /// Whether the person wants to be asked each time.
  package var asksAlways: () -> Bool = { false }
  /// The form in which it may stand.
  weak var form: FormModel?
  /// Passwords that flows have in hand.
  private(set) var held: [Password] = []
  private var cached: Entry?
  private var ageing: Task<Void, Never>?
  private let clock: any Clock<Duration>

  private static let minutes = 5

  private struct Entry {
    var secret: PasswordEditor
    let seller: SellerIdentifier
    /// Products that it opened, and those for which it was tried.
    var opened: Set<Product.ID>
    var tried: Set<Product.ID> = []
  }

  /// What may be done with it for a product.
  enum Use {
    /// It was right for this product.
    case proved(Password)
    /// It was right for another one: one try without asking.
    case untried(Password)
  }

  init(clock: any Clock<Duration>) {
    self.clock = clock
  }

  package var hasPassword: Bool { minutesLeft != nil }

  /// Whether the one that is kept was right for a product.
  func isKept(for product: Product.ID) -> Bool {
    hasPassword && cached?.opened.contains(product) == true
  }

  // MARK: Keeping

  /// Keeps a password that was right for a product, in the place of the one before; nothing where no
  /// memory can be locked.
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

  /// The one that is kept was right for this product too.
  func didProve(for product: Product.ID) {
    guard cached != nil else { return }
    cached?.opened.insert(product)
    age()
  }

  /// A change of a product that it opened came through.
  func didUse(for product: Product.ID) {
    if cached?.opened.contains(product) == true { age() }
  }

  /// It was wrong for a product; where that was its own, it is of no use any more.
  func didFail(for product: Product.ID) {
    if cached?.opened.contains(product) == true { drop() }
  }

  /// Has a password wiped with the one that is kept, wherever its flow stands then.
  func hold(_ password: Password) -> Password {
    held.removeAll { $0.byteCount == 0 }
    held.append(password)
    return password
  }

  /// Wipes it, and those in hand.
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

  // MARK: Using

  /// A copy for a product, which is to be wiped; nil where none is kept for this seller, or it was tried
  /// in vain.
  func use(for product: Product.ID, by seller: SellerIdentifier?) -> Use? {
    guard let password = password(by: seller) else { return nil }
    if cached?.opened.contains(product) == true { return .proved(password) }
    guard cached?.tried.insert(product).inserted == true else {
      password.wipe()
      return nil
    }
    return .untried(password)
  }

  /// A copy for a new product; nil where none is kept for this seller.
  func password(by seller: SellerIdentifier?) -> Password? {
    guard let cached else { return nil }
    guard cached.seller == seller, !asksAlways() else {
      drop()
      return nil
    }
    return Password(cached.secret)
  }

  /// Counts the minutes down from the last use that was right.
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
