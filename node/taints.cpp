#include "node/taints.hpp"

#include <algorithm>

namespace berth::node {

bool tolerates(const api::Toleration& toleration, const api::Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.operator_ == "Exists") return true;
  const bool equal = toleration.operator_.empty() || toleration.operator_ == "Equal";
  return equal && toleration.value == taint.value;
}

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
