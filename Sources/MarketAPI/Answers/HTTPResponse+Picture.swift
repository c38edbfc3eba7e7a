import MarketModel

extension HTTPResponse {
  /// A picture file; its address names its content, so it may be kept for ever.
  static func picture(_ bytes: [UInt8], at address: PictureAddress) -> HTTPResponse {
    var headers: HTTPHeaders = [
      HeaderName.cacheControl: "public, max-age=31536000, immutable",
      HeaderName.extensions: "1",
      // A stranger's file must never pass for anything but a picture.
      "X-Content-Type-Options": "nosniff",
    ]
    let mediaType = PictureFormat(sniffing: bytes)?.mediaType ?? "application/octet-stream"
    headers.add(mediaType, for: HeaderName.contentType)
    let suffix = address.rendition == .thumbnail ? "-thumbnail" : ""
    headers.add(EntityTag(value: address.locator + suffix).text, for: HeaderName.entityTag)
    return HTTPResponse(.ok, headers: headers, body: bytes)
  }
}
