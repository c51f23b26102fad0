// SPDX-License-Identifier: Apache-2.0

// For co_await on an Asio operation that may well fail: the error is the first part of the result.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace berth {

inline constexpr auto kNoThrow = boost::asio::as_tuple(boost::asio::use_awaitable);

}  // namespace berth
