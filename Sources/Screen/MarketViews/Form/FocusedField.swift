internal import TerminalKit

extension Theme {
  /// The field of a form that has the focus: one more shade away from a resting field than a field
  /// is elsewhere, as in a form that is the shade of every second neighbour.
  var focusedField: Style {
    guard let resting = restingField.background.rgb, let usual = field.background.rgb else {
      return field
    }
    let shade = RGB(
      Self.next(resting.red, usual.red), Self.next(resting.green, usual.green),
      Self.next(resting.blue, usual.blue))
    return field.on(.rgb(shade, fallback: field.background.fallback))
  }

  /// As far beyond the second amount of light as that is from the first.
  private static func next(_ first: UInt8, _ second: UInt8) -> UInt8 {
    UInt8(clamping: 2 * Int(second) - Int(first))
  }
}
