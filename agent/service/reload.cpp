// SPDX-License-Identifier: Apache-2.0

#include "agent/service/reload.hpp"

#include <string>

#include "agent/journal_log.hpp"

namespace berth::agent {

void reload(const Options& options, Settings& settings, Log& log, NodeEviction& eviction) {
  const auto loaded = load_settings(options);
  if (!loaded) {
    for (const auto& problem : loaded.error()) {
      log.write(LogLevel::kError, "ConfigurationRefused", problem.to_string(), {});
    }
    log.warn("Reload", "the configuration was refused; everything stays as it was");
    return;
  }
  const auto changed = changed_fields(settings, *loaded);
  std::string fields;
  for (const auto& field : changed) fields += (fields.empty() ? "" : "; ") + field;
  if (loaded->log_level != settings.log_level) {
    set_log_level(log, loaded->log_level);
    settings.log_level = loaded->log_level;
    log.info("Reload", "logLevel changed");
  }
  eviction.reload(loaded->eviction);
  if (changed.empty()) {
    log.info("Reload", "the configuration was read again");
  } else {
    log.warn("Reload", "changed, but in force only after a restart of berthd: " + fields);
  }
}

}  // namespace berth::agent
