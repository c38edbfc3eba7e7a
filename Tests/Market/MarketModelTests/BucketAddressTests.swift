import Expectations
import MarketModel
import Testing

struct BucketAddressTests {
  @Test func `an address names bucket, beginning, endpoint and region`() throws {
    let address = try #require(
      BucketAddress("s3://pictures/a/b?endpoint=http://storage.example:9000&region=eu-1"))

    #expect(address.bucket == "pictures" && address.region == "eu-1")
    expect(address.address(of: "ab/abc").text, "http://storage.example:9000/pictures/a/b/ab/abc")
    expect(BucketAddress(address.text), address)
  }

  @Test func `without an endpoint it is Amazon's`() throws {
    let address = try #require(BucketAddress("s3://pictures?region=eu-west-1"))

    expect(address.address(of: "ab/abc").text, "https://s3.eu-west-1.amazonaws.com/pictures/ab/abc")
  }

  @Test(arguments: [
    "s3://", "s3://?endpoint=http://a.example", "s3://key:secret@pictures",
    "s3://pictures?endpoint=ftp://a.example", "s3://pictures?secret=a",
    "s3://pictures?endpoint=http://key:secret@a.example", "s3://pictures?region=a/b",
    "s3://..", "s3://.", "s3://pictures/../other", "s3://pictures/./a",
    "s3://pictures?endpoint=http://a.example/a/..", "s3://pictures?region=a&region=b",
    "s3://pictures?endpoint=http://a.example/?a", "pictures",
  ])
  func `what holds keys or says nothing that is known is no address`(_ text: String) {
    expect(BucketAddress(text), nil)
    if text.contains("://") { expect(PictureStorageLocation(text), nil) }
  }

  @Test func `a place is a bucket or a folder`() throws {
    let address = try #require(BucketAddress("s3://pictures?endpoint=http://a.example"))

    expect(PictureStorageLocation(address.text), .bucket(address))
    expect(PictureStorageLocation("/srv/pictures"), .folder("/srv/pictures"))
    #expect(PictureStorageLocation("") == nil && PictureStorageLocation("https://a.example") == nil)
  }

  @Test func `keys print as dots`() {
    let keys = BucketKeys(access: "access", secret: "secret", token: "token")
    var dumped = ""
    dump(keys, to: &dumped)

    for text in ["\(keys)", String(reflecting: keys), dumped] {
      #expect(!text.contains("access") && !text.contains("secret") && !text.contains("token"))
    }
  }
}
