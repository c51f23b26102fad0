// A folder of ours, held open: below the root directory or the pods' logs.
//
// A container that has been given a folder of the node can put a link where we would write, unmount
// or remove. So what lies below `top`, which is configured and trusted, is opened without following
// any link (openat2), and what is done there goes through the descriptor: the paths that `at` and
// `path` give lead to this very folder, whatever its name has become; errors name the real one.
// Blocking; for the pool's threads.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace berth::node {

class OwnFolder {
 public:
  // `path` is `top` or lies below it. kNotFound; kInvalid: a link or something else is in the way.
  [[nodiscard]] static Result<OwnFolder> open(const std::string& top, const std::string& path);
  // What misses is made, the last folder with exactly this mode.
  [[nodiscard]] static Result<OwnFolder> make(const std::string& top, const std::string& path,
                                              mode_t mode);

  [[nodiscard]] std::string path() const;
  [[nodiscard]] std::string at(std::string_view name) const;

 private:
  explicit OwnFolder(Descriptor folder) : folder_(std::move(folder)) {}

  Descriptor folder_;
};

// "/a/b" of "/a/b/c".
[[nodiscard]] std::string folder_of(const std::string& path);
// "c".
[[nodiscard]] std::string name_of(const std::string& path);

// Where such a path leads by name; any other stays as it is.
[[nodiscard]] std::string real_path(const std::string& path);

}  // namespace berth::node
