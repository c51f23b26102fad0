// SPDX-License-Identifier: Apache-2.0

// The service manager's slices, as the node asks for them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "node/node_config.hpp"
#include "node/slices/slices.hpp"

namespace berth::agent {

class SystemdSlices final : public node::Slices {
 public:
  Result<node::Nothing> start(const std::string& slice,
                              const std::vector<node::SliceProperty>& properties) override;
  Result<node::Nothing> set(const std::string& slice,
                            const std::vector<node::SliceProperty>& properties) override;
  Result<node::Nothing> stop(const std::string& slice) override;
};

// Null with the driver "cgroupfs", and where systemd is not the service manager.
[[nodiscard]] std::unique_ptr<node::Slices> slices_for(node::CgroupDriver driver);

}  // namespace berth::agent
