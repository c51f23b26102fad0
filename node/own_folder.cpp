// SPDX-License-Identifier: Apache-2.0

#include "node/own_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <utility>

#include <fmt/format.h>

#include "base/open_beneath.hpp"
#include "base/text.hpp"
#include "node/file_io.hpp"

namespace berth::node {
namespace {

constexpr std::string_view kHeld = "/proc/self/fd/";
constexpr std::string_view kItself = ".";  // the folder, not the link in /proc, for calls that do
                                           // not follow links
constexpr mode_t kBetween = 0755;

std::string held_path(const Descriptor& folder) {
  return fmt::format("{}{}", kHeld, folder.get());
}

// "a" for "a/b", "." for "a".
std::string parent_of(const std::string& relative) {
  return relative.contains('/') ? folder_of(relative) : ".";
}

std::unexpected<Error> not_opened(const std::string& path, int error) {
  if (error == ELOOP || error == EXDEV)
    return fail(ErrorCode::kInvalid,
                fmt::format("{}: a link is in its way, which is not followed", valid_text(path)));
  return system_failure("opening", path, error);
}

// The path relative to `top`; "." is `top` itself.
Result<std::string> below(const std::string& top, const std::string& path) {
  if (path == top) return ".";
  if (path.size() > top.size() + 1 && path.starts_with(top) && path[top.size()] == '/')
    return path.substr(top.size() + 1);
  return fail(ErrorCode::kInvalid, fmt::format("{} does not lie below {}", valid_text(path), top));
}

// `path` names the folder in errors.
Result<Descriptor> open_folder(const Descriptor& top, const std::string& relative,
                               const std::string& path) {
  Descriptor folder = open_beneath(top, relative, O_PATH | O_DIRECTORY, Links::kNone);
  if (!folder.is_open()) return not_opened(path, errno);
  return folder;
}

Result<Descriptor> make_folder(const Descriptor& top, const std::string& relative,
                               const std::string& path, mode_t mode) {
  auto folder = open_folder(top, relative, path);
  if (folder || relative == "." || folder.error().code != ErrorCode::kNotFound) return folder;
  auto above = make_folder(top, parent_of(relative), folder_of(path), kBetween);
  if (!above) return above;
  const std::string name = name_of(relative);
  const bool made = ::mkdirat(above->get(), name.c_str(), mode) == 0;
  if (!made && errno != EEXIST) return system_failure("creating", path, errno);
  folder = open_folder(*above, name, path);
  // Independent of the umask.
  if (made && folder && ::chmod(held_path(*folder).c_str(), mode) != 0)
    return system_failure("changing the mode of", path, errno);
  return folder;
}

}  // namespace

Result<OwnFolder> OwnFolder::held(Result<Descriptor> folder) {
  return folder ? Result<OwnFolder>(OwnFolder(std::move(*folder))) : fail(folder.error());
}

Result<OwnFolder> OwnFolder::open(const std::string& top, const std::string& path) {
  const auto relative = below(top, path);
  if (!relative) return fail(relative.error());
  const Descriptor trusted(::open(top.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!trusted.is_open()) return not_opened(top, errno);
  return held(open_folder(trusted, *relative, path));
}

Result<OwnFolder> OwnFolder::make(const std::string& top, const std::string& path, mode_t mode) {
  const auto relative = below(top, path);
  if (!relative) return fail(relative.error());
  auto trusted = open(top, top);
  if (!trusted && trusted.error().code == ErrorCode::kNotFound) {
    const auto made = make_directories(top, path == top ? mode : kBetween);
    trusted = made ? open(top, top) : fail(made.error());
  }
  return trusted ? held(make_folder(trusted->folder_, *relative, path, mode))
                 : fail(trusted.error());
}

Result<OwnFolder> OwnFolder::open_below(const std::string& relative) const {
  return held(open_folder(folder_, relative, real_path(at(relative))));
}

Result<OwnFolder> OwnFolder::make_below(const std::string& relative, mode_t mode) const {
  return held(make_folder(folder_, relative, real_path(at(relative)), mode));
}

std::string OwnFolder::path() const {
  return at(kItself);
}

std::string OwnFolder::at(std::string_view name) const {
  return fmt::format("{}{}/{}", kHeld, folder_.get(), name);
}

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

std::string name_of(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string real_path(const std::string& path) {
  if (!path.starts_with(kHeld)) return path;
  const auto rest = path.find('/', kHeld.size());
  std::array<char, PATH_MAX> folder{};
  const auto size = ::readlink(path.substr(0, rest).c_str(), folder.data(), folder.size());
  if (size <= 0) return path;
  std::string real(folder.data(), static_cast<std::size_t>(size));
  std::string below = rest == std::string::npos ? std::string() : path.substr(rest);
  if (below.starts_with("/./") || below == "/.") below.erase(0, 2);
  return real + below;
}

}  // namespace berth::node
