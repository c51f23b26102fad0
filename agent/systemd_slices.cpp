// SPDX-License-Identifier: Apache-2.0

#include "agent/systemd_slices.hpp"

#include "systemd/slice_units.hpp"

namespace berth::agent {
namespace {

std::vector<systemd::UnitProperty> unit_properties(
    const std::vector<node::SliceProperty>& properties) {
  std::vector<systemd::UnitProperty> converted;
  for (const auto& [name, value] : properties) converted.push_back({.name = name, .value = value});
  return converted;
}

Result<node::Nothing> without_value(const Result<bool>& result) {
  if (!result) return fail(result.error());
  return node::Nothing{};
}

}  // namespace

Result<node::Nothing> SystemdSlices::start(const std::string& slice,
                                           const std::vector<node::SliceProperty>& properties) {
  return without_value(systemd::start_slice(slice, "Kubernetes pods", unit_properties(properties)));
}

Result<node::Nothing> SystemdSlices::set(const std::string& slice,
                                         const std::vector<node::SliceProperty>& properties) {
  return without_value(systemd::set_unit_properties(slice, unit_properties(properties)));
}

Result<node::Nothing> SystemdSlices::stop(const std::string& slice) {
  return without_value(systemd::stop_unit(slice));
}

std::unique_ptr<node::Slices> slices_for(node::CgroupDriver driver) {
  if (driver != node::CgroupDriver::kSystemd || !systemd::is_service_manager()) return nullptr;
  return std::make_unique<SystemdSlices>();
}

}  // namespace berth::agent
