// Objects as JSON without loss: as the API's codec writes them, but with times to the nanosecond.
//
// What is read back (api/codec.hpp, which takes any fraction of a second) equals what was written,
// except for bytes in strings that are no UTF-8: they become U+FFFD, as in Kubernetes. Pure.
#pragma once

#include <string>

#include "api/codec_types.hpp"

namespace berth::agent {

[[nodiscard]] std::string exact_json(const api::codec::TypeInfo& type, const void* object);

}  // namespace berth::agent
