// SPDX-License-Identifier: Apache-2.0

// How a kind of decision is recorded. Included only by the files of kinds/.
//
// Each file describes the members of its question and decision (boost/describe.hpp; those shared
// by several kinds are in recorded_types.hpp), fills in a Kind and defines kind_of() with it:
//
//   template <>
//   const KindOf<ImageQuestion, ImageDecision>& kind_of() {
//     static const RecordedKind kKind(Kind<ImageQuestion, ImageDecision>{.name = "image", …});
//     return kKind;
//   }
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lifecycle/ledger/kinds.hpp"
#include "lifecycle/ledger/record_codec.hpp"
#include "lifecycle/ledger/recorded_types.hpp"
#include "lifecycle/ledger/story.hpp"
#include "lifecycle/ledger/strict_json.hpp"
#include "lifecycle/ledger/value_hash.hpp"
#include "lifecycle/pod_spec.hpp"

namespace berth::lifecycle {

// A record to be turned into sentences, with the question and decision read from it.
template <class Question, class Decision>
struct Decoded {
  const Question& question;
  const Decision& decision;
  const LedgerRecord& record;
  const StoryContext& context;
};

// For Kind::part: the question with the part of its pod that the decision reads; by default the
// name alone.
template <class Question, api::Pod (*pod_part)(const api::Pod&) = named_part>
Question with_pod_part(const Question& question) {
  Question part = question;
  part.pod = pod_part(question.pod);
  return part;
}

// A record about the question's pod, or about its node if it has no pod.
template <class Question>
LedgerRecord record_about_subject(const Question& question, WallTime at, std::string_view kind) {
  if constexpr (requires { question.pod; })
    return record_about(question.pod, at, kind);
  else
    return record_about_node(question.node, at, kind);
}

template <class Question, class Decision>
struct Kind {
  std::string_view name{};  // in records; never changes
  Decision (*decide)(const Question&){};
  Reasons (*reasons)(const Question&, const Decision&){};
  // The part of the question that its decision reads; null if the whole question is recorded.
  Question (*part)(const Question&) = nullptr;
  // When the decision was taken; null if that is when it is recorded.
  WallTime (*taken_at)(const Question&) = nullptr;
  // When it is decided again if nothing happens before; null if there is no such instant.
  std::optional<WallTime> (*next)(const Question&, const Decision&, WallTime at) = nullptr;
  // Null if every decision is news.
  std::optional<News> (*news)(const Question&, const Decision&) = nullptr;
  // The decision's sentences; null to use its reasons.
  std::vector<Sentence> (*describe)(const Decoded<Question, Decision>&) = nullptr;
};

template <class Question, class Decision>
class RecordedKind final : public KindOf<Question, Decision> {
 public:
  explicit RecordedKind(const Kind<Question, Decision>& kind) : kind_(kind) {}

  [[nodiscard]] std::string_view name() const override { return kind_.name; }

  [[nodiscard]] LedgerRecord record(const Question& question, const Decision& decision,
                                    WallTime at) const override {
    if (kind_.taken_at != nullptr) at = kind_.taken_at(question);
    LedgerRecord record = record_about_subject(question, at, kind_.name);
    record.reasons = kind_.reasons(question, decision);
    if (kind_.next != nullptr) record.next = kind_.next(question, decision, at);
    record.input =
        sealed_input(strict_json::write(kind_.part == nullptr ? question : kind_.part(question)));
    record.output = json_text(strict_json::write(decision));
    return record;
  }

  [[nodiscard]] std::optional<News> news(const Question& question,
                                         const Decision& decision) const override {
    return kind_.news == nullptr ? News{} : kind_.news(question, decision);
  }

  [[nodiscard]] Result<LedgerRecord> decide_again(const LedgerRecord& record) const override {
    const auto question = read_input<Question>(record.input);
    if (!question) return fail(question.error());
    return this->record(*question, kind_.decide(*question), record.at);
  }

  [[nodiscard]] std::vector<Sentence> sentences(const StoryContext& context) const override {
    const LedgerRecord& record = context.record;
    if (kind_.describe == nullptr) return reason_sentences(context);
    const auto question = read_input<Question>(record.input);
    const auto decision = read_output<Decision>(record.output);
    if (!question || !decision) return reason_sentences(context);
    return kind_.describe({*question, *decision, record, context});
  }

 private:
  Kind<Question, Decision> kind_;
};

}  // namespace berth::lifecycle
