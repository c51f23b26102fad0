// SPDX-License-Identifier: Apache-2.0

#include "probes/name_lookups.hpp"

#include <netdb.h>
#include <sys/socket.h>

#include <cstring>
#include <utility>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/this_coro.hpp>

#include "base/broadcast.hpp"

namespace berth::probes {

namespace asio = boost::asio;

namespace {

// Names that are looked up at once. The pool replaces a thread that is blocked for ten seconds.
constexpr unsigned kAtOnce = 4;

}  // namespace

Addresses addresses_of(const std::string& host) {
  const addrinfo hints{.ai_flags = 0,
                       .ai_family = AF_UNSPEC,
                       .ai_socktype = SOCK_STREAM,
                       .ai_protocol = 0,
                       .ai_addrlen = 0,
                       .ai_addr = nullptr,
                       .ai_canonname = nullptr,
                       .ai_next = nullptr};
  addrinfo* first = nullptr;
  if (::getaddrinfo(host.c_str(), nullptr, &hints, &first) != 0) return {};
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> all(first, &::freeaddrinfo);
  Addresses found;
  for (const addrinfo* one = all.get(); one != nullptr; one = one->ai_next) {
    asio::ip::tcp::endpoint endpoint;
    if (one->ai_addrlen > endpoint.capacity()) continue;
    std::memcpy(endpoint.data(), one->ai_addr, one->ai_addrlen);
    endpoint.resize(one->ai_addrlen);
    found.push_back(endpoint.address());
  }
  return found;
}

struct NameLookups::Flight {
  explicit Flight(asio::any_io_executor loop) : landed(std::move(loop)) {}

  Broadcast landed;
  bool over = false;
  Addresses found{};
};

NameLookups::NameLookups(Clock& clock, std::function<Addresses(const std::string&)> resolve)
    : clock_(clock), resolve_(std::move(resolve)) {}

NameLookups::~NameLookups() {
  if (pool_) pool_->give_up();
}

std::shared_ptr<NameLookups::Flight> NameLookups::begin(const asio::any_io_executor& loop,
                                                        const std::string& host) {
  if (!pool_)
    pool_ = std::make_unique<BlockingPool>(loop, clock_, BlockingPool::Options{.threads = kAtOnce});
  const auto flight = std::make_shared<Flight>(loop);
  std::function<Addresses()> work = [resolve = resolve_, host] { return resolve(host); };
  std::function<void(Addresses)> done = [this, flight, host](Addresses found) {
    flights_.erase(host);
    flight->found = std::move(found);
    flight->over = true;
    flight->landed.ring();
  };
  pool_->start("looking up " + host, std::move(work), std::move(done));
  return flight;
}

asio::awaitable<Addresses> NameLookups::of(std::string host) {
  const auto loop = co_await asio::this_coro::executor;
  auto& entry = flights_[host];
  if (!entry) entry = begin(loop, host);
  const std::shared_ptr<Flight> flight = entry;
  if (!flight->over) co_await flight->landed.wait();
  co_return flight->found;
}

}  // namespace berth::probes
