import Posix

/// File of trusted certificate authorities (PEM).
///
/// libcurl looks where the system it was built for keeps its own, and a bundled libcurl may run on any
/// system, so the path is passed to it explicitly.
package enum CABundle {
  /// Paths used by systems; the first that exists is taken.
  static let places = [
    "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Alpine
    "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, Alma and others of Red Hat's family
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // the same, later
    "/etc/ssl/ca-bundle.pem",  // openSUSE
    "/etc/ssl/cert.pem",  // Alpine without its bundle, the BSDs
  ]

  /// Path for this process: `SSL_CERT_FILE`, as everywhere with OpenSSL, or the system's; nil if no
  /// known path exists, and then libcurl decides.
  package static func path(
    environment: (String) -> String? = Environment.value(of:),
    isFile: (String) -> Bool = Folder.isFile
  ) -> String? {
    environment("SSL_CERT_FILE") ?? places.first(where: isFile)
  }
}
