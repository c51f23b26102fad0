// SPDX-License-Identifier: Apache-2.0

#include "scheduling/predicates/resource_fit.hpp"

#include "api/validation/validate_grammar.hpp"

namespace berth::scheduling {
namespace {

constexpr std::string_view kQuotaPrefix = "requests.";

bool is_prefixed_native(std::string_view name) {
  return name.find("kubernetes.io/") != std::string_view::npos;
}

auto position(std::vector<ScalarAmount>& scalars, std::string_view name) {
  return std::lower_bound(
      scalars.begin(), scalars.end(), name,
      [](const ScalarAmount& scalar, std::string_view wanted) { return scalar.name < wanted; });
}

const ScalarAmount* find(const std::vector<ScalarAmount>& scalars, std::string_view name) {
  for (const ScalarAmount& scalar : scalars) {
    if (scalar.name == name) return &scalar;
  }
  return nullptr;
}

}  // namespace

std::int64_t ResourceAmounts::of(std::string_view name) const {
  if (name == "cpu") return milli_cpu;
  if (name == "memory") return memory;
  if (name == "ephemeral-storage") return ephemeral_storage;
  return scalar(name);
}

std::int64_t ResourceAmounts::scalar(std::string_view name) const {
  const ScalarAmount* found = find(scalars, name);
  return found == nullptr ? 0 : found->amount;
}

bool ResourceAmounts::has_scalar(std::string_view name) const {
  return find(scalars, name) != nullptr;
}

ResourceAmounts& ResourceAmounts::operator+=(const ResourceAmounts& other) {
  milli_cpu = wrapping_sum(milli_cpu, other.milli_cpu);
  memory = wrapping_sum(memory, other.memory);
  ephemeral_storage = wrapping_sum(ephemeral_storage, other.ephemeral_storage);
  for (const ScalarAmount& more : other.scalars) {
    if (more.amount == 0) continue;
    const auto place = position(scalars, more.name);
    if (place != scalars.end() && place->name == more.name) {
      place->amount = wrapping_sum(place->amount, more.amount);
    } else {
      scalars.insert(place, more);
    }
  }
  return *this;
}

ResourceAmounts& ResourceAmounts::operator-=(const ResourceAmounts& other) {
  milli_cpu = wrapping_difference(milli_cpu, other.milli_cpu);
  memory = wrapping_difference(memory, other.memory);
  ephemeral_storage = wrapping_difference(ephemeral_storage, other.ephemeral_storage);
  for (const ScalarAmount& less : other.scalars) {
    const auto place = position(scalars, less.name);
    if (place == scalars.end() || place->name != less.name) continue;
    place->amount = wrapping_difference(place->amount, less.amount);
    if (place->amount == 0) scalars.erase(place);
  }
  return *this;
}

bool is_extended_resource(std::string_view name) {
  const bool native = name.find('/') == std::string_view::npos || is_prefixed_native(name);
  if (native || name.starts_with(kQuotaPrefix)) return false;
  // Quotas use the name with this prefix, and that name must be valid as well.
  return api::grammar::qualified_name(std::string(kQuotaPrefix).append(name)).empty();
}

bool is_scalar_resource(std::string_view name) {
  return name.starts_with("hugepages-") || is_prefixed_native(name) ||
         name.starts_with("attachable-volumes-") || is_extended_resource(name);
}

ResourceAmounts amounts_of(const api::ResourceList& list) {
  ResourceAmounts amounts;
  for (const auto& [name, amount] : list) {
    if (name == "cpu") {
      amounts.milli_cpu = amount.milli_value();
    } else if (name == "memory") {
      amounts.memory = amount.value();
    } else if (name == "ephemeral-storage") {
      amounts.ephemeral_storage = amount.value();
    } else if (is_scalar_resource(name)) {
      amounts.scalars.push_back({.name = name, .amount = amount.value()});
    }
  }
  return amounts;
}

std::int64_t allowed_pods(const api::ResourceList& allocatable) {
  const auto pods = allocatable.find("pods");
  return pods == allocatable.end() ? 0 : pods->second.value();
}

std::vector<Shortage> shortages(const ResourceAmounts& request, const NodeRoom& room) {
  std::vector<Shortage> found;
  for_each_shortage(request, room,
                    [&](std::string_view resource, std::int64_t requested, std::int64_t used,
                        std::int64_t capacity) {
                      found.push_back({.resource = std::string(resource),
                                       .requested = requested,
                                       .used = used,
                                       .capacity = capacity});
                    });
  return found;
}

Fit fit(const ResourceAmounts& request, const NodeRoom& room) {
  Fit answer = Fit::kFits;
  for_each_shortage(
      request, room,
      [&](std::string_view resource, std::int64_t requested, std::int64_t, std::int64_t capacity) {
        const bool beyond = Shortage::exceeds(resource, requested, capacity);
        answer = beyond ? Fit::kUnresolvable : std::max(answer, Fit::kShort);
      });
  return answer;
}

}  // namespace berth::scheduling
