import Expectations
import MarketModel
import StoreCore
import Testing

struct BucketSignerTests {
  private func signer(_ bucket: String, _ keys: BucketKeys) throws -> BucketSigner {
    BucketSigner(of: try #require(BucketAddress(bucket)), with: keys)
  }

  /// "Authenticating Requests: Using Query Parameters", in the reference of Amazon S3.
  @Test func `the example that Amazon publishes is signed as it says`() throws {
    let signer = try signer(
      "s3://examplebucket",
      BucketKeys(
        access: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"))
    let address = try #require(WebAddress("https://examplebucket.s3.amazonaws.com/test.txt"))

    let signed = signer.signed(address, for: .get, at: 1_369_353_600, expiringAfter: 86_400)

    expect(
      signed.text,
      """
      https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256\
      &X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request\
      &X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host\
      &X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404
      """)
  }

  /// As botocore 1.43 signs the same.
  @Test(
    arguments: [
      (.get, "173c3711e85b42b8aaf14c8ec2401fa3209decc71522a9a13c943560ea562919"),
      (.head, "5905a1eb8aefd16b56561216fc0fe2faa5db03e51a7b93bef6265b8f0801a822"),
    ] as [(SignedAddress.Method, String)])
  func `a port, a method and a token of keys that hold for a while are signed too`(
    _ method: SignedAddress.Method, _ signature: String
  ) throws {
    let signer = try signer(
      "s3://pictures?region=eu-1",
      BucketKeys(access: "market:tester", secret: "a-secret/of+tests", token: "tick+et/=="))
    let address = try #require(WebAddress("http://storage.example:9000/pictures/a/ab/abc"))

    let signed = signer.signed(address, for: method, at: 1_749_999_900, expiringAfter: 900)

    #expect(signed.target.contains("&X-Amz-Security-Token=tick%2Bet%2F%3D%3D&"))
    #expect(signed.target.hasSuffix("&X-Amz-Signature=" + signature))
  }
}
