// SPDX-License-Identifier: Apache-2.0

// A folder of berth's own, held open: below the root directory or the pods' logs.
//
// A container that has access to a folder of the node can place a link where berthd would write,
// unmount or remove. So paths below `top`, which is configured and trusted, are opened without
// following any link (openat2), and work there uses the descriptor: the paths that `at` and `path`
// return lead to this very folder, even if it is renamed; errors name the real one. Blocking; for
// the pool's threads.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace berth::node {

class OwnFolder {
 public:
  // `path` is `top` or below it. Fails with kNotFound, or with kInvalid if a link or anything else
  // that is not a folder is in the way.
  [[nodiscard]] static Result<OwnFolder> open(const std::string& top, const std::string& path);
  // Creates missing folders, the last one with exactly this mode.
  [[nodiscard]] static Result<OwnFolder> make(const std::string& top, const std::string& path,
                                              mode_t mode);

  // The same beneath this very folder, whatever its name leads to by now. "." is the folder itself.
  [[nodiscard]] Result<OwnFolder> open_below(const std::string& relative) const;
  [[nodiscard]] Result<OwnFolder> make_below(const std::string& relative, mode_t mode) const;

  [[nodiscard]] std::string path() const;
  [[nodiscard]] std::string at(std::string_view name) const;
  // O_PATH, for what is done beneath it.
  [[nodiscard]] const Descriptor& descriptor() const { return folder_; }

 private:
  explicit OwnFolder(Descriptor folder) : folder_(std::move(folder)) {}
  static Result<OwnFolder> held(Result<Descriptor> folder);

  Descriptor folder_;
};

// "/a/b" for "/a/b/c".
[[nodiscard]] std::string folder_of(const std::string& path);
// "c".
[[nodiscard]] std::string name_of(const std::string& path);

// The real path of such a descriptor path; any other path is returned unchanged.
[[nodiscard]] std::string real_path(const std::string& path);

}  // namespace berth::node
