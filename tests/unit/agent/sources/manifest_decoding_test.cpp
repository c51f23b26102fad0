// SPDX-License-Identifier: Apache-2.0

// What is decoded when: each text once, and none on behalf of a reading that is not used.
#include "agent/sources/manifest_decoding.hpp"

#include <string_view>

#include <gtest/gtest.h>

#include "tests/unit/agent/sources/folder_texts.hpp"

namespace berth::agent {
namespace {

bool is_decoded(const DecodedFolder& folder, const std::string& name) {
  return std::holds_alternative<FileDecoded>(folder.files.at(name));
}

bool stays(const DecodedFolder& folder, const std::string& name) {
  return std::holds_alternative<FileStays>(folder.files.at(name));
}

TEST(ManifestDecoding, decodes_what_has_changed_and_nothing_else) {
  const KnownTexts known = {{"a.yaml", std::string("a: 1")}, {"b.yaml", std::string("{}")}};
  FolderContent content = folder({{"a.yaml", "a: 2"}, {"b.yaml", "{}"}, {"notes.txt", "x"}});
  content.files.push_back({.name = "gone.yaml", .content = fail(ErrorCode::kNotFound, "?")});
  content.files.push_back({.name = "no.yaml", .content = fail(ErrorCode::kUnknown, "why")});
  const auto decoded = decode_changed(std::move(content), options(), known, nullptr);
  EXPECT_EQ(decoded.files.size(), 3U);
  EXPECT_TRUE(is_decoded(decoded, "a.yaml"));
  EXPECT_TRUE(stays(decoded, "b.yaml"));
  EXPECT_EQ(std::get<FileUnread>(decoded.files.at("no.yaml")).why, "why");
  EXPECT_EQ(decoded.others, Names{"notes.txt"});
}

TEST(ManifestDecoding, what_is_being_written_is_not_decoded_but_by_the_kubelets_rules) {
  for (const auto rules : {api::ManifestRules::kBerth, api::ManifestRules::kKubelet}) {
    const bool berths = rules == api::ManifestRules::kBerth;
    FolderContent half = folder({{"a.yaml", "kind: "}});
    half.files[0].being_written = true;
    const auto begun_before = decode_changed(std::move(half), options(rules), {}, nullptr);
    EXPECT_EQ(stays(begun_before, "a.yaml"), berths);
    auto begun_later = decode_changed(folder({{"a.yaml", "kind: "}}), options(rules), {}, nullptr);
    leave_out_unfinished({"a.yaml", "other.yaml"}, rules, begun_later);
    EXPECT_EQ(stays(begun_later, "a.yaml"), berths);
    EXPECT_EQ(begun_later.files.size(), 1U);
  }
}

// Otherwise the next reading would take the text for one that is in force.
TEST(ManifestDecoding, a_text_is_known_only_once_it_was_used) {
  ManifestFolder state(options());
  static_cast<void>(update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow));
  const KnownTexts before = state.known();
  EXPECT_EQ(before.at("a.yaml").str(), pod_text("web"));
  const std::string edited = pod_text("other");
  FolderContent failed = folder({{"a.yaml", edited}});
  failed.unreadable = "Input/output error";
  static_cast<void>(update_blocking(state, std::move(failed), kNow));
  EXPECT_EQ(state.known(), before);
  FolderContent half = folder({{"a.yaml", edited}});
  half.files[0].being_written = true;
  static_cast<void>(update_blocking(state, std::move(half), kNow));
  EXPECT_EQ(state.known(), before);
  const auto decoded = decode_changed(folder({{"a.yaml", edited}}), options(), before, nullptr);
  EXPECT_TRUE(is_decoded(decoded, "a.yaml"));
  FolderContent unread{.path = "/m", .exists = true};
  unread.files.push_back({.name = "a.yaml", .content = fail(ErrorCode::kUnknown, "why")});
  static_cast<void>(update_blocking(state, std::move(unread), kNow));
  EXPECT_TRUE(state.known().empty()) << "its problem must go with the next text, the same one too";
}

TEST(ManifestDecoding, does_not_decode_a_text_that_two_berthds_have_died_at) {
  class Dead final : public lifecycle::InHand {
   public:
    void take(std::string_view key) override { taken.emplace_back(key); }
    void put_down() override {}
    [[nodiscard]] bool deadly(const std::string& key) const override { return dead == key; }
    std::vector<std::string> taken{};
    std::string dead{};
  };
  Dead in_hand;
  const auto decode = [&in_hand](const std::string& text) {
    const auto decoded = decode_changed(folder({{"a.yaml", text}}), options(), {}, &in_hand);
    const auto& file = std::get<FileDecoded>(decoded.files.at("a.yaml")).file;
    return file ? std::string() : to_string(file.error().at(0));
  };
  EXPECT_EQ(decode("a: 1").find("died twice"), std::string::npos);
  ASSERT_EQ(in_hand.taken.size(), 1U);
  in_hand.dead = in_hand.taken[0];
  EXPECT_NE(decode("a: 1").find("died twice"), std::string::npos);
  EXPECT_EQ(in_hand.taken.size(), 1U);
  EXPECT_EQ(decode("a: 2").find("died twice"), std::string::npos);
  EXPECT_EQ(in_hand.taken.size(), 2U);
}

}  // namespace
}  // namespace berth::agent
