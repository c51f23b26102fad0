#include "node/taints.hpp"

#include <algorithm>

namespace berth::node {

std::optional<api::Taint> untolerated_no_execute(const std::vector<api::Taint>& taints,
                                                 const std::vector<api::Toleration>& tolerations) {
  for (const auto& taint : taints) {
    if (taint.effect != "NoExecute") continue;
    const bool tolerated = std::any_of(
        tolerations.begin(), tolerations.end(),
        [&](const api::Toleration& toleration) { return tolerates(toleration, taint); });
    if (!tolerated) return taint;
  }
  return std::nullopt;
}

}  // namespace berth::node
