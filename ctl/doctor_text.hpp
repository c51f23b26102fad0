// The findings of `doctor` as text: by area, the areas where all is well named as well. Pure.
#pragma once

#include <string>
#include <vector>

namespace berth::ctl {

struct DoctorFinding {
  std::string severity{};  // "note", "warning", "trouble"
  std::string area{};
  std::string subject{};
  std::string text{};
};

[[nodiscard]] std::string doctor_text(const std::vector<DoctorFinding>& findings);

// Whether anything is worse than a note: the exit code is 1 then.
[[nodiscard]] bool needs_attention(const std::vector<DoctorFinding>& findings);

}  // namespace berth::ctl
