/// Value of a view model that frames show: whatever reads it inside `observing` is told when it changes.
///
/// What is set to an equal value is no change; what is changed in place always is.
///
/// In place of the standard library's `@Observable`, which looks up a key path for each property: its
/// classes took a tenth of a start and of a key press.
@propertyWrapper package struct Observed<Value> {
  private var value: Value
  /// Whether two values are shown alike; nil where they cannot be compared.
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
      changed.note()
      return value
    }
    set {
      let isChange = areSame.map { !$0(value, newValue) } ?? true
      value = newValue
      if isChange { changed.tell() }
    }
    _modify {
      changed.note()
      defer { changed.tell() }
      yield &value
    }
  }
}

/// Reads observed values, and calls `didChange` once, as soon as one of them has changed.
///
/// It is called while the value is being set, which `didChange` must not read; other values it may. What
/// `read` itself changes is not told.
package func observing<Result>(
  _ read: () -> Result, onChange didChange: @escaping () -> Void
) -> Result {
  ObservedReading(onChange: didChange).read(read)
}

/// One reading of observed values, which may be ended before one of them has changed.
///
/// Where one takes the place of another, the other is to be ended: values know their readings.
package final class ObservedReading {
  /// The reading that runs now; nil while nothing observes.
  fileprivate static var current: ObservedReading?

  fileprivate private(set) var isReading = false
  /// Nil as soon as something has changed, or the reading was ended.
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

  fileprivate func tell() {
    let tell = didChange
    didChange = nil
    tell?()
  }
}

/// Something that may happen while it is observed, such as the change of a value.
final class ObservedEvent {
  /// Those that observe it since it happened last.
  private var readers: [ObservedReading] = []

  /// Notes that what is read now depends on it.
  func note() {
    guard let reader = ObservedReading.current, readers.last !== reader else { return }
    readers.removeAll { $0.isOver || $0 === reader }
    readers.append(reader)
  }

  /// It has happened.
  func tell() {
    guard !readers.isEmpty else { return }
    let told = readers
    readers = told.filter(\.isReading)
    for reader in told where !reader.isReading { reader.tell() }
  }
}
