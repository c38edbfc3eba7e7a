/// What the program exits with where not everything went well; scripts rely on it.
enum ExitStatus {
  static let failure: Int32 = 1
  /// The command line cannot be understood.
  static let usage: Int32 = 2
  static let wrongPassword: Int32 = 3
  /// There is no such product.
  static let notFound: Int32 = 4
}
