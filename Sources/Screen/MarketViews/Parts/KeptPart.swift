internal import MarketModel
internal import MarketViewModels
internal import TerminalKit

/// Cached value that is computed again only when something it was computed from has changed.
///
/// Changes of observed values that the computation reads are detected automatically. All other inputs
/// belong in the key.
final class KeptValue<Value> {
  private struct Known {
    /// A value of the type that the computation's key has.
    let key: Any
    let subject: AnyObject
    let value: Value
  }

  /// Number of changes of the cached value's inputs; a frame observes this in their place.
  @Observed private var changes = 0
  private var known: Known?
  /// Observation of the values read by the last computation.
  private var reading: ObservedReading?

  /// Returns the value for a key and the models behind `subject`; nil where it must be computed.
  func known<Key: Equatable>(_ key: Key, of subject: AnyObject) -> Value? {
    _ = changes
    guard let known, known.subject === subject, known.key as? Key == key else { return nil }
    return known.value
  }

  /// Computes the value, which is not kept where `compute` returns nil.
  func read<Key: Equatable>(_ key: Key, of subject: AnyObject, _ compute: () -> Value?) {
    reading?.end()
    let reading = ObservedReading { [weak self] in self?.didChange() }
    self.reading = reading
    known = reading.read(compute).map { Known(key: key, subject: subject, value: $0) }
  }

  func value<Key: Equatable>(_ key: Key, of subject: AnyObject, _ compute: () -> Value) -> Value {
    if let value = known(key, of: subject) { return value }
    read(key, of: subject, compute)
    return known(key, of: subject) ?? compute()
  }

  func forget() { known = nil }

  private func didChange() {
    known = nil
    changes += 1
  }
}

/// Cached part of a frame.
///
/// All inputs that are not observed belong in the key, also those that change with each move of the
/// selection, unless they are drawn over it.
struct KeptPart {
  private let drawn = KeptValue<CellBlock>()

  /// Draws a part that fills `rect`, for the models behind `subject`: from the cache, or by `write`.
  func draw<Key: Equatable>(
    _ key: Key, of subject: AnyObject, in rect: CellRect, on canvas: inout Canvas,
    writing write: (inout Canvas) -> Void
  ) {
    if let block = drawn.known(key, of: subject), canvas.put(block, at: rect.origin) { return }
    // A part with a link cannot be kept.
    drawn.read(key, of: subject) {
      write(&canvas)
      return canvas.block(rect)
    }
  }

  func forget() { drawn.forget() }
}

/// Cached parts of the last frame, for frames of one terminal.
final class KeptParts {
  let topBar = KeptPart()
  let bottomBar = KeptPart()
  let list = KeptPart()
  let detail = KeptPart()
  /// Cards of other products below an open one.
  let cards = KeptValue<[ProductCard]>()
  /// Widths of the columns of the products in a list.
  let widths = KeptValue<RowWidths>()
  private var style: RenderContext.FrameStyle?
  /// Minute of the last frame; ages are shown by the minute.
  private var minute: Int64?

  /// Discards parts drawn in another style or another minute.
  func begin(_ context: RenderContext) {
    let (style, minute) = (context.frameStyle, context.now.seconds / 60)
    guard style != self.style || minute != self.minute else { return }
    (self.style, self.minute) = (style, minute)
    topBar.forget()
    bottomBar.forget()
    list.forget()
    detail.forget()
    widths.forget()
    cards.forget()
  }
}
