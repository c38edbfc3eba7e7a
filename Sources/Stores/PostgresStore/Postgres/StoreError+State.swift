import SQLiteKit
import StoreCore

extension StoreError {
  /// Maps an SQLSTATE (PostgreSQL, appendix "PostgreSQL Error Codes").
  init(state: String, message: String) {
    self =
      switch state {
      // A key or a table that another transaction has just created: it exists when this one is repeated.
      case "40001", "40P01", "55P03", "23505", "42P07", "42710": .conflict
      case "57014": .timedOut
      case "57P01", "57P02", "57P03": .disconnected(message)
      case "53100": .full
      case "25006": .readOnly
      case _ where state.hasPrefix("08"): .disconnected(message)
      case _ where state.hasPrefix("28") || state == "3D000" || state == "42501":
        .cannotOpen(message)
      default: .failed(state: state)
      }
  }
}
