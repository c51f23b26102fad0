// berthctl doctor: what is not as it should be, and what a kubelet would do differently.
#include <cstdio>

#include <boost/json.hpp>

#include "api/json_text.hpp"
#include "ctl/command.hpp"
#include "ctl/doctor_text.hpp"
#include "ctl/exit_code.hpp"

namespace berth::ctl {
namespace {

std::string severity_word(control::v1::Severity severity) {
  if (severity == control::v1::TROUBLE) return "trouble";
  return severity == control::v1::WARNING ? "warning" : "note";
}

std::string findings_json(const std::vector<DoctorFinding>& findings) {
  boost::json::array list;
  for (const auto& [severity, area, subject, text] : findings)
    list.push_back({{"severity", severity}, {"area", area}, {"subject", subject}, {"text", text}});
  return api::pretty_json({{"findings", list}}) + "\n";
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
  const std::string text =
      options.output == Output::kJson ? findings_json(findings) : doctor_text(findings);
  std::fputs(text.c_str(), stdout);
  return needs_attention(findings) ? kFailed : kOk;
}

}  // namespace berth::ctl
