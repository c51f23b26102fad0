#include "lifecycle/ledger/retake_decision.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "lifecycle/ledger/decision_record.hpp"
#include "lifecycle/ledger/eviction_kind.hpp"

namespace berth::lifecycle {
namespace {

namespace json = boost::json;

std::optional<std::string> first_difference(const json::value& was, const json::value& is,
                                            const std::string& path) {
  if (was.is_object() && is.is_object()) {
    for (const auto& member : was.get_object()) {
      const std::string below = path + "." + std::string(member.key());
      const json::value* other = is.get_object().if_contains(member.key());
      if (other == nullptr) return below + " was recorded, and is not decided any more";
      if (auto difference = first_difference(member.value(), *other, below)) return difference;
    }
    for (const auto& member : is.get_object()) {
      if (!was.get_object().contains(member.key()))
        return path + "." + std::string(member.key()) + " is missing in the record";
    }
    return std::nullopt;
  }
  if (was.is_array() && is.is_array() && was.get_array().size() == is.get_array().size()) {
    for (std::size_t i = 0; i < was.get_array().size(); ++i) {
      auto difference =
          first_difference(was.get_array()[i], is.get_array()[i], fmt::format("{}[{}]", path, i));
      if (difference) return difference;
    }
    return std::nullopt;
  }
  const std::string before = json::serialize(was);
  const std::string now = json::serialize(is);
  if (before == now) return std::nullopt;
  return fmt::format("{} was {}, and comes out as {}", path, before, now);
}

// As record_codec.cpp reads.
constexpr std::size_t kMaxDepth = 128;

std::unexpected<Error> differs(const std::string& what) {
  return fail(ErrorCode::kInvalid, "the decision taken again differs: " + what);
}

// Compares the decision taken again (`now`) with what the record says.
Result<bool> compare(const LedgerRecord& record, const LedgerRecord& now) {
  if (record.uid != now.uid || record.pod != now.pod || record.namespace_ != now.namespace_) {
    return differs(fmt::format("the record is of {}/{} ({}), its input of {}/{} ({})",
                               record.namespace_, record.pod, record.uid, now.namespace_, now.pod,
                               now.uid));
  }
  if (record.at != now.at) return differs("it was not taken when the record says");
  json::parse_options options;
  options.max_depth = kMaxDepth;
  const json::value input = json::parse(record.input, {}, options);  // it has been read
  const json::value read = json::parse(now.input, {}, options);
  if (auto difference = first_difference(input, read, "input"))
    return fail(ErrorCode::kInvalid, "the record is not what is read from it: " + *difference);
  boost::system::error_code error;
  const json::value recorded = json::parse(record.output, error);
  if (error) return fail(ErrorCode::kInvalid, "the output is not JSON: " + error.message());
  if (auto difference = first_difference(recorded, json::parse(now.output), "output"))
    return differs(*difference);
  if (record.reasons != now.reasons) return differs("it has other reasons");
  if (record.next != now.next) return differs("it is looked at again at another time");
  return true;
}

// `again` decides from the input's values, and makes the record anew.
template <class Values, class Again>
Result<LedgerRecord> retake(const Result<Values>& values, const Again& again) {
  if (!values) return fail(values.error());
  return again(*values);
}

Result<LedgerRecord> retake_plan(const LedgerRecord& record) {
  return retake(plan_values(record.input), [](const PlanValues& values) {
    const PlanInput input = values.view();
    return plan_record(input, plan(input));
  });
}

Result<LedgerRecord> retake_stops(const LedgerRecord& record) {
  return retake(stops_values(record.input), [&record](const StopsValues& values) {
    const StopsInput input{.pod = values.pod, .containers = values.containers, .now = values.now};
    const TerminationStep step = next_stops(input.pod, input.containers, input.now);
    return stops_record(input, step, record.at);
  });
}

Result<LedgerRecord> retake_admission(const LedgerRecord& record) {
  return retake(admission_values(record.input), [&record](const AdmissionValues& values) {
    std::vector<const api::Pod*> active;
    active.reserve(values.active.size());
    for (const api::Pod& pod : values.active) active.push_back(&pod);
    const AdmissionInput input{.config = values.config,
                               .host = values.host,
                               .node = values.node,
                               .active = active,
                               .pod = values.pod};
    const node::Admission admission =
        node::admit_pod(input.config, input.host, input.node, input.active, input.pod);
    return admission_record(input, admission, record.at);
  });
}

Result<LedgerRecord> retake_phase(const LedgerRecord& record) {
  return retake(phase_values(record.input), [&record](const PhaseValues& values) {
    const PhaseQuestion question = values.view();
    return phase_record(question, decide_phase(question), record.at);
  });
}

Result<LedgerRecord> retake_grace(const LedgerRecord& record) {
  return retake(grace_values(record.input), [&record](const GraceValues& values) {
    const GraceQuestion question = values.view();
    return grace_record(question, decide_grace(question), record.at);
  });
}

Result<LedgerRecord> retake_image(const LedgerRecord& record) {
  return retake(image_values(record.input), [&record](const ImageValues& values) {
    const ImageQuestion question = values.view();
    return image_record(question, decide_image(question), record.at);
  });
}

Result<LedgerRecord> retake_pre_stop(const LedgerRecord& record) {
  return retake(pre_stop_values(record.input), [&record](const PreStopValues& values) {
    const PreStopQuestion question = values.view();
    return pre_stop_record(question, pre_stop_step(question.situation, question.now), record.at);
  });
}

Result<LedgerRecord> retake_deletion(const LedgerRecord& record) {
  return retake(deletion_values(record.input), [&record](const DeletionValues& values) {
    const DeletionQuestion question = values.view();
    return deletion_record(question, deletion_period(question.situation), record.at);
  });
}

Result<LedgerRecord> retake_collection(const LedgerRecord& record) {
  return retake(collection_values(record.input), [&record](const CollectionValues& values) {
    const CollectionQuestion question = values.view();
    return collection_record(question, decide_collection(question), record.at);
  });
}

Result<LedgerRecord> retake_loss(const LedgerRecord& record) {
  return retake(loss_values(record.input), [&record](const LossValues& values) {
    const LossQuestion question = values.view();
    return loss_record(question, decide_loss(question), record.at);
  });
}

struct Kind {
  std::string_view name{};
  Result<LedgerRecord> (*retake)(const LedgerRecord&){};
};

constexpr std::array kKinds = {
    Kind{kLedgerPlan, retake_plan},
    Kind{kLedgerStops, retake_stops},
    Kind{kLedgerAdmission, retake_admission},
    Kind{kLedgerPhase, retake_phase},
    Kind{kLedgerGrace, retake_grace},
    Kind{kLedgerImage, retake_image},
    Kind{kLedgerPreStop, retake_pre_stop},
    Kind{kLedgerDeletion, retake_deletion},
    Kind{kLedgerCollection, retake_collection},
    Kind{kLedgerLoss, retake_loss},
    Kind{kLedgerEviction, retake_eviction},
};

}  // namespace

Result<LedgerRecord> decide_again(const LedgerRecord& record) {
  if (record.kind == kLedgerFact) return fail(ErrorCode::kInvalid, "a fact was not decided");
  const auto* kind = std::ranges::find(kKinds, record.kind, &Kind::name);
  if (kind != kKinds.end()) return kind->retake(record);
  return fail(ErrorCode::kUnimplemented,
              "records of the kind \"" + record.kind + "\" are not known to this version");
}

Result<bool> retake_decision(const LedgerRecord& record) {
  if (record.kind == kLedgerFact) return false;
  const auto now = decide_again(record);
  const Result<bool> taken = now ? compare(record, *now) : fail(now.error());
  if (taken) return taken;
  return fail(wrap(fmt::format("{} of pod {}/{}", record.kind, record.namespace_, record.pod),
                   taken.error()));
}

}  // namespace berth::lifecycle
