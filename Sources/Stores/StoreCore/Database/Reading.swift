import SQLiteKit

/// Statement with its values, and the closure that reads each of its rows.
package struct Query {
  package let sql: SQL
  package let values: [SQLValue]
  /// Whether PostgreSQL plans it for these values each time, and does not prepare it.
  package let isPlannedAnew: Bool
  package let read: (StoredRow) throws(StoreError) -> Void

  package init(
    _ sql: SQL, _ values: [SQLValue] = [], isPlannedAnew: Bool = false,
    read: @escaping (StoredRow) throws(StoreError) -> Void = { _ in }
  ) {
    self.sql = sql
    self.values = values
    self.isPlannedAnew = isPlannedAnew
    self.read = read
  }
}

/// Value that independent statements read, which run in one round trip: by `MarketDatabase.read(_:)`, or at the
/// end of a transaction, which is committed along.
package struct Reading<Value> {
  package let queries: [Query]
  private let read: () throws(StoreError) -> Value

  /// `value` is called once the queries have run.
  package init(_ queries: [Query], value: @escaping () throws(StoreError) -> Value) {
    self.queries = queries
    read = value
  }

  /// A value that needs no statement.
  package init(_ value: Value) { self.init([]) { value } }

  /// The first row of a statement as `read` reads it; nil where there is none.
  package init<Element>(
    first sql: SQL, _ values: [SQLValue],
    read: @escaping (StoredRow) throws(StoreError) -> Element
  ) where Value == Element? {
    var first: Element?
    let query = Query(sql, values) { row throws(StoreError) in
      if case nil = first { first = try read(row) }
    }
    self.init([query]) { first }
  }

  /// The value, after the queries have run.
  package var value: Value { get throws(StoreError) { try read() } }

  package func map<Other>(
    _ transform: @escaping (Value) throws(StoreError) -> Other
  ) -> Reading<Other> {
    Reading<Other>(queries) { () throws(StoreError) in try transform(try read()) }
  }
}

/// Some readings as one.
package func together<First, Second>(
  _ first: Reading<First>, _ second: Reading<Second>
) -> Reading<(First, Second)> {
  Reading(first.queries + second.queries) { () throws(StoreError) in
    (try first.value, try second.value)
  }
}

extension MarketDatabase {
  /// - Throws: the `StoreError` of the first statement that fails, or what reading its rows throws.
  package func read<Value>(_ reading: Reading<Value>) throws(StoreError) -> Value {
    if !reading.queries.isEmpty { try run(reading.queries) }
    return try reading.value
  }
}
