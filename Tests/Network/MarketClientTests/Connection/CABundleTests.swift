import Expectations
import Testing

@testable import MarketClient

struct CABundleTests {
  @Test(arguments: [
    ("Debian", "/etc/ssl/certs/ca-certificates.crt"),
    ("Alma", "/etc/pki/tls/certs/ca-bundle.crt"),
    ("Fedora", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem"),
  ])
  func `each system's authorities are found where it keeps them`(system: String, file: String) {
    let path = CABundle.path(environment: { _ in nil }, isFile: { $0 == file })

    expect(path, file, "\(system)")
  }

  @Test func `a file that the environment names is taken, also where it cannot be read`() {
    let path = CABundle.path(
      environment: { $0 == "SSL_CERT_FILE" ? "/mine.pem" : nil }, isFile: { _ in true })

    expect(path, "/mine.pem")
  }

  @Test func `a system without any known place leaves it to libcurl`() {
    expect(CABundle.path(environment: { _ in nil }, isFile: { _ in false }), nil)
  }
}
