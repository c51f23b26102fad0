// SPDX-License-Identifier: Apache-2.0

// berth-conformance [DIR…]: compares our decisions with recorded decisions of Kubernetes 1.34.
//
// Prints one line per file, `FILE passed P failed F skipped S`, with the first differences below
// it. Only kinds that come later (due_kinds.hpp) are skipped. Exits 1 if any case failed, or a due
// kind has no adapter or, in the project's own vectors, no case; 2 on wrong usage.
#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/conformance/adapter.hpp"
#include "tests/conformance/due_kinds.hpp"
#include "tests/conformance/vector_file.hpp"

namespace {

using namespace berth::conformance;
namespace json = boost::json;

constexpr std::size_t kDifferencesShown = 5;  // per file

struct Tally {
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t skipped = 0;
};

std::map<std::string, Kind> all_kinds() {
  std::map<std::string, Kind> kinds;
  std::vector<Kind> list;
  for (const auto& family :
       {quantity_kinds(), api_kinds(), critical_kinds(), cycle_kinds(), evict_kinds(),
        eviction_kinds(), lifecycle_kinds(), node_kinds(), preempt_kinds(), probes_kinds(),
        queue_kinds(), scheduling_kinds(), sync_kinds()})
    list.insert(list.end(), family.begin(), family.end());
  for (const auto& kind : list) kinds.emplace(kind.name, kind);
  return kinds;
}

// Scheduling cases name their kind; for the others the file's name is the kind.
std::string kind_of(const json::object& the_case, const std::filesystem::path& file) {
  const json::value* kind = the_case.if_contains("kind");
  return kind != nullptr && kind->is_string() ? std::string(kind->get_string()) : stem_of(file);
}

std::optional<std::string> run_case(const Kind& kind, const json::object& the_case) {
  try {
    const json::value actual = kind.run(the_case.at("input").as_object());
    return kind.compare(the_case.at("expect"), actual);
  } catch (const std::exception& failure) {
    return std::string("threw: ") + failure.what();
  }
}

// Also for a kind in neither list: it has to be added to one of them.
std::optional<std::string> run_due_case(const std::map<std::string, Kind>& kinds,
                                        const std::string& name, const json::object& the_case) {
  const auto kind = kinds.find(name);
  if (kind == kinds.end()) return "there is no adapter for the kind \"" + name + "\"";
  return run_case(kind->second, the_case);
}

Tally run_file(const std::map<std::string, Kind>& kinds, const std::filesystem::path& file,
               bool own_cases, std::set<std::string>& met) {
  Tally tally;
  std::vector<std::string> differences;
  for_each_case(file, [&](const json::object& the_case) {
    const std::string name = kind_of(the_case, file);
    if (std::ranges::find(kLaterKinds, name) != kLaterKinds.end()) {
      ++tally.skipped;
      return;
    }
    met.insert(name);
    const auto difference = run_due_case(kinds, name, the_case);
    if (!difference) {
      ++tally.passed;
      return;
    }
    ++tally.failed;
    if (differences.size() < kDifferencesShown) {
      const json::value* id = the_case.if_contains("id");
      differences.push_back((id != nullptr ? json::value_to<std::string>(*id) : "?") + "  " +
                            *difference);
    }
  });
  std::cout << file.string() << " passed " << tally.passed << " failed " << tally.failed
            << " skipped " << tally.skipped << "\n";
  for (const auto& difference : differences) std::cout << "    " << difference << "\n";
  const auto kind = kinds.find(stem_of(file));
  const bool reports = kind != kinds.end() && kind->second.report != nullptr;
  if (reports && !kind->second.report(std::cout, own_cases)) ++tally.failed;
  std::cout.flush();
  return tally;
}

// Which expectations of the lists of kinds are not met; empty if all are. `met`: kinds that had a
// case; only in the project's own vectors must each be there.
std::vector<std::string> complaints(const std::map<std::string, Kind>& kinds,
                                    const std::set<std::string>& met, bool own) {
  std::vector<std::string> found;
  for (const std::string_view due : kDueKinds) {
    const std::string name(due);
    if (!kinds.contains(name)) found.push_back(name + " is due, and has no adapter");
    if (own && !met.contains(name)) found.push_back(name + " is due, and has no case");
  }
  for (const auto& [name, kind] : kinds)
    if (std::ranges::find(kDueKinds, name) == kDueKinds.end())
      found.push_back(name + " has an adapter, and is not listed as due");
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> folders(argv + 1, argv + argc);
  const bool own_cases = folders.empty();
  if (own_cases) folders.emplace_back(BERTH_VECTORS);
  try {
    const auto files = find_vector_files(folders);
    if (files.empty()) {
      std::cerr << "error: no *.jsonl.gz below the folders given\n";
      return 2;
    }
    const auto kinds = all_kinds();
    Tally total;
    std::set<std::string> met;
    for (const auto& file : files) {
      const Tally tally = run_file(kinds, file, own_cases, met);
      total.passed += tally.passed;
      total.failed += tally.failed;
      total.skipped += tally.skipped;
    }
    std::cout << total.passed << " passed, " << total.failed << " failed, " << total.skipped
              << " skipped\n";
    const auto wrong = complaints(kinds, met, own_cases);
    for (const std::string& complaint : wrong) std::cout << complaint << "\n";
    return total.failed == 0 && wrong.empty() ? 0 : 1;
  } catch (const std::exception& failure) {
    std::cerr << "error: " << failure.what() << "\n";
    return 2;
  }
}
