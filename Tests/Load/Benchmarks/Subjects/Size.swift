/// How many products a store has, where growth is looked at.
struct Size: Equatable {
  static let thousand = Size(count: 1_000, text: "1,000")
  static let million = Size(count: 1_000_000, text: "1,000,000")
  static let all = [thousand, Size(count: 100_000, text: "100,000"), million]

  let count: Int
  let text: String
}
