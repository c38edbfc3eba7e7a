/// Value of a view model that frames show: whatever reads it inside `observing` is told when it changes.
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
/// It is called while the value is being set, which `didChange` must not read. What `read` itself changes
/// is not told.
package func observing<Result>(
  _ read: () -> Result, onChange didChange: @escaping () -> Void
) -> Result {
  let (outer, reader) = (Reader.current, Reader(didChange))
  Reader.current = reader
  defer {
    Reader.current = outer
    reader.isReading = false
  }
  return read()
}

/// One reading of observed values.
private final class Reader {
  /// The reading that runs now; nil while nothing observes.
  static var current: Reader?

  var isReading = true
  /// Nil as soon as something has changed.
  private var didChange: (() -> Void)?

  init(_ didChange: @escaping () -> Void) { self.didChange = didChange }

  var isOver: Bool { didChange == nil }

  func tell() {
    let tell = didChange
    didChange = nil
    tell?()
  }
}

/// Something that may happen while it is observed, such as the change of a value.
final class ObservedEvent {
  /// Those that observe it since it happened last.
  private var readers: [Reader] = []

  /// Notes that what is read now depends on it.
  func note() {
    guard let reader = Reader.current, readers.last !== reader else { return }
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
