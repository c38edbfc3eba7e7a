// Programs that measure use this module too, and are built where there is no Testing.
#if canImport(Testing)
  package import Testing

  extension Trait where Self == ConditionTrait {
    /// Skips what needs a cluster where there can be none.
    package static var cluster: Self {
      .enabled(if: TestCluster.isPossible, Comment(rawValue: TestCluster.hint))
    }
  }
#endif
