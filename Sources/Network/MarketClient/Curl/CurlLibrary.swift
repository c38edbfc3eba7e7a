internal import CCurl
import Glibc

/// Functions of libcurl, loaded by the first request.
///
/// Linking libcurl would add some five milliseconds to every start, also without a server. It stays
/// loaded until the process ends: libcurl does not survive being closed while its threads run.
final class CurlLibrary: Sendable {
  typealias Handle = UnsafeMutableRawPointer

  let makeEasy: @convention(c) () -> Handle?
  let resetEasy: @convention(c) (Handle?) -> Void
  let freeEasy: @convention(c) (Handle?) -> Void
  let makeMulti: @convention(c) () -> Handle?
  let freeMulti: @convention(c) (Handle?) -> CURLMcode
  let add: @convention(c) (Handle?, Handle?) -> CURLMcode
  let remove: @convention(c) (Handle?, Handle?) -> CURLMcode
  let act: @convention(c) (Handle?, Int32, Int32, UnsafeMutablePointer<Int32>?) -> CURLMcode
  let nextMessage:
    @convention(c) (Handle?, UnsafeMutablePointer<Int32>?) -> UnsafeMutablePointer<CURLMsg>?
  let appendToList:
    @convention(c) (UnsafeMutablePointer<curl_slist>?, UnsafePointer<CChar>?) ->
      UnsafeMutablePointer<curl_slist>?
  let freeList: @convention(c) (UnsafeMutablePointer<curl_slist>?) -> Void
  /// Variadic functions, called by the shims.
  let setEasyOption: Function
  let getEasyInfo: Function
  let setMultiOption: Function

  /// Address of a function that only the shims can call.
  struct Function: @unchecked Sendable {  // an address of code, the same for ever
    let address: UnsafeMutableRawPointer
  }

  /// Loads the library that the dynamic loader finds by `name`.
  /// - Throws: `.libraryMissing` if it is not installed, lacks a function or fails to initialize.
  init(named name: String) throws(TransportError) {
    guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { throw .libraryMissing }
    func function<Code>(_ name: String, as type: Code.Type) throws(TransportError) -> Code {
      guard let address = dlsym(library, name) else { throw .libraryMissing }
      return unsafeBitCast(address, to: type)
    }
    func address(_ name: String) throws(TransportError) -> Function {
      guard let address = dlsym(library, name) else { throw .libraryMissing }
      return Function(address: address)
    }
    makeEasy = try function("curl_easy_init", as: type(of: makeEasy))
    resetEasy = try function("curl_easy_reset", as: type(of: resetEasy))
    freeEasy = try function("curl_easy_cleanup", as: type(of: freeEasy))
    makeMulti = try function("curl_multi_init", as: type(of: makeMulti))
    freeMulti = try function("curl_multi_cleanup", as: type(of: freeMulti))
    add = try function("curl_multi_add_handle", as: type(of: add))
    remove = try function("curl_multi_remove_handle", as: type(of: remove))
    act = try function("curl_multi_socket_action", as: type(of: act))
    nextMessage = try function("curl_multi_info_read", as: type(of: nextMessage))
    appendToList = try function("curl_slist_append", as: type(of: appendToList))
    freeList = try function("curl_slist_free_all", as: type(of: freeList))
    setEasyOption = try address("curl_easy_setopt")
    getEasyInfo = try address("curl_easy_getinfo")
    setMultiOption = try address("curl_multi_setopt")
    let start = try function(
      "curl_global_init", as: (@convention(c) (Int) -> CURLcode).self)
    // The value of CURL_GLOBAL_DEFAULT: Swift does not import macros that are expressions.
    guard start(Int(CURL_GLOBAL_SSL | CURL_GLOBAL_WIN32)) == CURLE_OK else {
      throw .libraryMissing
    }
  }
}
