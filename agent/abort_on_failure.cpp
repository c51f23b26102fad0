// SPDX-License-Identifier: Apache-2.0

#include "agent/abort_on_failure.hpp"

#include <cstdlib>
#include <exception>
#include <string>

namespace berth::agent {

TaskGroup::FailureHandler abort_on_failure(Log& log) {
  return [&log](std::string_view task, std::exception_ptr failure) {
    std::string what;
    try {
      std::rethrow_exception(std::move(failure));
    } catch (const std::exception& error) {
      what = error.what();
    } catch (...) {
      what = "unknown exception";
    }
    log.write(LogLevel::kError, "Bug", "task \"" + std::string(task) + "\" failed: " + what, {});
    std::abort();
  };
}

}  // namespace berth::agent
