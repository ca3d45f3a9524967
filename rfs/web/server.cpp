#include "rfs/web/server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <vector>

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t longest_request = 16'384, most_connections = 64;
constexpr auto patience = std::chrono::seconds(15);  // a connection that takes longer is closed
constexpr int poll_milliseconds = 200;

/// A connection first receives a request, then sends the reply, then closes.
struct Connection {
  int file = -1;
  Clock::time_point deadline;
  std::string received, reply;
  size_t sent = 0;

  bool replying() const { return !reply.empty(); }
};

std::string response(const std::string& status, const std::string& type, const std::string& body) {
  return rfs::format(
      "HTTP/1.1 {}\r\nContent-Type: {}; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n"
      "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n"
      "Allow: GET\r\n\r\n{}",
      status, type, body.size(), body);
}

std::string refusal(const std::string& status) {
  return response(status, "text/plain", status + "\n");
}

/// The only Host header of a request in lower case, without the port; "" if there is none or more than one.
std::string host_of(const std::string& request) {
  std::string host;
  int found = 0;
  for (size_t at = request.find("\r\n"); at != std::string::npos; at = request.find("\r\n", at + 2)) {
    std::string line = request.substr(at + 2, request.find("\r\n", at + 2) - at - 2);
    std::transform(line.begin(), line.end(), line.begin(), [](unsigned char c) { return std::tolower(c); });
    if (!line.starts_with("host:")) continue;
    ++found;
    host = line.substr(line.find_first_not_of(" \t", 5) == std::string::npos ? line.size()
                                                                             : line.find_first_not_of(" \t", 5));
    host = host.substr(0, host.find_last_not_of(" \t") + 1);
    host = host.substr(0, host.find(':'));
  }
  return found == 1 ? host : "";
}

}  // namespace

LocalServer::LocalServer(uint16_t port, std::map<std::string, Page> pages) : pages_(std::move(pages)) {
  const auto failed = [&](const std::string& what) {
    const std::string reason = std::strerror(errno);
    if (listening_ >= 0) close(listening_);
    throw Error(rfs::format("{}: {}", what, reason));
  };
  listening_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listening_ < 0) failed("cannot open a socket");
  const int on = 1;
  setsockopt(listening_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(listening_, reinterpret_cast<const sockaddr*>(&address), size) != 0 || listen(listening_, 16) != 0) {
    if (errno == EADDRINUSE) {
      close(listening_);
      throw Error(
          rfs::format("--port {0}: another program uses this port; choose another one, or 0 for any free one", port));
    }
    failed(rfs::format("--port {}", port));
  }
  getsockname(listening_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
}

LocalServer::~LocalServer() {
  close(listening_);
}

std::string LocalServer::reply(const std::string& request) const {
  const std::string line = request.substr(0, request.find("\r\n"));
  const size_t first = line.find(' '), second = line.rfind(' ');
  if (first == std::string::npos || second == first || !line.substr(second + 1).starts_with("HTTP/1.")) {
    return refusal("400 Bad Request");
  }
  const std::string host = host_of(request);
  if (host != "127.0.0.1" && host != "localhost") return refusal("403 Forbidden");
  if (line.substr(0, first) != "GET") return refusal("405 Method Not Allowed");
  const auto page = pages_.find(line.substr(first + 1, second - first - 1));
  if (page == pages_.end()) return refusal("404 Not Found");
  try {
    return response("200 OK", page->second.type, page->second.content());
  } catch (const std::exception& error) {
    return response("500 Internal Server Error", "text/plain", first_line(error.what()) + "\n");
  }
}

void LocalServer::serve(const std::function<bool()>& stopped) {
  std::vector<Connection> connections;
  const auto end = [](Connection& connection) {
    close(connection.file);
    connection.file = -1;
  };
  const auto receive = [&](Connection& connection) {
    char buffer[4096];
    const ssize_t count = recv(connection.file, buffer, sizeof buffer, 0);
    if (count <= 0) {
      if (count == 0 || (errno != EAGAIN && errno != EINTR)) end(connection);
      return;
    }
    connection.received.append(buffer, static_cast<size_t>(count));
    if (connection.received.find("\r\n\r\n") != std::string::npos) {
      connection.reply = reply(connection.received);
    } else if (connection.received.size() > longest_request) {
      connection.reply = refusal("431 Request Header Fields Too Large");
    }
  };
  const auto send_more = [&](Connection& connection) {
    const ssize_t count = send(connection.file, connection.reply.data() + connection.sent,
                               connection.reply.size() - connection.sent, MSG_NOSIGNAL);
    if (count < 0) {
      if (errno != EAGAIN && errno != EINTR) end(connection);
      return;
    }
    connection.sent += static_cast<size_t>(count);
    if (connection.sent == connection.reply.size()) {
      shutdown(connection.file, SHUT_WR);
      end(connection);
    }
  };
  while (!stopped()) {
    std::vector<pollfd> waiting;
    for (const auto& connection : connections) {
      waiting.push_back({connection.file, static_cast<short>(connection.replying() ? POLLOUT : POLLIN), 0});
    }
    waiting.push_back({connections.size() < most_connections ? listening_ : -1, POLLIN, 0});
    if (poll(waiting.data(), waiting.size(), poll_milliseconds) < 0 && errno != EINTR) {
      throw Error(rfs::format("cannot wait for connections: {}", std::strerror(errno)));
    }
    for (size_t i = 0; i < connections.size(); ++i) {
      if (waiting[i].revents != 0) connections[i].replying() ? send_more(connections[i]) : receive(connections[i]);
      if (connections[i].file >= 0 && Clock::now() > connections[i].deadline) end(connections[i]);
    }
    std::erase_if(connections, [](const Connection& connection) { return connection.file < 0; });
    if (waiting.back().revents & POLLIN) {
      const int file = accept4(listening_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (file >= 0) connections.push_back({file, Clock::now() + patience, {}, {}});
    }
  }
  for (auto& connection : connections) end(connection);
}

}  // namespace rfs
