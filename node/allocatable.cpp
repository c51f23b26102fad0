// SPDX-License-Identifier: Apache-2.0

#include "node/allocatable.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/cut_to_int64.hpp"

namespace berth::node {
namespace {

using Format = api::Quantity::Format;
using Amounts = std::map<std::string, api::Quantity>;

api::Quantity bytes(std::int64_t value) {
  return api::Quantity::from_int(value, Format::kBinarySI);
}

// "2Mi": page sizes are powers of two.
std::string huge_page_resource(std::int64_t page_size) {
  return "hugepages-" + bytes(page_size).to_string();
}

void add(Amounts& sums, const Amounts& more) {
  for (const auto& [name, amount] : more) sums[name] += amount;
}

api::Quantity threshold(const HardEviction& eviction, const api::ResourceList& capacity,
                        const std::string& name) {
  if (eviction.quantity) return *eviction.quantity;
  const auto found = capacity.find(name);
  if (found == capacity.end()) return {};
  return bytes(cut_to_int64(static_cast<double>(found->second.value()) * eviction.fraction));
}

// The reserved amount of each resource.
Amounts reservations(const NodeConfig& config, const api::ResourceList& capacity) {
  Amounts reserved;
  add(reserved, config.system_reserved);
  add(reserved, config.kube_reserved);
  reserved["memory"] += threshold(config.hard_eviction_memory, capacity, "memory");
  if (capacity.contains("ephemeral-storage"))
    reserved["ephemeral-storage"] +=
        threshold(config.hard_eviction_nodefs, capacity, "ephemeral-storage");
  return reserved;
}

}  // namespace

api::ResourceList node_capacity(const NodeConfig& config, const NodeFacts& facts) {
  std::int64_t pods = config.max_pods;
  if (config.pods_per_core > 0) {
    pods = std::min<std::int64_t>(facts.cpus * config.pods_per_core, pods);
  }
  api::ResourceList capacity{
      {"cpu", api::Quantity::from_milli(facts.cpus * 1000)},
      {"memory", bytes(facts.memory)},
      {"pods", api::Quantity::from_int(pods)},
  };
  if (facts.ephemeral_storage > 0) {
    capacity["ephemeral-storage"] = bytes(facts.ephemeral_storage);
  }
  for (const auto& pages : facts.huge_pages) {
    capacity[huge_page_resource(pages.page_size)] = bytes(pages.count * pages.page_size);
  }
  return capacity;
}

api::ResourceList node_allocatable(const NodeConfig& config, const NodeFacts& facts) {
  api::ResourceList allocatable = node_capacity(config, facts);
  const Amounts reserved = reservations(config, allocatable);
  for (auto& [name, amount] : allocatable) {
    const auto found = reserved.find(name);
    if (found == reserved.end()) continue;
    amount -= found->second;
    if (amount.sign() < 0) amount = api::Quantity::from_int(0, amount.format());
  }
  auto& memory = allocatable["memory"];
  for (const auto& pages : facts.huge_pages) memory -= bytes(pages.count * pages.page_size);
  if (memory.sign() < 0) memory = bytes(0);
  return allocatable;
}

Result<api::ResourceList> checked_allocatable(const NodeConfig& config, const NodeFacts& facts) {
  const auto capacity = node_capacity(config, facts);
  std::string problems;
  for (const auto& [name, amount] : reservations(config, capacity)) {
    const auto found = capacity.find(name);
    const auto has = found == capacity.end() ? api::Quantity{} : found->second;
    // Process ids are reserved but never published.
    if (name == "pid" || amount <= has) continue;
    problems += fmt::format(
        " Resource \"{}\" has a reservation of {} but capacity of {}. Expected capacity >= "
        "reservation.",
        name, amount.to_string(), has.to_string());
  }
  if (problems.empty()) return node_allocatable(config, facts);
  return fail(ErrorCode::kInvalid, "invalid Node Allocatable configuration." + problems);
}

}  // namespace berth::node
