// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/story.hpp"

#include <utility>

#include <fmt/format.h>

#include "lifecycle/ledger/why_words.hpp"

namespace berth::lifecycle {

Sentence sentence_about(const LedgerRecord& record, const std::string& subject,
                        const std::string& rule, std::string text) {
  Sentence sentence;
  sentence.at = record.at;
  sentence.container = subject == "pod" || subject == "sandbox" ? "" : subject;
  sentence.key = fmt::format("{}|{}", subject, rule);
  sentence.text = std::move(text);
  return sentence;
}

std::vector<Sentence> reason_sentences(const StoryContext& context) {
  std::vector<Sentence> out;
  const api::Pod* pod = context.so_far.spec();
  const bool about_node = context.record.pod.empty();
  for (const Reason& reason : context.record.reasons) {
    const bool of_pod = reason.subject == "pod" || reason.subject == "sandbox";
    out.push_back(sentence_about(
        context.record, reason.subject, reason.rule,
        of_pod ? reason.text
               : fmt::format("{}: {}",
                             about_node ? reason.subject : container_text(pod, reason.subject),
                             reason.text)));
  }
  return out;
}

}  // namespace berth::lifecycle
