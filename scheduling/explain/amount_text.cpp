// SPDX-License-Identifier: Apache-2.0

#include "scheduling/explain/amount_text.hpp"

#include <array>

#include <fmt/format.h>

namespace berth::scheduling {
namespace {

bool is_bytes(std::string_view resource) {
  return resource == "memory" || resource == "ephemeral-storage" ||
         resource.starts_with("hugepages-");
}

// Without trailing zeros: 1.50 is 1.5.
std::string decimal(double number) {
  std::string text = fmt::format("{:.2f}", number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string bytes_text(std::int64_t amount) {
  constexpr std::array<const char*, 7> kUnits = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  auto number = static_cast<double>(amount);
  std::size_t unit = 0;
  while ((number >= 1024 || number <= -1024) && unit + 1 < kUnits.size()) {
    number /= 1024;
    ++unit;
  }
  return decimal(number) + kUnits[unit];
}

}  // namespace

std::string amount_text(std::string_view resource, std::int64_t amount) {
  if (is_bytes(resource)) return bytes_text(amount);
  if (resource != "cpu") return std::to_string(amount);
  const bool whole = amount % 100 == 0 && (amount >= 1000 || amount <= -1000 || amount == 0);
  return whole ? decimal(static_cast<double>(amount) / 1000) : std::to_string(amount) + "m";
}

std::string amounts_text(const ResourceAmounts& amounts) {
  std::string text;
  const auto add = [&](const std::string& name, std::int64_t amount) {
    if (amount == 0) return;
    text += (text.empty() ? "" : ", ") + name + " " + amount_text(name, amount);
  };
  add("cpu", amounts.milli_cpu);
  add("memory", amounts.memory);
  add("ephemeral-storage", amounts.ephemeral_storage);
  for (const ScalarAmount& scalar : amounts.scalars) add(scalar.name, scalar.amount);
  return text.empty() ? "nothing" : text;
}

}  // namespace berth::scheduling
