// The unix socket of the control API: where it is, who may connect, who has connected.
//
// Loop thread only; nothing here waits. Errors name the path and what to do.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace berth::agent {

// Mode 0660, of that group (empty: `berth`, if there is one). A stale socket is replaced; one that
// somebody answers on, and anything else in the way, is left alone.
[[nodiscard]] Result<Descriptor> listen_on_control_socket(const std::string& path,
                                                          const std::string& group);

struct Caller {
  Descriptor socket{};
  uid_t user = 0;
};

// Fails if there are no descriptors left. None: nobody waits any more.
[[nodiscard]] Result<std::optional<Caller>> accept_caller(int listening);

}  // namespace berth::agent
