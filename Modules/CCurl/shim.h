#pragma once
// There is no `link` line in the module map: libcurl is opened with dlopen on first use, so that a
// run that needs no server does not pay for loading it.
#include <curl/curl.h>
// Glibc's Swift module leaves these out.
#include <sys/epoll.h>
#include <sys/timerfd.h>

// libcurl's option functions are variadic, which Swift does not import, and libcurl insists on the
// exact type of each argument. Each shim takes the address of the opened function first.

static inline CURLcode ccurl_set_long(void *setopt, CURL *easy, CURLoption option, long value) {
  return ((CURLcode (*)(CURL *, CURLoption, ...))setopt)(easy, option, value);
}

static inline CURLcode ccurl_set_offset(void *setopt, CURL *easy, CURLoption option,
                                        curl_off_t value) {
  return ((CURLcode (*)(CURL *, CURLoption, ...))setopt)(easy, option, value);
}

static inline CURLcode ccurl_set_text(void *setopt, CURL *easy, CURLoption option,
                                      const char *value) {
  return ((CURLcode (*)(CURL *, CURLoption, ...))setopt)(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(void *setopt, CURL *easy, CURLoption option,
                                         void *value) {
  return ((CURLcode (*)(CURL *, CURLoption, ...))setopt)(easy, option, value);
}

static inline CURLcode ccurl_set_data_callback(void *setopt, CURL *easy, CURLoption option,
                                               curl_write_callback value) {
  return ((CURLcode (*)(CURL *, CURLoption, ...))setopt)(easy, option, value);
}

static inline CURLcode ccurl_set_progress_callback(void *setopt, CURL *easy,
                                                   curl_xferinfo_callback value) {
  return ((CURLcode (*)(CURL *, CURLoption, ...))setopt)(easy, CURLOPT_XFERINFOFUNCTION, value);
}

static inline CURLcode ccurl_set_open_callback(void *setopt, CURL *easy,
                                               curl_opensocket_callback value) {
  return ((CURLcode (*)(CURL *, CURLoption, ...))setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline CURLcode ccurl_get_long(void *getinfo, CURL *easy, CURLINFO info, long *value) {
  return ((CURLcode (*)(CURL *, CURLINFO, ...))getinfo)(easy, info, value);
}

static inline CURLcode ccurl_get_text(void *getinfo, CURL *easy, CURLINFO info,
                                      const char **value) {
  return ((CURLcode (*)(CURL *, CURLINFO, ...))getinfo)(easy, info, value);
}

static inline CURLMcode ccurl_multi_set_long(void *setopt, CURLM *multi, CURLMoption option,
                                             long value) {
  return ((CURLMcode (*)(CURLM *, CURLMoption, ...))setopt)(multi, option, value);
}

static inline CURLMcode ccurl_multi_set_pointer(void *setopt, CURLM *multi, CURLMoption option,
                                                void *value) {
  return ((CURLMcode (*)(CURLM *, CURLMoption, ...))setopt)(multi, option, value);
}

static inline CURLMcode ccurl_multi_set_socket_callback(void *setopt, CURLM *multi,
                                                        curl_socket_callback value) {
  return ((CURLMcode (*)(CURLM *, CURLMoption, ...))setopt)(multi, CURLMOPT_SOCKETFUNCTION, value);
}

static inline CURLMcode ccurl_multi_set_timer_callback(void *setopt, CURLM *multi,
                                                       curl_multi_timer_callback value) {
  return ((CURLMcode (*)(CURLM *, CURLMoption, ...))setopt)(multi, CURLMOPT_TIMERFUNCTION, value);
}
