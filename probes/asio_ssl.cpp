// SPDX-License-Identifier: Apache-2.0

// Asio's TLS, compiled once (BOOST_ASIO_SEPARATE_COMPILATION).
#include <boost/asio/ssl/impl/src.hpp>
