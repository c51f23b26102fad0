// SPDX-License-Identifier: Apache-2.0

// Whether a container's image is pulled, used or refused (image_decision.hpp).
#include <fmt/format.h>

#include "lifecycle/image_decision.hpp"
#include "lifecycle/ledger/kind.hpp"
#include "lifecycle/ledger/why_words.hpp"

namespace berth::lifecycle {

BOOST_DESCRIBE_ENUM(PullDecision, kUsePresent, kPull, kRefuse)
BOOST_DESCRIBE_STRUCT(ImageQuestion, (), (pod, container, image, policy, present))
BOOST_DESCRIBE_STRUCT(ImageDecision, (), (pull))

namespace {

std::optional<News> news(const ImageQuestion& question, const ImageDecision& decision) {
  return News{.subject = question.container,
              .says = value_hash(question.image, question.policy, decision.pull)};
}

// The use of a present image is not worth a sentence.
std::vector<Sentence> describe(const Decoded<ImageQuestion, ImageDecision>& decoded) {
  if (decoded.decision.pull == PullDecision::kUsePresent || decoded.record.reasons.empty())
    return {};
  const Reason& reason = decoded.record.reasons.front();
  const std::string who = container_text(decoded.context.so_far.spec(), reason.subject);
  const bool refused = decoded.decision.pull == PullDecision::kRefuse;
  std::string text = refused ? fmt::format("the image of {} cannot be used: {}", who, reason.text)
                             : fmt::format("{}: {}", who, reason.text);
  Sentence sentence = sentence_about(decoded.record, reason.subject,
                                     reason.rule + "|" + reason.text, std::move(text));
  sentence.topic = "image of " + reason.subject;
  return {std::move(sentence)};
}

}  // namespace

template <>
const KindOf<ImageQuestion, ImageDecision>& kind_of() {
  static const RecordedKind kKind(Kind<ImageQuestion, ImageDecision>{
      .name = "image",
      .decide = decide_image,
      .reasons = [](const auto& question,
                    const auto& decision) { return Reasons{image_reason(question, decision)}; },
      .part = with_pod_part<ImageQuestion>,
      .news = news,
      .describe = describe});
  return kKind;
}

}  // namespace berth::lifecycle
