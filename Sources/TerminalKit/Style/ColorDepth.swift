/// How many colours the terminal shows, in rising order.
package enum ColorDepth: Int, Comparable, Sendable {
  /// No colours, or the user wants none: attributes alone tell things apart.
  case none
  case ansi8
  case ansi16
  case palette256
  /// 24 bits a colour.
  case direct

  package static func < (left: ColorDepth, right: ColorDepth) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Whether pictures can be drawn as coloured cells.
  package var showsPictures: Bool { self >= .palette256 }
}
