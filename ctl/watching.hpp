// SPDX-License-Identifier: Apache-2.0

// Prints a watch's changes until the agent or the user ends it.
#pragma once

#include <optional>
#include <utility>

#include "ctl/command.hpp"
#include "ctl/watch_printer.hpp"

namespace berth::ctl {

// `shown` converts a change to Result<std::optional<WatchedObject>>, unset if nothing is printed;
// an error ends the watch.
template <class Change, class Shown>
Outcome print_changes(ReplyStream<Change> stream, WatchPrinter printer, Shown shown) {
  Change change;
  while (stream.read(change)) {
    Result<std::string> text = "";
    if (change.type() == control::v1::SYNCED) {
      text = printer.synced();
    } else if (const Result<std::optional<WatchedObject>> object = shown(change); !object) {
      text = std::unexpected(object.error());
    } else if (*object) {
      text = printer.add(**object);
    }
    if (!text) {
      stream.drop();
      return std::unexpected(text.error());
    }
    print(*text);
  }
  const auto ended = stream.finish();
  if (!ended) return std::unexpected(ended.error());
  return 0;
}

}  // namespace berth::ctl
