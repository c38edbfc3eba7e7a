import PostgresTestSupport
import StoreCore
import Testing

@testable import PostgresStore

extension Trait where Self == ConditionTrait {
  /// Skips what needs a cluster where there can be none.
  static var cluster: Self {
    .enabled(if: TestCluster.isPossible, Comment(rawValue: TestCluster.hint))
  }
}

extension PostgresConnection {
  /// Connects for statements that may take as long as a busy machine needs.
  convenience init(to address: String) throws(StoreError) {
    try self.init(to: address, PostgresOptions(timeoutMilliseconds: 30_000))
  }
}
