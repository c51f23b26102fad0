// SPDX-License-Identifier: Apache-2.0

// The schema against the catalogue of CRI v1: names, numbers, labels and types of everything that
// is declared. Permitted omissions are listed here.

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <google/protobuf/descriptor.pb.h>
#include <gtest/gtest.h>

#include "cri_schema.hpp"
#include "tests/test_paths.hpp"

namespace berth::cri {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::FileDescriptor;

// "number label type" by field name, by message; "number" by member, by enum; "request response"
// by call, by service.
using Entries = std::map<std::string, std::string>;
struct Catalogue {
  std::map<std::string, Entries> messages{}, enums{}, services{};
};

std::vector<std::string> columns(const std::string& line) {
  std::vector<std::string> result(6);
  std::istringstream in(line);
  for (auto& column : result) std::getline(in, column, '\t');
  return result;
}

// What may hold others' words need not be UTF-8.
bool is_bytes_here(const std::string& message, const std::string& field) {
  const bool described =
      message == "runtime.v1.ContainerStatus" || message == "runtime.v1.RuntimeCondition";
  return field == "info" || (described && (field == "reason" || field == "message"));
}

// Signal is int32 here (its members collide with macros), and other systems' messages are left out.
std::string type_here(const std::string& message, const std::string& field,
                      const std::string& type) {
  if (is_bytes_here(message, field)) return type == "string" ? "bytes" : "string -> bytes";
  return type == "runtime.v1.Signal" ? "int32" : type;
}
bool is_left_out(const std::string& type) {
  return type.starts_with("runtime.v1.Windows");
}

Catalogue read_catalogue() {
  Catalogue catalogue;
  std::ifstream in(test_data() / "wire/cri-v1.tsv");
  std::string line;
  while (std::getline(in, line)) {
    if (line.starts_with('#') || line.empty()) continue;
    const auto row = columns(line);
    if (row[0] == "rpc") catalogue.services[row[1]][row[2]] = row[4] + " " + row[5];
    if (row[0] == "enum") catalogue.enums[row[1]][row[2]] = row[3];
    if (row[0] == "message") catalogue.messages[row[1]];
    if (row[0] == "field") {
      auto& fields = catalogue.messages[row[1]];
      if (!is_left_out(row[5])) {
        fields[row[2]] = row[3] + " " + row[4] + " " + type_here(row[1], row[2], row[5]);
      }
    }
  }
  return catalogue;
}

std::string type_of(const FieldDescriptor& field) {
  if (field.type() == FieldDescriptor::TYPE_MESSAGE) return field.message_type()->full_name();
  if (field.type() == FieldDescriptor::TYPE_ENUM) return field.enum_type()->full_name();
  return field.type_name();
}

std::string describe(const FieldDescriptor& field) {
  const std::string number = std::to_string(field.number());
  if (field.is_map()) {
    const Descriptor& entry = *field.message_type();
    return number + " map " + type_of(*entry.field(0)) + " -> " + type_of(*entry.field(1));
  }
  return number + (field.is_repeated() ? " repeated " : " optional ") + type_of(field);
}

void collect(const EnumDescriptor& declared, Catalogue& out) {
  for (int i = 0; i < declared.value_count(); ++i) {
    const auto& value = *declared.value(i);
    out.enums[declared.full_name()][value.name()] = std::to_string(value.number());
  }
}

void collect(const Descriptor& declared, Catalogue& out) {
  auto& fields = out.messages[declared.full_name()];
  for (int i = 0; i < declared.field_count(); ++i) {
    fields[declared.field(i)->name()] = describe(*declared.field(i));
  }
  for (int i = 0; i < declared.enum_type_count(); ++i) collect(*declared.enum_type(i), out);
  for (int i = 0; i < declared.nested_type_count(); ++i) {
    const Descriptor& nested = *declared.nested_type(i);
    if (!nested.options().map_entry()) collect(nested, out);
  }
}

Catalogue declared_here() {
  Catalogue result;
  const CriSchema schema;
  const FileDescriptor& file = schema.file();
  for (int i = 0; i < file.message_type_count(); ++i) collect(*file.message_type(i), result);
  for (int i = 0; i < file.enum_type_count(); ++i) collect(*file.enum_type(i), result);
  for (int i = 0; i < file.service_count(); ++i) {
    const auto& service = *file.service(i);
    for (int m = 0; m < service.method_count(); ++m) {
      const auto& method = *service.method(m);
      result.services[service.full_name()][method.name()] =
          std::string(method.client_streaming() ? "stream " : "") +
          method.input_type()->full_name() + " " + (method.server_streaming() ? "stream " : "") +
          method.output_type()->full_name();
    }
  }
  return result;
}

struct SchemaTest : testing::Test {
  const Catalogue catalogue = read_catalogue();
  const Catalogue here = declared_here();
};

TEST_F(SchemaTest, the_catalogue_is_there) {
  EXPECT_GT(catalogue.messages.size(), 150U);
  EXPECT_EQ(catalogue.services.size(), 2U);
}

TEST_F(SchemaTest, every_declared_message_has_exactly_the_catalogues_fields) {
  EXPECT_GT(here.messages.size(), 100U);
  for (const auto& [name, fields] : here.messages) {
    ASSERT_TRUE(catalogue.messages.contains(name)) << name;
    EXPECT_EQ(fields, catalogue.messages.at(name)) << name;
  }
}

TEST_F(SchemaTest, every_declared_enum_has_exactly_the_catalogues_members) {
  for (const auto& [name, members] : here.enums) {
    ASSERT_TRUE(catalogue.enums.contains(name)) << name;
    EXPECT_EQ(members, catalogue.enums.at(name)) << name;
  }
}

TEST_F(SchemaTest, every_declared_call_is_the_catalogues) {
  EXPECT_EQ(here.services.size(), 2U);
  for (const auto& [service, calls] : here.services) {
    for (const auto& [call, types] : calls) {
      ASSERT_TRUE(catalogue.services.at(service).contains(call)) << call;
      EXPECT_EQ(types, catalogue.services.at(service).at(call)) << call;
    }
  }
}

TEST_F(SchemaTest, what_is_left_out_of_the_calls_is_known) {
  const std::set<std::string> expected = {"CheckpointContainer",     "ListMetricDescriptors",
                                          "ListPodSandboxMetrics",   "StreamContainerStats",
                                          "StreamContainers",        "StreamImages",
                                          "StreamPodSandboxMetrics", "StreamPodSandboxStats",
                                          "StreamPodSandboxes",      "UpdatePodSandboxResources"};
  std::set<std::string> left_out;
  for (const auto& [service, calls] : catalogue.services) {
    for (const auto& [call, types] : calls) {
      if (!here.services.at(service).contains(call)) left_out.insert(call);
    }
  }
  EXPECT_EQ(left_out, expected);
}

}  // namespace
}  // namespace berth::cri
