// SPDX-License-Identifier: Apache-2.0

#include "agent/config_text.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "api/codec.hpp"
#include "scheduling/configuration/scheduler_configuration.hpp"

namespace berth::agent {
namespace {

// Any version: its reader says which one to use.
constexpr std::string_view kSchedulerGroup = "kubescheduler.config.k8s.io/";
constexpr const char* kSchedulerKind = scheduling::config::kKind;

// The document without its fields that have a problem, so that the others are checked all the same.
api::TreeNode without(api::TreeNode document, const std::vector<api::Problem>& problems) {
  for (const auto& problem : problems) {
    const std::string field = problem.path.substr(0, problem.path.find_first_of(".["));
    std::erase_if(document.entries, [&field](const auto& entry) { return entry.key == field; });
  }
  return document;
}

class Reading {
 public:
  explicit Reading(const std::string& file) { documents_.file = file; }

  void take(const api::Problem& problem) {
    problems_.push_back({.file = documents_.file,
                         .line = problem.line,
                         .column = problem.column,
                         .path = problem.path,
                         .message = problem.message});
  }

  void take(const api::TreeNode& document) {
    const auto version = document.string_at("apiVersion");
    const auto kind = document.string_at("kind");
    if (version == kKubeletApiVersion && kind == kKubeletKind) {
      if (twice(kubelet_seen_, document, kKubeletKind)) return;
      for (const auto& entry : document.entries) documents_.kubelet_fields.push_back(entry.key);
      decode_into(documents_.kubelet, document);
    } else if (version == kBerthApiVersion && kind == kBerthKind) {
      if (twice(berth_seen_, document, kBerthKind)) return;
      decode_into(documents_.berth, document);
    } else if (version.starts_with(kSchedulerGroup) && kind == kSchedulerKind) {
      if (twice(scheduler_seen_, document, kSchedulerKind)) return;
      auto read = scheduling::read_scheduler_configuration(document);
      if (read) documents_.scheduler = std::move(*read);
      if (!read) std::ranges::for_each(read.error(), [this](const auto& one) { take(one); });
    } else {
      problems_.push_back({.file = documents_.file,
                           .line = document.line,
                           .column = document.column,
                           .message = "apiVersion \"" + std::string(version) + "\", kind \"" +
                                      std::string(kind) + "\" is no configuration of berthd; use " +
                                      kKubeletApiVersion + " " + kKubeletKind + ", " +
                                      kBerthApiVersion + " " + kBerthKind + " or " +
                                      scheduling::config::kApiVersion + " " + kSchedulerKind});
    }
  }

  ParsedConfiguration result() && {
    return {.documents = std::move(documents_), .problems = std::move(problems_)};
  }

 private:
  bool twice(bool& seen, const api::TreeNode& document, const char* kind) {
    if (seen) {
      problems_.push_back({.file = documents_.file,
                           .line = document.line,
                           .column = document.column,
                           .message = std::string("a second ") + kind + "; one is enough"});
    }
    return std::exchange(seen, true);
  }

  template <class T>
  void decode_into(T& target, const api::TreeNode& document) {
    note_places(document, "");
    auto decoded = api::decode<T>(document, api::FieldValidation::kStrict);
    if (decoded) {
      target = std::move(decoded->object);
      return;
    }
    for (const auto& problem : decoded.error()) take(problem);
    auto known = api::decode<T>(document, api::FieldValidation::kIgnore);
    if (!known) {
      const auto rest = without(document, known.error());
      known = api::decode<T>(rest, api::FieldValidation::kIgnore);
    }
    if (known) target = std::move(known->object);
  }

  void note_places(const api::TreeNode& node, const std::string& prefix) {
    for (const auto& entry : node.entries) {
      documents_.places[prefix + entry.key] = {.line = entry.line, .column = entry.column};
      note_places(entry.value, prefix + entry.key + ".");
    }
  }

  ConfigDocuments documents_{};
  std::vector<ConfigProblem> problems_{};
  bool kubelet_seen_ = false;
  bool berth_seen_ = false;
  bool scheduler_seen_ = false;
};

}  // namespace

ParsedConfiguration parse_configuration(std::string_view text, const std::string& file) {
  Reading reading(file);
  const auto trees = api::parse_documents(text);
  if (!trees) {
    for (const auto& problem : trees.error()) reading.take(problem);
    return std::move(reading).result();
  }
  for (const auto& tree : *trees) reading.take(tree.root);
  return std::move(reading).result();
}

}  // namespace berth::agent
