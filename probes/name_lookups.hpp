// SPDX-License-Identifier: Apache-2.0

// Resolves the names of probes and hooks beside the loop (getaddrinfo only blocks).
//
// Callers that ask for one name at the same time share one lookup. A few names are looked up at
// once, on threads that exist from the first lookup on, so that a name that is not answered delays
// no other. While four names are not answered, further ones wait up to ten seconds for another
// thread. A cancelled caller leaves at once; its lookup continues for the next one. Loop thread
// only; it outlives its callers.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/address.hpp>

#include "base/blocking_pool.hpp"
#include "base/clock.hpp"

namespace berth::probes {

using Addresses = std::vector<boost::asio::ip::address>;

// Asks the system, as its configuration says. Blocks; empty if there is no such host.
[[nodiscard]] Addresses addresses_of(const std::string& host);

class NameLookups {
 public:
  // `resolve`: what blocks, on a thread of its own.
  explicit NameLookups(Clock& clock,
                       std::function<Addresses(const std::string&)> resolve = addresses_of);
  NameLookups(const NameLookups&) = delete;
  NameLookups& operator=(const NameLookups&) = delete;
  // Abandons the lookups under way.
  ~NameLookups();

  // Empty if there is no such host.
  [[nodiscard]] boost::asio::awaitable<Addresses> of(std::string host);

 private:
  struct Flight;
  std::shared_ptr<Flight> begin(const boost::asio::any_io_executor& loop, const std::string& host);

  Clock& clock_;
  std::function<Addresses(const std::string&)> resolve_;
  std::map<std::string, std::shared_ptr<Flight>> flights_{};  // by name
  std::unique_ptr<BlockingPool> pool_{};
};

}  // namespace berth::probes
