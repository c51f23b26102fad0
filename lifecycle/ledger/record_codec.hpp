// Decisions and what they were taken from, as the JSON text of ledger records, and back.
//
// An input holds every member of what the decision took, and a digest of all of them: a record
// from which anything was removed, however deep, is refused, even where the decision would have
// come out the same. Pod statuses are left out: no recorded decision looks at them. Reading
// gives kInvalid and the path of what is missing or does not fit. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <boost/json.hpp>

#include "base/result.hpp"
#include "lifecycle/ledger/decision_inputs.hpp"
#include "lifecycle/plan.hpp"
#include "lifecycle/termination_order.hpp"
#include "node/admission.hpp"

namespace berth::lifecycle {

// The pod is held whole, but without its status.
[[nodiscard]] std::string input_json(const PlanInput& input);
[[nodiscard]] std::string input_json(const StopsInput& input);
[[nodiscard]] std::string input_json(const AdmissionInput& input);
[[nodiscard]] std::string input_json(const PhaseQuestion& question);
[[nodiscard]] std::string input_json(const GraceQuestion& question);
[[nodiscard]] std::string input_json(const ImageQuestion& question);
[[nodiscard]] std::string input_json(const PreStopQuestion& question);
[[nodiscard]] std::string input_json(const DeletionQuestion& question);
[[nodiscard]] std::string input_json(const CollectionQuestion& question);
[[nodiscard]] std::string input_json(const LossQuestion& question);

[[nodiscard]] std::string output_json(const Plan& plan);
[[nodiscard]] std::string output_json(const TerminationStep& step);
[[nodiscard]] std::string output_json(const node::Admission& admission);
[[nodiscard]] std::string output_json(const PhaseDecision& decision);
[[nodiscard]] std::string output_json(const GraceDecision& decision);
[[nodiscard]] std::string output_json(const ImageDecision& decision);
[[nodiscard]] std::string output_json(const PreStopStep& step);
[[nodiscard]] std::string output_json(const DeletionPeriod& period);
[[nodiscard]] std::string output_json(const CollectionDecision& decision);
[[nodiscard]] std::string output_json(const LossDecision& decision);

[[nodiscard]] Result<PlanValues> plan_values(std::string_view input_json);
[[nodiscard]] Result<StopsValues> stops_values(std::string_view input_json);
[[nodiscard]] Result<AdmissionValues> admission_values(std::string_view input_json);
[[nodiscard]] Result<PhaseValues> phase_values(std::string_view input_json);
[[nodiscard]] Result<GraceValues> grace_values(std::string_view input_json);
[[nodiscard]] Result<ImageValues> image_values(std::string_view input_json);
[[nodiscard]] Result<PreStopValues> pre_stop_values(std::string_view input_json);
[[nodiscard]] Result<DeletionValues> deletion_values(std::string_view input_json);
[[nodiscard]] Result<CollectionValues> collection_values(std::string_view input_json);
[[nodiscard]] Result<LossValues> loss_values(std::string_view input_json);

[[nodiscard]] Result<Plan> recorded_plan(std::string_view output_json);
[[nodiscard]] Result<TerminationStep> recorded_stops(std::string_view output_json);
[[nodiscard]] Result<node::Admission> recorded_admission(std::string_view output_json);
[[nodiscard]] Result<PhaseDecision> recorded_phase(std::string_view output_json);
[[nodiscard]] Result<GraceDecision> recorded_grace(std::string_view output_json);
[[nodiscard]] Result<ImageDecision> recorded_image(std::string_view output_json);

// Of another pod, what counts against the node for a pod that is to be admitted: its containers'
// resources and ports, its overhead.
[[nodiscard]] api::Pod counted_part(const api::Pod& pod);

// For kinds that write and read their inputs themselves: an input as text, with its digest; the
// same read back, and whether it is what was written, which is to be asked once its values have
// been read.
[[nodiscard]] std::string with_digest(boost::json::object input);
struct RecordedInput {
  boost::json::value value{};  // without the digest
  std::string stated{};
  std::string actual{};
};
[[nodiscard]] Result<RecordedInput> recorded_input(std::string_view text);
[[nodiscard]] std::optional<Error> changed_inputs(const RecordedInput& input);

// Sixteen hexadecimal digits over all members but "digest", whatever their order.
[[nodiscard]] std::string input_digest(const boost::json::object& input);

}  // namespace berth::lifecycle
