// SPDX-License-Identifier: Apache-2.0

// A directory of its own for each test, and a way to wait for host calls.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include "base/task_group.hpp"
#include "node/file_io.hpp"

namespace berth::node {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "berth-node-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
    path_ = name;
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// Creates a file and the directories above it.
inline void put_file(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  if (!write_file(path, text, 0644)) throw std::runtime_error("cannot write " + path);
}

template <class T>
boost::asio::awaitable<void> keep_result(boost::asio::awaitable<T> call, std::optional<T>* out) {
  auto result = co_await std::move(call);
  out->emplace(std::move(result));
}

// Runs the loop until the call has its result.
template <class T>
T wait_for(boost::asio::io_context& loop, boost::asio::awaitable<T> call) {
  std::optional<T> result;
  TaskGroup tasks(loop.get_executor(), [](std::string_view, std::exception_ptr failure) {
    std::rethrow_exception(failure);
  });
  tasks.spawn("call", keep_result(std::move(call), &result));
  loop.restart();
  loop.run();
  return std::move(*result);
}

}  // namespace berth::node
