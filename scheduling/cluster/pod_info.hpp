// A pod as the scheduler sees it on a node: what it takes there, and what others may ask of it.
//
// Compiled once from the API object; compiling is all that looks into the object.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "scheduling/cluster/affinity_terms.hpp"
#include "scheduling/predicates/host_ports.hpp"
#include "scheduling/predicates/resource_fit.hpp"

namespace berth::scheduling {

using AffinityTermsId = std::uint32_t;
inline constexpr AffinityTermsId kNoAffinityTerms = 0;

enum class PodEnding : std::uint8_t {
  kNone,
  kTerminating,  // it has a deletion timestamp
  kPreempted,    // and is terminating because the scheduler preempted it
};

struct PodInfo {
  std::string key{};   // the uid, or namespace/name where there is none
  std::string name{};  // without the namespace
  NameId namespace_ = 0;
  LabelSetId labels = 0;
  AffinityTermsId terms = kNoAffinityTerms;
  PodEnding ending = PodEnding::kNone;
  std::int32_t priority = 0;
  ResourceAmounts requests{};
  // Of cpu and memory, with 100m and 200Mi for containers that state nothing.
  std::int64_t nonzero_milli_cpu = 0;
  std::int64_t nonzero_memory = 0;
  std::vector<HostPort> ports{};
  std::optional<api::Time> start_time{};

  [[nodiscard]] bool is_terminating() const { return ending != PodEnding::kNone; }
};

[[nodiscard]] std::int32_t priority_of(const api::Pod& pod);
// namespace/name
[[nodiscard]] std::string full_name_of(const api::Pod& pod);
[[nodiscard]] std::string pod_key(const api::Pod& pod);

// Requests that count where a container states none.
[[nodiscard]] const api::ResourceList& default_container_requests();

}  // namespace berth::scheduling
