// berthctl doctor: what is not as it should be, and what a kubelet would do differently.
#include <boost/json.hpp>

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
  for (const auto& [severity, area, subject, text] : findings)
    list.push_back(
        {{"severity", severity}, {"area", area}, {"subject", subject}, {"message", text}});
  return {{"apiVersion", kReportVersion}, {"kind", "DoctorReport"}, {"findings", list}};
}

}  // namespace

Outcome show_doctor(Connection& agent, const Options& options) {
  control::v1::DoctorReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().Doctor(context.get(), {}, &reply);
  if (!status.ok()) return fail(agent.explain(status));
  std::vector<DoctorFinding> findings;
  for (const auto& finding : reply.findings())
    findings.push_back({.severity = severity_word(finding.severity()),
                        .area = finding.area(),
                        .subject = finding.subject(),
                        .text = finding.text()});
  print(options.output == Output::kTable ? doctor_text(findings)
                                         : value_text(report(findings), options.output));
  return needs_attention(findings) ? kFailed : kOk;
}

}  // namespace berth::ctl
