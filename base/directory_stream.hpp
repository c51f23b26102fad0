// SPDX-License-Identifier: Apache-2.0

// An open directory that is read entry by entry, with each entry's type if the file system reports
// it: cheaper than std::filesystem's iterators, which build a path for every entry.
//
// Blocking: use it on the pool. Closed when it is destroyed.
#pragma once

#include <dirent.h>

#include <memory>

namespace berth {

struct CloseDirectory {
  void operator()(DIR* stream) const { static_cast<void>(::closedir(stream)); }
};
using DirectoryStream = std::unique_ptr<DIR, CloseDirectory>;

}  // namespace berth
