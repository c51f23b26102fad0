// SPDX-License-Identifier: Apache-2.0

#include "api/tolerations.hpp"

namespace berth::api {

bool tolerates(const Toleration& toleration, const Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.operator_ == "Exists") return true;
  const bool equal = toleration.operator_.empty() || toleration.operator_ == "Equal";
  return equal && toleration.value == taint.value;
}

}  // namespace berth::api
