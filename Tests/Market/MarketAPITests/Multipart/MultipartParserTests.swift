import Expectations
import MarketAPI
import Testing

struct MultipartParserTests {
  static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0x0D, 0x0A, 0x2D, 0x2D, 0x00, 0xD9]
  static let json = #"{"name":"Desk lamp","secret":"pw"}"#

  /// A form as its bytes; `@` stands for the picture.
  private func body(_ text: String) -> [UInt8] {
    text.utf8.flatMap { $0 == 0x40 ? Self.jpeg : [$0] }
  }

  private func expectProduct(_ parts: [MultipartPart], sourceLocation: SourceLocation) throws {
    let params = try #require(
      parts.first { $0.name == "params" }, sourceLocation: sourceLocation)
    expect(params.text, Self.json, sourceLocation: sourceLocation)
    let picture = try #require(
      parts.first { $0.name == "images" }, sourceLocation: sourceLocation)
    expect(picture.bytes, Self.jpeg, sourceLocation: sourceLocation)
    expect(parts.count, 2, sourceLocation: sourceLocation)
  }

  private func check(
    _ contentType: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let parts = try MultipartParser.parts(of: body(text), contentType: contentType)

    try expectProduct(parts, sourceLocation: sourceLocation)
  }

  private static let params =
    "Content-Disposition: form-data; name=\"params\"\r\n\r\n\(json)\r\n"
  private static let image =
    "Content-Disposition: form-data; name=\"images\"; filename=\"a.jpg\"\r\n"
    + "Content-Type: image/jpeg\r\n\r\n@\r\n"
  private static let plain = "--XXXXXX\r\n\(params)--XXXXXX\r\n\(image)--XXXXXX--\r\n"

  @Test(arguments: [
    "multipart/form-data; boundary=XXXXXX", "multipart/form-data;boundary=XXXXXX",
    "multipart/form-data; boundary=\"XXXXXX\"", "Multipart/Form-Data; Boundary=XXXXXX",
    "multipart/form-data; charset=utf-8; boundary=XXXXXX ",
  ])
  func `the boundary is found in every spelling`(contentType: String) throws {
    try check(contentType, Self.plain)
  }

  @Test(arguments: ["", "multipart/form-data", "application/json"])
  func `without a boundary in the header the first line names it`(contentType: String) throws {
    try check(contentType, "\r\n" + Self.plain)
  }

  @Test func `a boundary of dashes and words works`() throws {
    try check(
      "multipart/form-data; boundary=----boundary",
      Self.plain.split(separator: "XXXXXX", omittingEmptySubsequences: false)
        .joined(separator: "----boundary"))
  }

  @Test(arguments: ["\r\n", "This is a form.\r\n", "\n", "\r\n\r\n"])
  func `a preamble is skipped`(preamble: String) throws {
    try check("multipart/form-data; boundary=XXXXXX", preamble + Self.plain)
  }

  @Test(arguments: [
    "name=\"images", "name=\"images ", "name=\"images; filename=\"a.jpg\"",
    "name=\"images\"; filename=\"a.jpg", "filename=\"a\"b.jpg\"; name=\"images",
    "name=\"images\"; filename=\"C:\\a.jpg\"", "name=images; filename=\"a;b.jpg\"",
  ])
  func `a quote that is never closed reaches to the end of the line`(parameters: String) throws {
    try check(
      "multipart/form-data; boundary=XXXXXX",
      "--XXXXXX\r\nContent-Disposition: form-data; name=\"params\r\n\r\n\(Self.json)\r\n"
        + "--XXXXXX\r\nContent-Disposition: form-data; \(parameters)\r\n"
        + "Content-Type: image/jpeg\r\n\r\n@\r\n--XXXXXX--\r\n")
  }

  @Test func `no space after the colon`() throws {
    try check(
      "multipart/form-data; boundary=XXXXXX",
      "--XXXXXX\r\nContent-Disposition:form-data;name=\"params\"\r\n\r\n\(Self.json)\r\n"
        + "--XXXXXX\r\nContent-Disposition:form-data; name=\"images\"; filename=\"1\"\r\n"
        + "Content-Type:image/jpeg\r\n\r\n@\r\n--XXXXXX--")
  }

  @Test func `a space behind header values and delimiters`() throws {
    try check(
      "multipart/form-data; boundary=XXXXXX",
      "--XXXXXX \r\nContent-Disposition: form-data; name=\"params\" \r\n"
        + "Content-Type: application/json \r\n\r\n\(Self.json)\r\n"
        + "--XXXXXX\t\r\nContent-Disposition: form-data; name=\"images\"; filename=\"1.png\" \r\n"
        + "Content-Type: image/png \r\n\r\n@\r\n--XXXXXX-- \r\n")
  }

  @Test(arguments: ["--XXXXXX--", "--XXXXXX", "--XXXXXX\r\n", "--XXXXXX\r\n\r\n", ""])
  func `the last delimiter may lack its line break, its dashes or itself`(end: String) throws {
    try check(
      "multipart/form-data; boundary=XXXXXX",
      "--XXXXXX\r\n\(Self.params)--XXXXXX\r\n\(Self.image)\(end)")
  }

  @Test(arguments: [
    "", "Content-Type: application/json\r\n", "Content-Type: text/plain; charset=utf-8\r\n",
  ])
  func `params may have any content type`(header: String) throws {
    try check(
      "multipart/form-data; boundary=XXXXXX",
      "--XXXXXX\r\nContent-Disposition: form-data; name=\"params\"\r\n\(header)\r\n\(Self.json)\r\n"
        + "--XXXXXX\r\n\(Self.image)--XXXXXX--\r\n")
  }

  @Test func `params may pass for a file`() throws {
    try check(
      "multipart/form-data; boundary=XXXXXX",
      "--XXXXXX\r\nContent-Disposition: form-data; name=\"params\"; filename=\"\"\r\n"
        + "Content-Type: application/json\r\n\r\n\(Self.json)\r\n"
        + "--XXXXXX\r\n\(Self.image)--XXXXXX--\r\n")
  }

  @Test func `pictures may come before params`() throws {
    try check(
      "multipart/form-data; boundary=XXXXXX",
      "--XXXXXX\r\n\(Self.image)--XXXXXX\r\n\(Self.params)--XXXXXX--\r\n")
  }

  @Test(arguments: [
    "jpeg", "jpg", "image/jpg", "img/png", "multipart/form-data", "image/png", "",
  ])
  func `a picture may have any content type`(type: String) throws {
    try check(
      "multipart/form-data; boundary=XXXXXX",
      "--XXXXXX\r\n\(Self.params)--XXXXXX\r\n"
        + "Content-Disposition: form-data; name=\"images\"; filename=\"a.jpg\"\r\n"
        + "Content-Type: \(type)\r\n\r\n@\r\n--XXXXXX--\r\n")
  }

  @Test(arguments: [
    "; filename=\"my picture.jpg\"", "; filename=\"의자.jpg\"", "; filename=\"10:20:30 +0000\"",
    "; filename=\"picture\"", "; filename=\"images\"", "; filename=images", "",
    "; filename=\"a;b\\\"c.jpg\"", "; filename=\"C:\\pictures\\a.jpg\"", "; filename=\"\"",
  ])
  func `a picture may have any file name or none`(filename: String) throws {
    try check(
      "multipart/form-data; boundary=XXXXXX",
      "--XXXXXX\r\n\(Self.params)--XXXXXX\r\n"
        + "Content-Disposition: form-data; name=\"images\"\(filename)\r\n\r\n@\r\n--XXXXXX--\r\n")
  }

  @Test func `an empty line behind the data of each part belongs to none`() throws {
    try check(
      "multipart/form-data; boundary=XXXXXX",
      "--XXXXXX\r\nContent-Disposition: form-data; name=\"params\"\r\n\r\n\(Self.json)\r\n\r\n"
        + "--XXXXXX\r\nContent-Disposition: form-data; name=\"images\"\r\n\r\n@\r\n\r\n"
        + "--XXXXXX--\r\n")
  }

  @Test func `a boundary of one letter is not found inside the data`() throws {
    let text = "a\r\n--xy\r\n--x-\r\n --x\r\nb"

    let parts = try MultipartParser.parts(
      of: Array(
        "--x\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n\(text)\r\n--x--".utf8),
      contentType: "multipart/form-data; boundary=x")

    expect(parts.map(\.text), [text])
  }

  @Test func `brackets in names and repeated names stay`() throws {
    let part = "--b\r\nContent-Disposition: form-data; name=\"images[]\"\r\n\r\n@\r\n"

    let parts = try MultipartParser.parts(
      of: body(part + part + "--b--"), contentType: "multipart/form-data; boundary=b")

    expect(parts.map(\.name), ["images[]", "images[]"])
    #expect(parts.allSatisfy { $0.bytes == Self.jpeg })
  }

  @Test func `an empty part is empty`() throws {
    let parts = try MultipartParser.parts(
      of: Array(
        ("--b\r\nContent-Disposition: form-data; name=\"stock\"\r\n\r\n\r\n"
          + "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n--b--").utf8),
      contentType: "multipart/form-data; boundary=b")

    expect(parts.map(\.text), ["", ""])
  }

  @Test(
    arguments: [
      ("boundary=b", "", .noParts), ("boundary=b", "--c\r\n\r\n--c--", .noParts),
      ("boundary=\"\"", "", .noBoundary), ("", "{}", .noBoundary), ("", "", .noBoundary),
      ("boundary=b", "--b\r\nContent-Disposition: form-data; name=\"x\"", .brokenHeaders),
      ("boundary=b", "--b\r\nno colon\r\n\r\n--b--", .brokenHeaders),
      ("boundary=b", "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--", .brokenHeaders),
      ("boundary=b", "b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\nx\r\nb", .noParts),
    ] as [(String, String, MultipartError)])
  func `what is no form is refused`(type: String, text: String, error: MultipartError) {
    #expect(throws: error) {
      try MultipartParser.parts(of: Array(text.utf8), contentType: "multipart/form-data; " + type)
    }
  }

  @Test func `parts are counted and headers measured`() {
    let part = "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n\r\n"
    let many = Array((String(repeating: part, count: 65) + "--b--").utf8)
    let long = Array(
      "--b\r\nX: \(String(repeating: "x", count: 9_000))\r\n\r\n\r\n--b--".utf8)

    #expect(throws: MultipartError.tooManyParts(maximum: 64)) {
      try MultipartParser.parts(of: many, contentType: "multipart/form-data; boundary=b")
    }
    #expect(throws: MultipartError.headersTooLong(maximumBytes: 8_192)) {
      try MultipartParser.parts(of: long, contentType: "multipart/form-data; boundary=b")
    }
  }
}
