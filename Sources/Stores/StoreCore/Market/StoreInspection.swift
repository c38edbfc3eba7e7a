/// Finding of a look at a store that changed nothing.
package struct StoreInspection: Hashable, Sendable {
  /// State of the tables.
  package enum Tables: Hashable, Sendable {
    /// There are none; whoever starts makes them.
    case missing
    /// Of an older version; whoever starts brings them up to date.
    case outdated(version: Int)
    case current
  }

  package var tables: Tables
  /// The version that this program works with.
  package var version: Int
  package var isWritable: Bool

  package init(_ tables: Tables, version: Int, isWritable: Bool) {
    self.tables = tables
    self.version = version
    self.isWritable = isWritable
  }
}
