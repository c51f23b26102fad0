// SPDX-License-Identifier: Apache-2.0

// berthctl doctor: problems, and what a kubelet would do differently; as berthd reports them or,
// while it does not answer, as far as they can be seen without it.
#include <utility>

#include <boost/json.hpp>

#include "agent/doctor/offline_doctor.hpp"
#include "ctl/command.hpp"
#include "ctl/doctor_text.hpp"
#include "ctl/exit_code.hpp"
#include "ctl/object_text.hpp"

namespace berth::ctl {
namespace {

std::string severity_word(control::v1::Severity severity) {
  if (severity == control::v1::TROUBLE) return "trouble";
  return severity == control::v1::WARNING ? "warning" : "note";
}

boost::json::value report(const std::vector<DoctorFinding>& findings) {
  boost::json::array list;
  for (const auto& [severity, area, subject, text, advice] : findings)
    list.push_back({{"severity", severity},
                    {"area", area},
                    {"subject", subject},
                    {"message", text},
                    {"advice", advice}});
  return {{"apiVersion", kReportVersion}, {"kind", "DoctorReport"}, {"findings", list}};
}

using Findings = std::vector<DoctorFinding>;

Result<Findings> findings_of_berthd(const Options& options) {
  auto connection = Connection::open(options.socket, options.request_timeout);
  if (!connection) return fail(connection.error());
  control::v1::DoctorReply reply;
  const auto context = connection->context();
  const grpc::Status status = connection->stub().Doctor(context.get(), {}, &reply);
  if (!status.ok()) return fail(connection->explain(status));
  Findings findings;
  for (const auto& finding : reply.findings())
    findings.push_back({.severity = severity_word(finding.severity()),
                        .area = finding.area(),
                        .subject = finding.subject(),
                        .text = finding.text(),
                        .advice = finding.advice()});
  return findings;
}

// Down, or hanging: then everything but berthd's own state can be inspected without it.
bool is_silence(const Error& error) {
  return error.code == ErrorCode::kUnavailable || error.code == ErrorCode::kTimeout;
}

Findings seen_from_here(const std::string& config_file, const std::string& why) {
  Findings findings;
  for (auto& [severity, area, subject, text, advice] :
       agent::examine_offline({.config_file = config_file, .why = why}))
    findings.push_back({.severity = std::string(to_string(severity)),
                        .area = std::move(area),
                        .subject = std::move(subject),
                        .text = std::move(text),
                        .advice = std::move(advice)});
  return findings;
}

}  // namespace

Outcome show_doctor(const Options& options, const std::string& config_file) {
  auto findings = findings_of_berthd(options);
  if (!findings && !is_silence(findings.error())) return fail(findings.error());
  if (!findings) findings = seen_from_here(config_file, findings.error().message);
  print(options.output == Output::kTable ? doctor_text(*findings)
                                         : value_text(report(*findings), options.output));
  return needs_attention(*findings) ? kFailed : kOk;
}

}  // namespace berth::ctl
