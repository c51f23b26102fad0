// SPDX-License-Identifier: Apache-2.0

// A pod with nothing but its identity.
#pragma once

#include <memory>

#include "api/pod.hpp"

namespace berth::lifecycle {

inline std::shared_ptr<api::Pod> pod(const char* uid, const char* name = "web") {
  auto made = std::make_shared<api::Pod>();
  made->metadata.uid = uid;
  made->metadata.name = name;
  made->metadata.namespace_ = "default";
  return made;
}

}  // namespace berth::lifecycle
