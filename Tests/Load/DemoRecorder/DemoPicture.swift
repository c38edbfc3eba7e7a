import MarketModel
import PictureKit
import TerminalTestSupport

/// Scenes as one SVG that shows them in turn: text stays text, what is made of dots is a picture.
struct DemoPicture {
  private static let captionHeight = 44
  private static let margin = 16
  private static let jpegQuality = 55

  private let size: TerminalSize
  private let cell: (width: Int, height: Int)
  private var scenes: [(seconds: Double, body: String)] = []
  /// Picture files by their numbers, each once however many scenes show it.
  private var files: [String: Int] = [:]
  private var styles: [String: Int] = [:]

  init(size: TerminalSize, cell: (width: Int, height: Int)) {
    self.size = size
    self.cell = cell
  }

  mutating func add(_ scene: DemoRun.Scene) throws(PictureError) {
    let screen = scene.screen
    var body = """
      <text class="caption" x="\(Self.margin)" y="29">\(Self.escape(scene.caption))</text>
      \(use(try ground(of: screen), type: "png", x: 0, y: 0, width: width, height: screenHeight))

      """
    for (rows, columns) in screen.pictures {
      body += use(
        try picture(of: screen, rows, columns), type: "jpeg", x: columns.lowerBound * cell.width,
        y: rows.lowerBound * cell.height, width: columns.count * cell.width,
        height: rows.count * cell.height)
    }
    for row in 0..<size.rows { body += text(of: screen, row: row) }
    scenes.append((Double(scene.milliseconds) / 1_000, body))
  }

  private var width: Int { size.columns * cell.width }
  private var screenHeight: Int { size.rows * cell.height }

