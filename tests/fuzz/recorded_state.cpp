// SPDX-License-Identifier: Apache-2.0

// The content of the state file: a row of a pod, of an event, of the ledger; including junk.
//
// The first byte selects the kind of row; the rest is the row's content.
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <vector>

#include "agent/events/event_json.hpp"
#include "agent/store/memory_json.hpp"
#include "agent/store/store_schema.hpp"
#include "agent/store/store_tables.hpp"
#include "api/utf8.hpp"
#include "lifecycle/ledger/ledger_json.hpp"
#include "lifecycle/ledger/retake_decision.hpp"
#include "lifecycle/ledger/why.hpp"
#include "tests/fuzz/fuzz_target.hpp"

namespace berth::fuzz {
namespace {

using lifecycle::LedgerRecord;

// A state file in memory if possible; gone with the process.
class Store {
 public:
  Store() {
    const bool memory = std::filesystem::is_directory("/dev/shm");
    std::string folder = memory ? "/dev/shm" : std::filesystem::temp_directory_path().string();
    folder += "/berth-fuzz-XXXXXX";
    if (::mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no folder for a state file");
    auto opened = agent::StoreFile::open(folder + "/state.db");
    if (!opened || !opened->configure() || !agent::migrate(*opened))
      throw std::runtime_error("no state file");
    file = std::move(*opened);
    std::filesystem::remove_all(folder);
  }
  agent::StoreFile file{};
};

void check_memory(std::string_view text) {
  const auto memory = agent::read_memory(text);
  if (!memory) {
    require(!memory.error().message.empty(), "what cannot be read says why");
    return;
  }
  require(*memory && (*memory)->pod && !(*memory)->uid.empty(), "a memory is of a pod");
  const std::string written = agent::memory_text(**memory);
  const auto again = agent::read_memory(written);
  require(again.has_value(), "a memory that was written can be read", written);
  require(agent::memory_text(**again) == written, "a memory says the same twice", written);
  const agent::PodRow row = agent::row_of(**memory, {});
  require(row.memory == written && row.uid == (*memory)->uid, "a row is of its memory");
}

void check_event(std::string_view text) {
  const auto event = agent::read_event(text);
  if (!event) {
    require(!event.error().message.empty(), "what cannot be read says why");
    return;
  }
  const std::string written = agent::event_text(*event);
  const auto again = agent::read_event(written);
  require(again.has_value(), "an event that was written can be read", written);
  require(agent::event_text(*again) == written, "an event says the same twice", written);
  const agent::EventRow row = agent::row_of(*event);
  require(row.event == written && row.key.find('/') != std::string::npos, "a row is of its event");
}

std::string text_of(const LedgerRecord& record) {
  return lifecycle::ledger_record_json(record);
}

// As it is shown after a restart of its container.
const api::Pod& shown_pod() {
  static const api::Pod kPod = [] {
    api::Pod pod;
    pod.metadata.name = "web";
    pod.metadata.uid = "u";
    pod.spec.containers = {{.name = "app"}};
    pod.status.phase = "Running";
    api::ContainerStatus status{.name = "app", .ready = true, .restartCount = 1};
    status.state.running.emplace().startedAt = api::Time::from_unix_seconds(1'700'000'000);
    status.lastState.terminated.emplace();
    pod.status.containerStatuses = {status};
    return pod;
  }();
  return kPod;
}

// Rendered whatever it contains, and retaken without breaking.
void check_record(const LedgerRecord& record) {
  const std::string line = text_of(record);
  require(line.find('\n') == std::string::npos, "a record is one line", line);
  const auto again = lifecycle::parse_ledger_record(line);
  require(again.has_value(), "a record that was written can be read", line);
  require(text_of(*again) == line, "a record says the same twice", line);
  require(again->input == api::valid_utf8(record.input) &&
              again->output == api::valid_utf8(record.output),
          "what was recorded is the same", line);
  const auto retaken = lifecycle::retake_decision(record);
  if (!retaken) require(!retaken.error().message.empty(), "a difference has words");
  const std::vector<LedgerRecord> records{record, *again};
  for (const api::Pod* pod : {static_cast<const api::Pod*>(nullptr), &shown_pod()}) {
    const lifecycle::Why story = lifecycle::why({.records = records, .pod = pod, .now = record.at});
    require(!story.coming.empty() && !story.present.empty(), "a story has a present and an end");
    for (const auto& happened : story.happened) {
      require(happened.times >= 1 && happened.first_at <= happened.at, "what happened is in order");
    }
  }
}

// Reasons are kept as JSON, which cannot hold invalid UTF-8.
bool same(const LedgerRecord& a, LedgerRecord b) {
  for (auto& reason : b.reasons) reason.text = api::valid_utf8(reason.text);
  return a.at == b.at && a.uid == b.uid && a.namespace_ == b.namespace_ && a.pod == b.pod &&
         a.kind == b.kind && a.reasons == b.reasons && a.next == b.next && a.input == b.input &&
         a.output == b.output;
}

void check_rows(const std::vector<LedgerRecord>& records) {
  static Store store;
  require(store.file.begin(agent::Durability::kNormal).has_value(), "a transaction begins");
  for (const LedgerRecord& record : records) {
    require(agent::put_record(store.file, record).has_value(), "a record is taken");
  }
  const auto read = agent::read_records(store.file, {.limit = records.size()});
  require(read && read->size() == records.size(), "what was put is there");
  for (std::size_t i = 0; i < records.size(); ++i) {
    require(same((*read)[i], records[i]), "what was put is the same", records[i].input);
  }
  store.file.roll_back();
}

// The lines of a fact or a decision: its kind, why, its input, its output.
LedgerRecord record_of(std::string_view text) {
  LedgerRecord record{.at = WallTime{std::chrono::days(20'000)}, .uid = "u", .pod = "web"};
  std::string reason;
  for (std::string* part : {&record.kind, &reason, &record.input}) {
    const auto end = text.find('\n');
    *part = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  record.output = text;
  record.reasons = {{.subject = "app", .rule = "Stop", .text = reason}};
  return record;
}

}  // namespace
}  // namespace berth::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth::fuzz;
  std::string_view text = berth::fuzz::text_of(data, size);
  if (text.empty()) return 0;
  const char what = text.front();
  text.remove_prefix(1);
  switch (what) {
    case 'm':
      check_memory(text);
      break;
    case 'e':
      check_event(text);
      break;
    case 'r':
      if (const auto record = berth::lifecycle::parse_ledger_record(text)) {
        check_record(*record);
        check_rows({*record, *record});
      }
      break;
    default:
      check_record(record_of(text));
      check_rows({record_of(text)});
  }
  return 0;
}
