#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace rfs {

/// A web server for the browsers of this machine: it listens on 127.0.0.1 and answers GET for known paths. Requests
/// whose Host is another name are refused, so that no foreign page can read it by pointing its own name here.
class LocalServer {
 public:
  struct Page {
    std::string type;                      ///< "text/html"
    std::function<std::string()> content;  ///< called for each request; an Error becomes code 500 with its text
  };

  /// Listens on a port; 0 takes any free one. Throws Error if the port is in use.
  LocalServer(uint16_t port, std::map<std::string, Page> pages);
  ~LocalServer();
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;

  uint16_t port() const { return port_; }

  /// Answers requests until `stopped()`, which is asked a few times per second.
  void serve(const std::function<bool()>& stopped);

 private:
  std::string reply(const std::string& request) const;

  std::map<std::string, Page> pages_;
  uint16_t port_ = 0;
  int listening_ = -1;
};

}  // namespace rfs
