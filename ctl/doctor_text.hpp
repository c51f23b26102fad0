// SPDX-License-Identifier: Apache-2.0

// The findings of `doctor` as text: by area, including areas without findings. Pure.
#pragma once

#include <string>
#include <vector>

namespace berth::ctl {

struct DoctorFinding {
  std::string severity{};  // "note", "warning", "trouble"
  std::string area{};
  std::string subject{};
  std::string text{};
  std::string advice{};  // empty if there is nothing to do
};

[[nodiscard]] std::string doctor_text(const std::vector<DoctorFinding>& findings);

// Whether any finding is worse than a note: then the exit code is 1.
[[nodiscard]] bool needs_attention(const std::vector<DoctorFinding>& findings);

}  // namespace berth::ctl
