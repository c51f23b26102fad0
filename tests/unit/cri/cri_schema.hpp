// SPDX-License-Identifier: Apache-2.0

// CRI's schema as berth declares it, for tests: its content, and messages with reflection (the
// client's are protobuf's lite messages, which have none).
#pragma once

#include <memory>
#include <string>

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

namespace berth::cri {

class CriSchema {
 public:
  CriSchema();

  [[nodiscard]] const google::protobuf::FileDescriptor& file() const { return *file_; }

  // For a message whose full name is `type`: its wire form, from protobuf's JSON; and the
  // differences between two wire forms, as text (empty if they are equal).
  [[nodiscard]] std::string wire_from_json(const std::string& type, const std::string& json) const;
  [[nodiscard]] std::string differences(const std::string& type, const std::string& actual_wire,
                                        const std::string& expected_wire) const;

 private:
  [[nodiscard]] std::unique_ptr<google::protobuf::Message> message(const std::string& type) const;

  google::protobuf::DescriptorPool pool_{};
  const google::protobuf::FileDescriptor* file_ = nullptr;
  std::unique_ptr<google::protobuf::MessageFactory> messages_;
};

}  // namespace berth::cri
