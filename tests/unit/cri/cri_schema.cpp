// SPDX-License-Identifier: Apache-2.0

#include "cri_schema.hpp"

#include <fstream>
#include <stdexcept>

#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>

namespace berth::cri {

using google::protobuf::Message;

CriSchema::CriSchema()
    : messages_(std::make_unique<google::protobuf::DynamicMessageFactory>(&pool_)) {
  std::ifstream in(BERTH_CRI_SCHEMA, std::ios::binary);
  google::protobuf::FileDescriptorSet files;
  if (!files.ParseFromIstream(&in) || files.file_size() != 1) {
    throw std::runtime_error("no schema in " BERTH_CRI_SCHEMA);
  }
  file_ = pool_.BuildFile(files.file(0));
  if (file_ == nullptr) throw std::runtime_error("not a schema: " BERTH_CRI_SCHEMA);
}

std::unique_ptr<Message> CriSchema::message(const std::string& type) const {
  const auto* descriptor = pool_.FindMessageTypeByName(type);
  if (descriptor == nullptr) throw std::runtime_error("not in the schema: " + type);
  return std::unique_ptr<Message>(messages_->GetPrototype(descriptor)->New());
}

std::string CriSchema::wire_from_json(const std::string& type, const std::string& json) const {
  const auto read = message(type);
  const auto status = google::protobuf::util::JsonStringToMessage(json, read.get());
  if (!status.ok()) throw std::runtime_error(type + ": " + status.ToString());
  return read->SerializeAsString();
}

std::string CriSchema::differences(const std::string& type, const std::string& actual_wire,
                                   const std::string& expected_wire) const {
  const auto actual = message(type);
  const auto expected = message(type);
  if (!actual->ParseFromString(actual_wire) || !expected->ParseFromString(expected_wire)) {
    return "unreadable: " + type;
  }
  std::string found;
  google::protobuf::util::MessageDifferencer differencer;
  differencer.ReportDifferencesToString(&found);
  differencer.Compare(*expected, *actual);
  return found;
}

}  // namespace berth::cri
