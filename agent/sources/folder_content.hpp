// SPDX-License-Identifier: Apache-2.0

// What a reading of the manifest folder found: the texts of its files, not decoded yet.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace berth::agent {

// A text of up to 10 MiB, which several owners share. Converts from a string, because it is one.
class SharedText {
 public:
  SharedText() : SharedText(std::string()) {}
  SharedText(std::string text) : text_(std::make_shared<const std::string>(std::move(text))) {}

  [[nodiscard]] const std::string& str() const { return *text_; }
  bool operator==(const SharedText& other) const {
    return text_ == other.text_ || *text_ == *other.text_;
  }

 private:
  std::shared_ptr<const std::string> text_;
};

// One file as read, or the error if it could not be read.
struct FolderFile {
  std::string name{};  // valid text
  Result<SharedText> content{};
  bool being_written = false;  // its content is incomplete
  bool left_out = false;       // berthd's own limit refuses it: whatever it held stays in force
};

struct FolderContent {
  std::string path{};
  bool exists = false;
  bool single_file = false;  // the path is a manifest, not a folder
  std::string unreadable{};  // why it exists but cannot be listed: everything stays as it is
  std::vector<FolderFile> files{};
  std::vector<std::string> others{};   // no manifests: folders, sockets, files of other names …
  std::vector<std::string> refused{};  // why a file is not read whose name another one has
};

}  // namespace berth::agent
