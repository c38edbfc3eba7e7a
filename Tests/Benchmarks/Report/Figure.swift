/// One row of the table: what is measured, and how much it may be.
struct Figure {
  enum Unit: String {
    case milliseconds = "ms"
    case bytes = "B"
    case megabytes = "MB"
    case count = ""
  }

  let name: String
  let unit: Unit
  let target: Double?

  init(_ name: String, _ unit: Unit, atMost target: Double? = nil) {
    self.name = name
    self.unit = unit
    self.target = target
  }

  /// Three significant places for times, whole numbers for the rest.
  func format(_ value: Double) -> String {
    let text =
      switch unit {
      case .bytes, .count: String(Int(value.rounded()))
      case .milliseconds, .megabytes: Self.decimal(value)
      }
    return unit == .count ? text : text + " " + unit.rawValue
  }

  /// A number with as many decimals as its size deserves.
  static func decimal(_ value: Double) -> String {
    let decimals = value < 10 ? 2 : value < 100 ? 1 : 0
    let scale = [1, 10, 100][decimals]
    let scaled = Int((value * Double(scale)).rounded())
    guard decimals > 0 else { return String(scaled) }
    let fraction = String(scaled % scale)
    return "\(scaled / scale)." + String(repeating: "0", count: decimals - fraction.count)
      + fraction
  }
}
