// SPDX-License-Identifier: Apache-2.0

#include "api/codec/yaml_text.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <yaml.h>
#include <boost/json.hpp>

#include "api/codec/json_text.hpp"
#include "api/codec/yaml_scalar.hpp"
#include "api/utf8.hpp"

namespace berth::api {
namespace {

namespace json = boost::json;

int append(void* out, unsigned char* buffer, std::size_t size) {
  static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(buffer), size);
  return 1;
}

// Runs libyaml's emitter over a JSON value. The requested scalar styles are kubectl's; the emitter
// quotes text that the syntax does not allow in the requested style.
class Emitter {
 public:
  explicit Emitter(std::string& out) {
    if (yaml_emitter_initialize(&emitter_) == 0) throw std::bad_alloc();
    yaml_emitter_set_output(&emitter_, append, &out);
    yaml_emitter_set_unicode(&emitter_, 1);
    yaml_emitter_set_width(&emitter_, -1);  // no line wrapping
  }
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;
  ~Emitter() { yaml_emitter_delete(&emitter_); }

  void document(const json::value& value) {
    yaml_event_t event;
    emit(event, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
    emit(event, yaml_document_start_event_initialize(&event, nullptr, nullptr, nullptr, 1));
    write(value);
    emit(event, yaml_document_end_event_initialize(&event, 1));
    emit(event, yaml_stream_end_event_initialize(&event));
  }

 private:
  // Takes ownership of the event.
  void emit(yaml_event_t& event, int made) {
    if (made == 0) throw std::bad_alloc();
    if (yaml_emitter_emit(&emitter_, &event) == 0)
      throw std::runtime_error(std::string("writing YAML: ") +
                               (emitter_.problem == nullptr ? "" : emitter_.problem));
  }

  void write(const json::value& value) {
    if (value.is_object()) {
      mapping(value.get_object());
    } else if (value.is_array()) {
      sequence(value.get_array());
    } else if (value.is_string()) {
      string(value.get_string());
    } else {
      scalar(compact_json(value), YAML_PLAIN_SCALAR_STYLE);
    }
  }

  void mapping(const json::object& object) {
    std::vector<const json::key_value_pair*> sorted;
    for (const json::key_value_pair& pair : object) sorted.push_back(&pair);
    std::ranges::sort(sorted, {}, [](const auto* pair) { return std::string_view(pair->key()); });
    yaml_event_t event;
    emit(event, yaml_mapping_start_event_initialize(&event, nullptr, nullptr, 1,
                                                    YAML_BLOCK_MAPPING_STYLE));
    for (const json::key_value_pair* pair : sorted) {
      string(pair->key());
      write(pair->value());
    }
    emit(event, yaml_mapping_end_event_initialize(&event));
  }

  void sequence(const json::array& array) {
    yaml_event_t event;
    emit(event, yaml_sequence_start_event_initialize(&event, nullptr, nullptr, 1,
                                                     YAML_BLOCK_SEQUENCE_STYLE));
    for (const json::value& item : array) write(item);
    emit(event, yaml_sequence_end_event_initialize(&event));
  }

  void string(std::string_view text) {
    const std::string valid = valid_utf8(text);
    if (valid.find('\n') != std::string::npos) {
      scalar(valid, YAML_LITERAL_SCALAR_STYLE);
    } else if (could_be_another_type(valid)) {
      scalar(valid, YAML_DOUBLE_QUOTED_SCALAR_STYLE);
    } else {
      scalar(valid, YAML_PLAIN_SCALAR_STYLE);
    }
  }

  void scalar(const std::string& text, yaml_scalar_style_t style) {
    yaml_event_t event;
    emit(event, yaml_scalar_event_initialize(&event, nullptr, nullptr,
                                             reinterpret_cast<const yaml_char_t*>(text.data()),
                                             static_cast<int>(text.size()), 1, 1, style));
  }

  yaml_emitter_t emitter_{};
};

}  // namespace

std::string yaml_text(const boost::json::value& value) {
  std::string out;
  Emitter(out).document(value);
  return out;
}

}  // namespace berth::api
