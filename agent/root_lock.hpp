// SPDX-License-Identifier: Apache-2.0

// Only one berthd may use the root directory: two would terminate each other's pods.
//
// Held from `take` until destruction; the kernel releases it when the process ends in any way.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace berth::agent {

class RootLock {
 public:
  // kAlreadyExists if another berthd has it.
  static Result<std::unique_ptr<RootLock>> take(const std::string& root);
  RootLock(const RootLock&) = delete;
  RootLock& operator=(const RootLock&) = delete;
  ~RootLock() = default;

 private:
  explicit RootLock(Descriptor file) : file_(std::move(file)) {}

  Descriptor file_;
};

}  // namespace berth::agent
