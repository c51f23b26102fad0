// SPDX-License-Identifier: Apache-2.0

#include "agent/settings/config_text.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agent/settings/config_merge.hpp"
#include "api/codec.hpp"
#include "eviction/threshold_config.hpp"
#include "scheduling/configuration/scheduler_configuration.hpp"

namespace berth::agent {
namespace {

// Any version: its parser reports which one to use.
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

constexpr const char* kEvictionHard = "evictionHard";
constexpr const char* kMergeDefaults = "mergeDefaultEvictionSettings";

// The defaults of evictionHard that are in force beside the stated entries, as a document to which
// no more defaults are to be added.
api::TreeNode eviction_defaults(const KubeletConfiguration& stated) {
  const auto use = stated.mergeDefaultEvictionSettings.value_or(false)
                       ? eviction::DefaultsUse::kMerged
                       : eviction::DefaultsUse::kReplaced;
  api::TreeNode map{.kind = api::NodeKind::kMapping};
  for (const auto& [signal, amount] : eviction::effective_eviction_hard(stated.evictionHard, use))
    if (!stated.evictionHard || !stated.evictionHard->contains(signal))
      map.entries.push_back(
          {.key = signal, .value = {.kind = api::NodeKind::kString, .text = amount}});
  api::TreeNode document{.kind = api::NodeKind::kMapping};
  document.entries.push_back({.key = kEvictionHard, .value = std::move(map)});
  document.entries.push_back({.key = kMergeDefaults});
  return document;
}

class TextReading {
 public:
  void read(const ConfigText& text) {
    text_ = &text;
    seen_.clear();
    if (text.role == ConfigRole::kMain)
      documents_.file = text.file;
    else
      documents_.drop_ins.push_back(text.file);
    const auto trees = api::parse_documents(text.text);
    if (!trees) {
      for (const auto& problem : trees.error()) refuse(problem);
      return;
    }
    for (const auto& tree : *trees) read_document(tree.root);
  }

  ParsedConfiguration result() && {
    for (const auto& entry : kubelet_.root().entries)
      documents_.kubelet_fields.push_back(entry.key);
    documents_.kubelet = decoded<KubeletConfiguration>(kubelet_.root());
    documents_.berth = decoded<BerthConfiguration>(berth_.root());
    documents_.places = kubelet_.places();
    documents_.places.insert(berth_.places().begin(), berth_.places().end());
    return {.documents = std::move(documents_), .problems = std::move(problems_)};
  }

 private:
  void read_document(const api::TreeNode& document) {
    const auto version = document.string_at("apiVersion");
    const auto kind = document.string_at("kind");
    if (version == kKubeletApiVersion && kind == kKubeletKind) {
      if (!twice(document, kKubeletKind)) read_kubelet(sound<KubeletConfiguration>(document));
    } else if (version == kBerthApiVersion && kind == kBerthKind) {
      if (!twice(document, kBerthKind)) state(berth_, sound<BerthConfiguration>(document));
    } else if (version.starts_with(kSchedulerGroup) && kind == kSchedulerKind) {
      if (twice(document, kSchedulerKind)) return;
      auto read = scheduling::read_scheduler_configuration(document);
      if (read) documents_.scheduler = std::move(*read);
      if (!read) std::ranges::for_each(read.error(), [this](const auto& one) { refuse(one); });
    } else {
      refuse({.line = document.line,
              .column = document.column,
              .message = "apiVersion \"" + std::string(version) + "\", kind \"" +
                         std::string(kind) + "\" is no configuration of berthd; use " +
                         kKubeletApiVersion + " " + kKubeletKind + ", " + kBerthApiVersion + " " +
                         kBerthKind + " or " + scheduling::config::kApiVersion + " " +
                         kSchedulerKind});
    }
  }

  void state(MergedDocument& document, const api::TreeNode& stated) const {
    if (text_->role == ConfigRole::kMain)
      document.begin(stated, text_->file);
    else
      document.merge(stated, text_->file);
  }

  // The kubelet merges its drop-ins over a configuration that has its defaults already, so that a
  // drop-in's entries of evictionHard leave the other defaults in force. For the same reason only
  // the main file decides whether defaults are merged, and only once.
  void read_kubelet(api::TreeNode document) {
    if (text_->role == ConfigRole::kDropIn) {
      if (document.find(kEvictionHard) != nullptr)
        kubelet_.merge(eviction_defaults(decoded<KubeletConfiguration>(kubelet_.root())),
                       documents_.file);
      if (std::erase_if(document.entries,
                        [](const auto& entry) { return entry.key == kMergeDefaults; }) > 0)
        documents_.warnings.push_back(text_->file + ": " + kMergeDefaults +
                                      " has no effect in a drop-in, as in a kubelet; state it in "
                                      "the main file");
    }
    state(kubelet_, document);
  }

  void refuse(const api::Problem& problem) {
    problems_.push_back({.file = text_->file,
                         .line = problem.line,
                         .column = problem.column,
                         .path = problem.path,
                         .message = problem.message});
  }

  bool twice(const api::TreeNode& document, const char* kind) {
    if (seen_.insert(kind).second) return false;
    refuse({.line = document.line,
            .column = document.column,
            .message = std::string("a second ") + kind + "; one is enough"});
    return true;
  }

  // Decodes as much of the document as it can; the rest is a problem.
  template <class T>
  api::TreeNode sound(const api::TreeNode& document) {
    const auto strict = api::decode<T>(document, api::FieldValidation::kStrict);
    if (strict) return document;
    for (const auto& problem : strict.error()) refuse(problem);
    const auto lax = api::decode<T>(document, api::FieldValidation::kIgnore);
    return lax ? document : without(document, lax.error());
  }

  // Documents that are sound by themselves are sound when merged; if they were not, they would be
  // refused rather than leave the defaults in force.
  template <class T>
  T decoded(const api::TreeNode& document) {
    auto out = api::decode<T>(document, api::FieldValidation::kIgnore);
    if (out) return std::move(out->object);
    for (const auto& problem : out.error()) refuse(problem);
    return {};
  }

  const ConfigText* text_ = nullptr;   // the text being read
  std::set<std::string_view> seen_{};  // its kinds
  MergedDocument kubelet_{};
  MergedDocument berth_{};
  ConfigDocuments documents_{};
  std::vector<ConfigProblem> problems_{};
};

}  // namespace

ParsedConfiguration parse_configuration(std::span<const ConfigText> texts) {
  TextReading reading;
  for (const auto& text : texts) reading.read(text);
  return std::move(reading).result();
}

ParsedConfiguration parse_configuration(std::string_view text, const std::string& file) {
  const ConfigText main{.file = file, .text = std::string(text)};
  return parse_configuration(std::span(&main, 1));
}

}  // namespace berth::agent
