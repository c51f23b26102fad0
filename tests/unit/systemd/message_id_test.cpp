// SPDX-License-Identifier: Apache-2.0

// The journal's message ids, and that the catalogue explains each of them.
#include "systemd/message_id.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/test_paths.hpp"

namespace berth::systemd {
namespace {

// An entry of the catalogue: the names of its header fields, and whether there is text below them.
struct Entry {
  std::set<std::string> fields{};
  bool has_text = false;
};

std::map<std::string, Entry> read_catalogue() {
  std::map<std::string, Entry> entries;
  std::ifstream file(source_dir() / "systemd/berth.catalog");
  Entry* entry = nullptr;
  bool in_head = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    if (line.starts_with("-- ")) {
      entry = &entries[line.substr(3)];
      in_head = true;
    } else if (line.empty()) {
      in_head = false;
    } else if (entry != nullptr && in_head) {
      entry->fields.insert(line.substr(0, line.find(':')));
    } else if (entry != nullptr) {
      entry->has_text = true;
    }
  }
  return entries;
}

TEST(MessageId, each_is_found_by_its_event) {
  for (const auto& [event, id] : message_ids()) EXPECT_EQ(message_id(event), id) << event;
  EXPECT_EQ(message_id("Evicted"), "f4b62424494443d29c70cf8ceb9dee9a");
  EXPECT_EQ(message_id(""), "");
  EXPECT_EQ(message_id("Evicte"), "");
  EXPECT_EQ(message_id("Pulled"), "") << "most lines need no explanation";
}

TEST(MessageId, each_is_one_of_systemd_s_and_used_once) {
  std::set<std::string> ids;
  for (const auto& [event, id] : message_ids()) {
    EXPECT_EQ(id.size(), 32U) << event;
    EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos) << event;
    EXPECT_TRUE(ids.insert(std::string(id)).second) << event;
  }
}

TEST(MessageId, the_catalogue_explains_each_and_nothing_else) {
  const auto catalogue = read_catalogue();
  std::set<std::string> explained;
  for (const auto& [id, entry] : catalogue) {
    explained.insert(id);
    EXPECT_EQ(entry.fields, (std::set<std::string>{"Subject", "Defined-By", "Documentation"}))
        << id;
    EXPECT_TRUE(entry.has_text) << id;
  }
  std::set<std::string> logged;
  for (const auto& [event, id] : message_ids()) logged.emplace(id);
  EXPECT_EQ(explained, logged);
}

}  // namespace
}  // namespace berth::systemd
