// SPDX-License-Identifier: Apache-2.0

// Asio's own code, compiled once (BOOST_ASIO_SEPARATE_COMPILATION).
#include <boost/asio/impl/src.hpp>
