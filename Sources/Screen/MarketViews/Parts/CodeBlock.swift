internal import SafeTextKit
internal import TerminalKit

/// Address as a QR code with lines beside it; without room or colours the address and the lines alone.
struct CodeBlock {
  /// Columns between the code and the lines.
  private static let gap = 3
  /// Minimum columns of the lines.
  private static let minimumTextColumns = 24

  /// Nil where no code is shown.
  private let code: QRCode?
  let bounds: CellRect

  init(_ address: String, in bounds: CellRect, _ context: RenderContext) {
    self.bounds = bounds
    let mayDraw = !context.isPlain && !context.hasASCIISymbols && context.theme.tellsByColor
    code = (mayDraw ? QRCode(address) : nil).flatMap { code in
      let columns = code.size.columns + Self.gap + Self.minimumTextColumns
      return columns <= bounds.columns && code.size.rows <= bounds.rows ? code : nil
    }
  }

  /// Whether the code is shown.
  var hasCode: Bool { code != nil }

  /// Area of the lines.
  var text: CellRect {
    guard let code else { return bounds }
    return bounds.inset(left: code.size.columns + Self.gap)
  }

  func draw(on canvas: inout Canvas) {
    if let code { canvas.draw(code, at: bounds.origin) }
  }
}
