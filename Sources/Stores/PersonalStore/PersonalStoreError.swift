import SQLiteKit

/// Reason why what a person does is not kept.
package enum PersonalStoreError: Error, Hashable, Sendable {
  /// The file is damaged, or no such file at all.
  case damaged
  /// A newer version of the program wrote it.
  case newerVersion
  case readOnly
  case diskFull
  /// Another program holds it for longer than one waits.
  case locked
  /// The reason as the system words it.
  case cannotOpen(String)

  init(_ error: DatabaseError) {
    self =
      switch error {
      // The program's own statements keep the constraints; only what was there can be in their way.
      case .damaged, .foreign, .constraint, .failed: .damaged
      case .newerVersion: .newerVersion
      case .readOnly, .readOnlyFolder: .readOnly
      case .full: .diskFull
      case .busy, .cancelled: .locked
      case .cannotOpen(let reason): .cannotOpen(reason)
      }
  }
}
