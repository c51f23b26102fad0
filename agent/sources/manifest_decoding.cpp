// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/manifest_decoding.hpp"

#include <functional>
#include <utility>

#include <fmt/format.h>

namespace berth::agent {
namespace {

DecodedFile decode_file(const std::string& name, const std::string& text,
                        const api::ManifestOptions& options) {
  auto decoded = api::decode_manifest(name, text, options);
  if (!decoded) return std::unexpected(std::move(decoded.error()));
  return GoodFile(std::move(*decoded));
}

DecodedFile decode_in_hand(const std::string& name, const std::string& text,
                           const api::ManifestOptions& options, lifecycle::InHand* in_hand) {
  const std::size_t hash = std::hash<std::string>{}(text);
  const std::string handled_as = fmt::format("{:016x} {}", hash, name);
  if (in_hand != nullptr && in_hand->deadly(handled_as)) {
    return std::unexpected(std::vector{api::ManifestProblem{
        .file = name,
        .problem = {.message = "berthd has died twice in a row while it read this file, and does "
                               "not try a third time: edit it, or restart berthd to try "
                               "again"}}});
  }
  const lifecycle::Handling handling(in_hand, handled_as);
  return decode_file(name, text, options);
}

FileNews news_of(FolderFile& file, const api::ManifestOptions& options, const KnownTexts& known,
                 lifecycle::InHand* in_hand) {
  if (file.being_written && options.rules == api::ManifestRules::kBerth) return FileStays{};
  if (!file.content)
    return FileUnread{.why = std::move(file.content.error().message), .left_out = file.left_out};
  const auto before = known.find(file.name);
  if (before != known.end() && before->second == *file.content) return FileStays{};
  DecodedFile decoded = decode_in_hand(file.name, file.content->str(), options, in_hand);
  return FileDecoded{.text = std::move(*file.content), .file = std::move(decoded)};
}

}  // namespace

GoodFile::GoodFile(api::ManifestFile decoded) : file(std::move(decoded)) {
  texts.add(file);
}

DecodedFolder decode_changed(FolderContent content, const api::ManifestOptions& options,
                             const KnownTexts& known, lifecycle::InHand* in_hand) {
  DecodedFolder decoded{.path = std::move(content.path),
                        .exists = content.exists,
                        .single_file = content.single_file,
                        .unreadable = std::move(content.unreadable),
                        .others = std::move(content.others),
                        .refused = std::move(content.refused)};
  // Nothing of such a reading is used.
  if (!decoded.unreadable.empty()) return decoded;
  for (FolderFile& file : content.files) {
    if (!api::is_manifest_name(file.name, options.rules)) {
      decoded.others.push_back(file.name);
      continue;
    }
    // Removed between the listing and the reading.
    if (!file.content && file.content.error().code == ErrorCode::kNotFound) continue;
    if (decoded.files.contains(file.name)) continue;
    decoded.files.emplace(file.name, news_of(file, options, known, in_hand));
  }
  return decoded;
}

void leave_out_unfinished(const std::set<std::string>& names, api::ManifestRules rules,
                          DecodedFolder& folder) {
  if (rules == api::ManifestRules::kKubelet) return;
  for (const std::string& name : names) {
    const auto file = folder.files.find(name);
    if (file != folder.files.end()) file->second = FileStays{};
  }
}

}  // namespace berth::agent
