import MarketAPI
import MarketModel
import MarketPages
import MarketStrings
import SafeTextKit

/// Reason why a page for photos refuses a request.
package struct UploadRefusal: Error, Hashable, Sendable {
  let status: HTTPStatus
  let phrase: Phrase

  static let notAForm = UploadRefusal(status: .badRequest, phrase: .uploadNothing)
  static let notAPicture = UploadRefusal(
    status: HTTPStatus(rawValue: 415), phrase: .uploadNotAPicture)
  static let tooLarge = UploadRefusal(status: .contentTooLarge, phrase: .uploadTooLarge)
  static let tooMany = UploadRefusal(status: .contentTooLarge, phrase: .uploadTooMany)
  static let foreign = UploadRefusal(status: .forbidden, phrase: .uploadForeign)
}

/// Form that a page for photos sends.
enum UploadForm {
  /// Maximum characters of a file name; the rest is cut.
  private static let nameLength = 100

  /// Photos of a request; `left` is how many photos and bytes the form still takes.
  /// - Throws: `.notAForm` without a photo, `.tooLarge`, `.tooMany`, `.notAPicture` for a file that is
  ///   none of our formats.
  static func photos(
    of request: ServerRequest, left: (photos: Int, bytes: Int)
  ) throws(UploadRefusal) -> [UploadedPhoto] {
    let parts: [MultipartPart]
    do throws(MultipartError) {
      parts = try MultipartParser.parts(
        of: request.body, contentType: request.headers[HeaderName.contentType])
    } catch {
      throw .notAForm
    }
    // A browser sends an empty part for a form without a file.
    let files = parts.filter { $0.name == "photos" && !$0.bytes.isEmpty }
    guard !files.isEmpty else { throw .notAForm }
    guard files.count <= left.photos, files.reduce(0, { $0 + $1.bytes.count }) <= left.bytes else {
      throw .tooMany
    }
    for file in files {
      guard file.bytes.count <= UploadLimits.photoBytes else { throw .tooLarge }
      guard PictureFormat(sniffing: file.bytes) != nil else { throw .notAPicture }
    }
    return files.map { file in
      let name = (file.filename ?? "").split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
      return UploadedPhoto(name: String(name.prefix(nameLength)), bytes: file.bytes)
    }
  }
}

/// Response of a page for photos: HTML for a form, JSON for its script.
struct UploadResponse {
  let request: ServerRequest
  /// Whether photos come without encryption.
  let isPlain: Bool
  /// Path of the market's public address.
  var root = ""
  var language = Language.english

  private var strings: Strings {
    Strings(
      ContentNegotiation(request.message.target, request.headers, otherwise: language).language)
  }

  private var isForScript: Bool { request.headers[HeaderName.accept] == "application/json" }

  func page(_ status: HTTPStatus, _ state: UploadPage.State) -> ServerResponse {
    guard !isForScript else { return json(status, message(of: state)) }
    let page = UploadPage(state, strings, isPlain: isPlain, below: root)
    return response(status, "text/html; charset=utf-8", page.bytes)
  }

  func refusal(_ refusal: UploadRefusal) -> ServerResponse {
    page(refusal.status, .refused(refusal.phrase))
  }

  private func message(of state: UploadPage.State) -> SafeText {
    switch state {
    case .open(let photos): photos.last.map { UploadPage.text(of: $0, strings) } ?? .empty
    case .asking: strings[.uploadAsking]
    case .closed: strings[.uploadClosed]
    case .refused(let phrase): strings[phrase]
    }
  }

  private func json(_ status: HTTPStatus, _ message: SafeText) -> ServerResponse {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("message", message.string)
    writer.endObject()
    return response(status, "application/json", writer.bytes)
  }

  private func response(
    _ status: HTTPStatus, _ type: String, _ body: [UInt8]
  ) -> ServerResponse {
    ServerResponse(
      HTTPResponse(
        status,
        headers: [
          HeaderName.contentType: type, HeaderName.cacheControl: "no-store",
          "Vary": ContentNegotiation.vary, "Content-Security-Policy": UploadPage.policy,
          "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
          "Cross-Origin-Resource-Policy": "same-origin",
        ], body: body))
  }

  static func isAsset(_ request: ServerRequest) -> Bool {
    let path = request.message.target.path
    return PageAsset.allCases.contains { $0.path == path }
  }

  /// File of the page's style, script or icon; nil for another path.
  static func asset(for request: ServerRequest) -> ServerResponse? {
    let path = request.message.target.path
    return PageAsset.allCases.first { $0.path == path }
      .map { PagesResponder.response($0, to: request) }
  }
}

extension ServerRequest {
  /// Whether a browser sent the request from a page of another origin than `host`, a host and port.
  func isForeign(to host: String) -> Bool {
    if headers["Sec-Fetch-Site"] == "cross-site" { return true }
    guard let origin = headers["Origin"] else { return false }
    guard let end = origin.firstRange(of: "://")?.upperBound else { return true }
    return origin[end...].lowercased() != host.lowercased()
  }
}
