/// Value of a view model that frames show: a change is reported to each reader inside `observing`.
///
/// Setting an equal value is no change; a modification in place always is.
///
/// It replaces the standard library's `@Observable`, whose key-path lookup for each property took a
/// tenth of the start and of a key press.
@propertyWrapper package struct Observed<Value> {
  private var value: Value
  /// Whether two values are equal; nil if they cannot be compared.
  private let areSame: ((Value, Value) -> Bool)?
  private let changed = ObservedEvent()

  package init(wrappedValue: Value) {
    value = wrappedValue
    areSame = nil
  }

  package init(wrappedValue: Value) where Value: Equatable {
    value = wrappedValue
    areSame = { $0 == $1 }
  }

  package var wrappedValue: Value {
    get {
      changed.addReader()
      return value
    }
    set {
      let isChange = areSame.map { !$0(value, newValue) } ?? true
      value = newValue
      if isChange { changed.notifyReaders() }
    }
    _modify {
      changed.addReader()
      defer { changed.notifyReaders() }
      yield &value
    }
  }
}

/// Reads observed values and calls `didChange` once, when the first of them has changed.
///
/// `didChange` is called while the value is being set and must not read that value; others it may.
/// Changes made by `read` itself are not reported.
package func observing<Result>(
  _ read: () -> Result, onChange didChange: @escaping () -> Void
) -> Result {
  ObservedReading(onChange: didChange).read(read)
}

/// One reading of observed values, which can be ended before a change.
///
/// End a reading that is replaced by another one: the values hold it until then.
package final class ObservedReading {
  /// The running reading; nil while nothing is observed.
  fileprivate static var current: ObservedReading?

  fileprivate private(set) var isReading = false
  /// Nil after a change, or after the reading was ended.
  private var didChange: (() -> Void)?

  package init(onChange didChange: @escaping () -> Void) { self.didChange = didChange }

  package func read<Result>(_ read: () -> Result) -> Result {
    let outer = Self.current
    Self.current = self
    isReading = true
    defer {
      Self.current = outer
      isReading = false
    }
    return read()
  }

  package func end() { didChange = nil }

  fileprivate var isOver: Bool { didChange == nil }

  fileprivate func report() {
    let report = didChange
    didChange = nil
    report?()
  }
}

/// Event that can be observed, as the change of a value.
final class ObservedEvent {
  /// Readings that depend on it since it last occurred.
  private var readers: [ObservedReading] = []

  /// Adds the running reading, if there is one.
  func addReader() {
    guard let reader = ObservedReading.current, readers.last !== reader else { return }
    readers.removeAll { $0.isOver || $0 === reader }
    readers.append(reader)
  }

  /// Reports the event to all readings but running ones.
  func notifyReaders() {
    guard !readers.isEmpty else { return }
    let notified = readers
    readers = notified.filter(\.isReading)
    for reader in notified where !reader.isReading { reader.report() }
  }
}
