// SPDX-License-Identifier: Apache-2.0

// A file of recorded cases: gzip, one JSON object per line.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <boost/json.hpp>

namespace berth::conformance {

// Every *.jsonl.gz below the folders, sorted by path. Throws if a folder cannot be read.
std::vector<std::filesystem::path> find_vector_files(
    const std::vector<std::filesystem::path>& folders);

// Calls `each` for every line's object, in order. Throws if a line cannot be read or parsed.
void for_each_case(const std::filesystem::path& file,
                   const std::function<void(const boost::json::object&)>& each);

// "pod_actions" for ".../pod_actions.jsonl.gz".
std::string stem_of(const std::filesystem::path& file);

}  // namespace berth::conformance