  /// The whole file.
  var svg: String {
    let height = screenHeight + Self.captionHeight
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
      width="\(width)" height="\(height)" role="img">
      <title>OpenMarket: a grid of products, a search, a product, a list, and a form to sell</title>
      <style>
      text { font: 16px "DejaVu Sans Mono", "Noto Sans Mono", Menlo, Consolas, \
      "D2Coding", "Noto Sans Mono CJK KR", "Apple SD Gothic Neo", monospace; white-space: pre }
      .caption { font: 600 18px system-ui, "Noto Sans", "DejaVu Sans", sans-serif; fill: #e6edf3 }
      image { image-rendering: pixelated }
      .jpeg { image-rendering: auto }
      .scene { visibility: hidden }
      \(styleRules)\(animation)</style>
      <defs>
      \(definitions)</defs>
      <rect width="\(width)" height="\(height)" rx="10" fill="#30363d"/>
      \(scenes.enumerated().map { "<g class=\"scene s\($0)\">\n\($1.body)</g>\n" }.joined())</svg>

      """
  }

  // MARK: Time

  /// Each scene is visible in its part of the whole; who wants no motion sees the first one.
  private var animation: String {
    let whole = scenes.map(\.seconds).reduce(0, +)
    var start = 0.0
    var rules = ".s0 { visibility: visible }\n"
    var names = ""
    for (index, scene) in scenes.enumerated() {
      let end = start + scene.seconds
      let (from, to) = (Self.percent(start / whole), Self.percent(end / whole))
      let before = index == 0 ? "" : "0% { visibility: hidden } "
      let after = index == scenes.count - 1 ? "" : " \(to) { visibility: hidden }"
      rules += "@keyframes k\(index) { \(before)\(from) { visibility: visible }\(after) }\n"
      names += "  .s\(index) { animation: k\(index) \(whole)s step-end infinite }\n"
      start = end
    }
    return rules + "@media (prefers-reduced-motion: no-preference) {\n\(names)}\n"
  }

  private static func percent(_ part: Double) -> String {
    "\((part * 10_000).rounded() / 100)%"
  }

  // MARK: Dots

  private mutating func use(
    _ file: [UInt8], type: String, x: Int, y: Int, width: Int, height: Int
  ) -> String {
    let image = """
      class="\(type)" width="\(width)" height="\(height)" preserveAspectRatio="none" \
      href="data:image/\(type);base64,\(Self.base64(file))"
      """
    let number = files[image] ?? files.count
    files[image] = number
    return "<use href=\"#p\(number)\" x=\"\(x)\" y=\"\(y + Self.captionHeight)\"/>\n"
  }

  private var definitions: String {
    files.sorted { $0.value < $1.value }.map { "<image id=\"p\($0.value)\" \($0.key)/>\n" }.joined()
  }

  /// Backgrounds and block characters.
  private func ground(of screen: DemoScreen) throws(PictureError) -> [UInt8] {
    var pixels: [UInt8] = []
    for line in 0..<size.rows * BlockCharacter.rows {
      for dot in 0..<size.columns * BlockCharacter.columns {
        let (row, column) = (line / BlockCharacter.rows, dot / BlockCharacter.columns)
        let colors = screen.colors(row: row, column: column)
        let isSet =
          BlockCharacter(screen[row, column].text)?.contains(
            column: dot % BlockCharacter.columns, row: line % BlockCharacter.rows) ?? false
        pixels += Self.pixel(isSet ? colors.foreground : colors.background)
      }
    }
    let dots = PixelSize(
      width: size.columns * BlockCharacter.columns, height: size.rows * BlockCharacter.rows)
    return try PictureEncoder.png(Bitmap(size: dots, pixels: pixels))
  }

  /// The pixels that lie over cells.
  private func picture(
    of screen: DemoScreen, _ rows: Range<Int>, _ columns: Range<Int>
  ) throws(PictureError) -> [UInt8] {
    var pixels: [UInt8] = []
    for y in 0..<rows.count * cell.height {
      for x in 0..<columns.count * cell.width {
        let row = rows.lowerBound + y / cell.height
        let column = columns.lowerBound + x / cell.width
        let position = y % cell.height * cell.width + x % cell.width
        let color = screen.pixels(row: row, column: column)?[position] ?? []
        pixels +=
          color.count == 3
          ? color.map { UInt8(clamping: $0) } + [255] : Self.pixel(.ground)
      }
    }
    let size = PixelSize(width: columns.count * cell.width, height: rows.count * cell.height)
    return try PictureEncoder.jpeg(Bitmap(size: size, pixels: pixels), quality: Self.jpegQuality)
  }

  private static func pixel(_ color: TourColor) -> [UInt8] {
    [color.red, color.green, color.blue, 255]
  }

  // MARK: Text

  /// A row's texts, each run of one style and one width in its place.
  private mutating func text(of screen: DemoScreen, row: Int) -> String {
    var body = ""
    var column = 0
    while column < size.columns {
      let first = screen[row, column]
      guard isText(screen, row, column) else {
        column += first.width
        continue
      }
      let style = style(of: screen, row, column)
      let start = column
      var run = ""
      while column < size.columns, screen[row, column].width == first.width,
        isText(screen, row, column) || continues(screen, row, column),
        self.style(of: screen, row, column) == style
      {
        run += screen[row, column].text.isEmpty ? " " : screen[row, column].text
        column += first.width
      }
      let end = column - run.reversed().prefix { $0 == " " }.count * first.width
      while run.last == " " { run.removeLast() }
      body += """
        <text class="t\(style)" x="\(start * cell.width)" \
        y="\(row * cell.height + Self.captionHeight + 15)" \
        textLength="\((end - start) * cell.width)">\(Self.escape(run))</text>

        """
    }
    return body
  }

  private func isText(_ screen: DemoScreen, _ row: Int, _ column: Int) -> Bool {
    let text = screen[row, column].text
    return !text.isEmpty && BlockCharacter(text) == nil
      && screen.pixels(row: row, column: column) == nil
  }

  /// Whether a blank stands between two words of a row.
  private func continues(_ screen: DemoScreen, _ row: Int, _ column: Int) -> Bool {
    let next = column + 1
    return [" ", ""].contains(screen[row, column].text) && next < size.columns
      && isText(screen, row, next) && screen[row, next].width == screen[row, column].width
  }

  private mutating func style(of screen: DemoScreen, _ row: Int, _ column: Int) -> Int {
    let cell = screen[row, column]
    var rule = "fill: \(screen.colors(row: row, column: column).foreground.hexadecimal)"
    if cell.isBold { rule += "; font-weight: 600" }
    if cell.isStruckThrough { rule += "; text-decoration: line-through" }
    if cell.isUnderlined { rule += "; text-decoration: underline" }
    let number = styles[rule] ?? styles.count
    styles[rule] = number
    return number
  }

  private var styleRules: String {
    styles.sorted { $0.value < $1.value }.map { ".t\($0.value) { \($0.key) }\n" }.joined()
  }

  private static func escape(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let value = (0..<3).reduce(0) { $0 << 8 | ($1 < part.count ? Int(part[start + $1]) : 0) }
      for index in 0..<4 {
        text.append(
          index <= part.count ? digits[value >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
