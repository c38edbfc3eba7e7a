import Posix

/// File of the certificate authorities (PEM) by which encrypted servers are trusted.
///
/// libcurl looks where the system it was built for keeps its own, and a libcurl that a folder brings
/// along may run on any. The file is named to it each time.
package enum CABundle {
  /// Where systems keep it, the first that exists being the one.
  static let places = [
    "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Alpine
    "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, Alma and others of Red Hat's family
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // the same, later
    "/etc/ssl/ca-bundle.pem",  // openSUSE
    "/etc/ssl/cert.pem",  // Alpine without its bundle, the BSDs
  ]

  /// The file of this run: what `SSL_CERT_FILE` names, as everywhere with OpenSSL, or the system's.
  ///
  /// Nil where the system has none of the known places, which leaves it to libcurl.
  package static func path(
    environment: (String) -> String? = Environment.value(of:),
    isFile: (String) -> Bool = Folder.isFile
  ) -> String? {
    environment("SSL_CERT_FILE") ?? places.first(where: isFile)
  }
}
