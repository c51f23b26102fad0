// SPDX-License-Identifier: Apache-2.0

// The inputs of `schedule explain` (a pod, a cluster's objects, a scheduler's configuration) and
// its output. Lines of "===" separate the three texts.
#include "ctl/schedule/explain_json.hpp"
#include "ctl/schedule/explain_text.hpp"
#include "scheduling/configuration/read_configuration.hpp"
#include "scheduling/explain/explain_placement.hpp"
#include "scheduling/explain/pod_question.hpp"
#include "tests/fuzz/fuzz_target.hpp"

#include <array>

#include <boost/json.hpp>

namespace berth::fuzz {
namespace {

using scheduling::Placement;
using scheduling::PlacementExplanation;

constexpr std::string_view kDivider = "\n===\n";
// Beyond this size the fuzzer would only find that large input is slow.
constexpr std::size_t kMostBytes = 64 * 1024;

std::array<std::string_view, 3> parts_of(std::string_view text) {
  std::array<std::string_view, 3> parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t end = text.find(kDivider);
    parts[i] = text.substr(0, end);
    text = end == text.npos ? std::string_view() : text.substr(end + kDivider.size());
  }
  return parts;
}

void check(const PlacementExplanation& explanation, std::size_t nodes) {
  require(explanation.nodes.size() <= nodes, "no node comes from nowhere");
  std::size_t fitting = 0;
  for (const auto& node : explanation.nodes) {
    fitting += node.fits() ? 1 : 0;
    require(node.fits() || !node.total, "only nodes that fit are scored", node.node);
    require(!node.total || node.scores.size() == explanation.plugins.size(), "all plugins score");
    for (const auto& refusal : node.refusals) {
      require(!refusal.reasons.empty(), "a refusal has a reason", node.node);
    }
  }
  const bool fits = explanation.placement == Placement::kFits;
  require(fits == !explanation.best.empty(), "a pod that fits has a best node");
  require(!fits || explanation.fitting <= fitting, "what is feasible fits");
  require(!explanation.message.empty(), "there is always something to say");
  for (const auto extent : {ctl::Extent::kBrief, ctl::Extent::kAll}) {
    require(!ctl::explain_text(explanation, {.extent = extent, .spread = true}).empty(),
            "it has a text");
  }
  require(ctl::explain_json(explanation).is_object(), "it is an object");
}

void explain(std::string_view text) {
  const auto [pod, cluster, configuration] = parts_of(text);
  scheduling::SchedulerSettings settings;
  if (auto read = scheduling::read_scheduler_configuration(configuration)) {
    settings = std::move(*read);
  }
  scheduling::ReadObjects read;
  scheduling::read_objects("pod.yaml", pod, scheduling::PodsAre::kToBePlaced, read);
  scheduling::read_objects("cluster.yaml", cluster, scheduling::PodsAre::kThere, read);
  for (const auto& problem : read.problems) {
    require(to_string(problem).find(".yaml") != std::string::npos, "problems have their file");
  }
  const auto question = scheduling::ask_about(read, {.file = "pod.yaml", .namespace_ = "default"});
  if (!question) {
    require(!question.error().empty(), "what is refused has problems");
    return;
  }
  for (const scheduling::Profile& profile : settings.profiles) {
    check(scheduling::explain_placement(question->pod, read.objects, profile),
          read.objects.nodes.size());
  }
}

}  // namespace
}  // namespace berth::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size <= berth::fuzz::kMostBytes) berth::fuzz::explain(berth::fuzz::text_of(data, size));
  return 0;
}
