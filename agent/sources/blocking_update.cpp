// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/blocking_update.hpp"

#include <utility>

#include "agent/sources/manifest_decoding.hpp"

namespace berth::agent {

ManifestFolder::Outcome update_blocking(ManifestFolder& folder, FolderContent content,
                                        WallTime now) {
  auto decoded = decode_changed(std::move(content), folder.options(), folder.known(), nullptr);
  return folder.update(std::move(decoded), now);
}

}  // namespace berth::agent
