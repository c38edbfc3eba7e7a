/// One row of the table: what is measured, and what it must keep to.
struct Figure {
  enum Unit: String {
    case milliseconds = "ms"
    case seconds = "s"
    case bytes = "B"
    case megabytes = "MB"
    case count = ""
    case perSecond = "/s"
    case times = "x"
  }

  let name: String
  let unit: Unit
  let goal: Goal?
  /// Whether it is one of the few that the picture shows.
  private(set) var isPictured = false

  init(_ name: String, _ unit: Unit, _ goal: Goal? = nil) {
    self.name = name
    self.unit = unit
    self.goal = goal
  }

  init(_ name: String, _ unit: Unit, atMost limit: Double) {
    self.init(name, unit, .atMost(limit))
  }

  /// The same figure, shown in the picture as well.
  var pictured: Figure {
    var figure = self
    figure.isPictured = true
    return figure
  }

  /// The bound, the limit and what the limit is a multiple of.
  var goalText: String {
    guard let goal else { return "-" }
    let limit = goal.reference.map { Self.decimal(goal.limit) + " × " + $0 } ?? format(goal.limit)
    return goal.bound.rawValue + " " + limit
  }

  /// Three significant places for times, whole numbers for the rest.
  func format(_ value: Double) -> String {
    let text =
      switch unit {
      case .bytes, .count, .perSecond: String(Int(value.rounded()))
      case .milliseconds, .seconds, .megabytes, .times: Self.decimal(value)
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
