// SPDX-License-Identifier: Apache-2.0

#include "tests/ledger/input_removal.hpp"

#include <vector>

#include <boost/json.hpp>

#include "lifecycle/ledger/record_codec.hpp"
#include "lifecycle/ledger/retake_decision.hpp"

namespace berth::ledger_test {
namespace {

namespace json = boost::json;

// A member's name or an element's index.
struct Step {
  std::string name{};
  std::size_t index = 0;
  bool is_index = false;
};

using Path = std::vector<Step>;

std::string text_of(const Path& path) {
  std::string text;
  for (const Step& step : path) {
    if (step.is_index) {
      text += '[' + std::to_string(step.index) + ']';
    } else {
      text += (text.empty() ? "" : ".") + step.name;
    }
  }
  return text;
}

void collect(const json::value& value, const Path& here, std::vector<Path>& all) {
  const auto add = [&](Step step, const json::value& below) {
    Path path = here;
    path.push_back(std::move(step));
    all.push_back(path);
    collect(below, path, all);
  };
  if (const auto* object = value.if_object()) {
    for (const auto& member : *object) {
      Step step;
      step.name = std::string(member.key());
      add(std::move(step), member.value());
    }
  } else if (const auto* list = value.if_array()) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      Step step;
      step.index = i;
      step.is_index = true;
      add(std::move(step), (*list)[i]);
    }
  }
}

void remove_at(json::value& root, const Path& path) {
  json::value* at = &root;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    at = path[i].is_index ? &at->as_array()[path[i].index] : &at->as_object()[path[i].name];
  }
  const Step& last = path.back();
  if (last.is_index) {
    json::array& list = at->as_array();
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(last.index));
  } else {
    at->as_object().erase(last.name);
  }
}

}  // namespace

void for_each_removal(
    const lifecycle::LedgerRecord& record, Digest digest,
    const std::function<void(const std::string&, const lifecycle::LedgerRecord&)>& each) {
  json::parse_options options;
  options.max_depth = 128;
  const json::value input = json::parse(record.input, {}, options);
  std::vector<Path> paths;
  collect(input, {}, paths);
  lifecycle::LedgerRecord damaged = record;
  for (const Path& path : paths) {
    if (digest == Digest::kMended && path.front().name == "digest") continue;
    json::value rest = input;
    remove_at(rest, path);
    if (digest == Digest::kMended) {
      json::object& members = rest.as_object();
      const std::string mended = lifecycle::input_digest(members);
      members["digest"] = mended;
    }
    damaged.input = json::serialize(rest);
    each(text_of(path), damaged);
  }
}

std::optional<std::string> wrongly_taken(const lifecycle::LedgerRecord& damaged) {
  const bool taken = lifecycle::retake_decision(damaged).has_value();
  const auto again = lifecycle::decide_again(damaged);
  if (!again) return taken ? std::optional("is taken, and cannot be read") : std::nullopt;
  const auto digest = [](const std::string& input) {
    json::parse_options options;
    options.max_depth = 128;
    return lifecycle::input_digest(json::parse(input, {}, options).as_object());
  };
  if (digest(again->input) != digest(damaged.input))
    return taken ? std::optional("is taken, and reads as something else") : std::nullopt;
  const bool same = json::parse(again->output) == json::parse(damaged.output) &&
                    again->reasons == damaged.reasons && again->next == damaged.next &&
                    again->at == damaged.at && again->uid == damaged.uid &&
                    again->pod == damaged.pod && again->namespace_ == damaged.namespace_;
  if (same == taken) return std::nullopt;
  return same ? "is refused, and its answer is the same" : "is taken, and its answer is another";
}

}  // namespace berth::ledger_test
