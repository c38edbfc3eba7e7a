/// Something that was read before, and when.
package struct Seen<Value: Sendable>: Sendable {
  package var value: Value
  /// When it was read, in seconds since 1970.
  package var seconds: Int64

  package init(_ value: Value, at seconds: Int64) {
    self.value = value
    self.seconds = seconds
  }
}

extension Seen: Equatable where Value: Equatable {}

/// The port to what was read from a repository before: for the first frame, and for times when the
/// repository cannot be reached.
///
/// It asks nobody, fails never and may know nothing.
package protocol SeenProducts: Sendable {
  func seenPage(_ request: PageRequest) async -> Seen<ProductPage>?

  func seenDetail(of id: Product.ID) async -> Seen<ProductDetail>?
}
