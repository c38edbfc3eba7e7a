import Expectations
import MarketAPI
import Testing

struct MultipartFormTests {
  @Test func `what is written is read back`() throws {
    let parts = [
      MultipartPart(
        name: "params", contentType: "application/json", bytes: Array("{\"a\":\"\r\n\"}".utf8)),
      MultipartPart(
        name: "images", filename: "1.jpg", contentType: "image/jpeg", bytes: [0xFF, 0x0D, 0x0A]),
      MultipartPart(name: "empty", bytes: []),
    ]

    let form = MultipartForm(parts: parts).encoded()

    try expect(MultipartParser.parts(of: form.body, contentType: form.contentType), parts)
  }

  @Test func `the boundary avoids the data`() throws {
    let parts = [MultipartPart(name: "a", text: "\r\n--open-market-form-0\r\n.")]

    let form = MultipartForm(parts: parts).encoded()

    expect(form.contentType, "multipart/form-data; boundary=open-market-form-1")
    try expect(MultipartParser.parts(of: form.body, contentType: form.contentType), parts)
  }

  @Test func `the form is spelled as servers expect it`() {
    let form = MultipartForm(parts: [MultipartPart(name: "title", text: "Lamp")]).encoded()

    expect(
      String(decoding: form.body, as: UTF8.self),
      "--open-market-form-0\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nLamp\r\n"
        + "--open-market-form-0--\r\n")
  }
}
