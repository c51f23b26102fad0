// SPDX-License-Identifier: Apache-2.0

// JSON of described structs in which nothing is ever left out: the form of decision records.
//
// Every member is written, an absent optional as null; reading refuses a member that is missing or
// not known, and names its path. (The API's codec does the opposite on both sides, because
// Kubernetes does.) Times and durations are whole nanoseconds, steady time since its own epoch;
// enumerators are written by name without the `k`; doubles as text, to be exact; a map whose key is
// a pair as a list. API objects inside are written by the API's codec and read back strictly; pods
// are written without their status, which no recorded decision reads. Pure. Included only by the
// sources that write and read records.
#pragma once

#include <charconv>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <boost/describe.hpp>
#include <boost/json.hpp>
#include <boost/mp11.hpp>
#include <boost/pfr/tuple_size.hpp>

#include "api/codec.hpp"
#include "api/node.hpp"
#include "api/pod.hpp"
#include "api/quantity.hpp"
#include "api/time.hpp"
#include "base/clock_types.hpp"
#include "base/ref_or_value.hpp"
#include "base/result.hpp"
#include "base/strong_id.hpp"

namespace berth::lifecycle::strict_json {

namespace json = boost::json;

// What the API's codec reads and writes.
template <class T>
concept ApiObject = std::same_as<T, api::Pod> || std::same_as<T, api::Node> ||
    std::same_as<T, api::ContainerStatus> || std::same_as<T, api::ResourceRequirements> ||
    std::same_as<T, api::Taint>;

template <class T>
struct IdTag : std::false_type {};
template <class Tag>
struct IdTag<StrongId<Tag>> : std::true_type {};

template <class T>
struct TimeTag : std::false_type {};
template <class Clock>
struct TimeTag<std::chrono::time_point<Clock, Nanoseconds>> : std::true_type {};

template <class T>
struct ContainerTag : std::false_type {};
template <class E>
struct ContainerTag<std::vector<E>> : std::true_type {};
template <class E>
struct ContainerTag<std::set<E>> : std::true_type {};

template <class T>
struct OptionalTag : std::false_type {};
template <class E>
struct OptionalTag<std::optional<E>> : std::true_type {};

template <class T>
struct RefTag : std::false_type {};
template <class E>
struct RefTag<RefOrValue<E>> : std::true_type {
  using Value = E;
};

template <class T>
struct MapTag : std::false_type {};
template <class K, class V>
struct MapTag<std::map<K, V>> : std::true_type {};

template <class T>
struct VariantTag : std::false_type {};
template <class... A>
struct VariantTag<std::variant<A...>> : std::true_type {};

// A bool wrapped in a class to make its declaration more expressive.
template <class T>
concept BoolLike =
    std::is_class_v<T> && std::convertible_to<T, bool> && std::convertible_to<bool, T>;

template <class K>
struct PairTag : std::false_type {};
template <class A, class B>
struct PairTag<std::pair<A, B>> : std::true_type {};

template <class T>
using MembersOf = boost::describe::describe_members<T, boost::describe::mod_public>;

// Specialised where a member is left out on purpose.
template <class T>
consteval bool describes_all() {
  return boost::mp11::mp_size<MembersOf<T>>::value == boost::pfr::tuple_size_v<T>;
}

template <class T>
json::value write(const T& object);

template <class E>
json::value write_enum(E value) {
  const std::string_view name = boost::describe::enum_to_string(value, "k?");
  return json::string(name.substr(1));
}

template <class M>
json::value write_map(const M& map) {
  if constexpr (PairTag<typename M::key_type>::value) {
    json::array out;
    for (const auto& [key, value] : map) {
      out.push_back(
          json::object{{"first", key.first}, {"second", key.second}, {"value", write(value)}});
    }
    return out;
  } else {
    json::object out;
    for (const auto& [key, value] : map) {
      using Key = std::remove_cvref_t<decltype(key)>;
      if constexpr (std::same_as<Key, std::string>) {
        out.emplace(key, write(value));
      } else if constexpr (std::is_enum_v<Key>) {
        out.emplace(write_enum(key).get_string(), write(value));
      } else {
        out.emplace(key.str(), write(value));
      }
    }
    return out;
  }
}

template <class T>
json::value write(const T& object) {
  if constexpr (std::same_as<T, bool> || std::integral<T>) {
    return json::value(object);
  } else if constexpr (std::floating_point<T>) {
    return json::string(fmt::format("{}", object));
  } else if constexpr (BoolLike<T>) {
    return json::value(static_cast<bool>(object));
  } else if constexpr (VariantTag<T>::value) {
    return std::visit(
        [&](const auto& value) -> json::value {
          return json::object{{"alternative", object.index()}, {"value", write(value)}};
        },
        object);
  } else if constexpr (std::same_as<T, std::string>) {
    return json::string(object);
  } else if constexpr (IdTag<T>::value) {
    return json::string(object.str());
  } else if constexpr (std::is_enum_v<T>) {
    return write_enum(object);
  } else if constexpr (std::same_as<T, Nanoseconds>) {
    return json::value(std::int64_t{object.count()});
  } else if constexpr (TimeTag<T>::value) {
    return json::value(std::int64_t{object.time_since_epoch().count()});
  } else if constexpr (std::same_as<T, api::Time>) {
    return write(object.at);
  } else if constexpr (std::same_as<T, api::Quantity>) {
    return json::string(object.to_string());
  } else if constexpr (std::same_as<T, api::Pod>) {
    json::value value = api::to_json(object);
    value.as_object().erase("status");
    return value;
  } else if constexpr (ApiObject<T>) {
    return api::to_json(object);
  } else if constexpr (RefTag<T>::value) {
    return write(*object);
  } else if constexpr (OptionalTag<T>::value) {
    return object ? write(*object) : json::value(nullptr);
  } else if constexpr (ContainerTag<T>::value) {
    json::array out;
    for (const auto& item : object) out.push_back(write(item));
    return out;
  } else if constexpr (MapTag<T>::value) {
    return write_map(object);
  } else {
    static_assert(describes_all<T>(), "a member is not described, and would not be recorded");
    json::object out;
    boost::mp11::mp_for_each<MembersOf<T>>(
        [&](auto member) { out.emplace(member.name, write(object.*member.pointer)); });
    return out;
  }
}

// Reads one value; keeps the first problem.
class Reader {
 public:
  template <class T>
  void read(const json::value& value, T& out, const std::string& path) {
    if (problem_) return;
    if constexpr (std::same_as<T, bool>) {
      if (!value.is_bool()) return expected(path, "true or false");
      out = value.get_bool();
    } else if constexpr (BoolLike<T>) {
      if (!value.is_bool()) return expected(path, "true or false");
      out = value.get_bool();
    } else if constexpr (VariantTag<T>::value) {
      read_variant(value, out, path);
    } else if constexpr (std::integral<T>) {
      read_integer(value, out, path);
    } else if constexpr (std::same_as<T, Nanoseconds>) {
      out = Nanoseconds(integer(value, path));
    } else if constexpr (TimeTag<T>::value) {
      out = T(Nanoseconds(integer(value, path)));
    } else if constexpr (std::same_as<T, api::Time>) {
      read(value, out.at, path);
    } else if constexpr (RefTag<T>::value) {
      typename RefTag<T>::Value owned{};
      read(value, owned, path);
      out = std::move(owned);
    } else if constexpr (OptionalTag<T>::value) {
      if (!value.is_null()) read(value, out.emplace(), path);
    } else if constexpr (ContainerTag<T>::value) {
      read_list(value, out, path);
    } else if constexpr (MapTag<T>::value) {
      read_map(value, out, path);
    } else if constexpr (ApiObject<T>) {
      read_api(value, out, path);
    } else if constexpr (boost::describe::has_describe_members<T>::value) {
      read_struct(value, out, path);
    } else {
      read_text(value, out, path);
    }
  }

  // The member, or null with the problem recorded.
  const json::value* member(const json::object& object, std::string_view name,
                            const std::string& path) {
    const json::value* value = object.if_contains(name);
    if (value == nullptr) problem("{}: this input is missing", below(path, name));
    return value;
  }

  template <class... Args>
  void problem(fmt::format_string<Args...> text, Args&&... args) {
    if (!problem_) problem_ = fmt::format(text, std::forward<Args>(args)...);
  }
  [[nodiscard]] const std::optional<std::string>& problem() const { return problem_; }

  static std::string below(const std::string& path, std::string_view name) {
    return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
  }

 private:
  void expected(const std::string& path, std::string_view what) {
    problem("{}: expected {}", path, what);
  }

  std::int64_t integer(const json::value& value, const std::string& path) {
    std::int64_t out = 0;
    read_integer(value, out, path);
    return out;
  }

  template <class T>
  void read_integer(const json::value& value, T& out, const std::string& path) {
    boost::system::error_code error;
    const T number = value.is_double() ? T{} : value.to_number<T>(error);
    if (error || value.is_double()) return expected(path, "a whole number");
    out = number;
  }

  template <class T>
  void read_text(const json::value& value, T& out, const std::string& path) {
    if (!value.is_string()) return expected(path, "a string");
    const std::string text(value.get_string());
    if constexpr (std::same_as<T, std::string>) {
      out = text;
    } else if constexpr (IdTag<T>::value) {
      out = T(text);
    } else if constexpr (std::floating_point<T>) {
      const auto parsed = std::from_chars(text.data(), text.data() + text.size(), out);
      if (parsed.ec != std::errc{}) expected(path, "a number as text");
    } else if constexpr (std::same_as<T, api::Quantity>) {
      auto quantity = api::Quantity::parse(text);
      if (!quantity) return problem("{}: {}", path, quantity.error().message);
      out = std::move(*quantity);
    } else {
      static_assert(std::is_enum_v<T>);
      if (!boost::describe::enum_from_string(("k" + text).c_str(), out))
        expected(path, "a known word, not \"" + text + "\"");
    }
  }

  template <class T>
  void read_api(const json::value& value, T& out, const std::string& path) {
    const api::Tree tree = api::tree_of(value);
    auto decoded = api::decode<T>(tree.root, api::FieldValidation::kStrict, path);
    if (decoded) {
      out = std::move(decoded->object);
    } else {
      problem("{}: {}", path, decoded.error().front().message);
    }
  }

  template <class T>
  void read_list(const json::value& value, T& out, const std::string& path) {
    if (!value.is_array()) return expected(path, "a list");
    out.clear();
    for (const json::value& item : value.get_array()) {
      typename T::value_type element{};
      read(item, element, fmt::format("{}[{}]", path, out.size()));
      out.insert(out.end(), std::move(element));
    }
  }

  template <class M>
  void read_map(const json::value& value, M& out, const std::string& path) {
    out.clear();
    if constexpr (PairTag<typename M::key_type>::value) {
      if (!value.is_array()) return expected(path, "a list");
      for (const json::value& item : value.get_array()) {
        const std::string at = fmt::format("{}[{}]", path, out.size());
        if (!item.is_object()) return expected(at, "an object");
        const json::object& entry = item.get_object();
        typename M::key_type key{};
        typename M::mapped_type mapped{};
        if (const auto* first = member(entry, "first", at)) read(*first, key.first, at);
        if (const auto* second = member(entry, "second", at)) read(*second, key.second, at);
        if (const auto* of = member(entry, "value", at)) read(*of, mapped, below(at, "value"));
        out.emplace(std::move(key), std::move(mapped));
      }
    } else {
      if (!value.is_object()) return expected(path, "an object");
      for (const auto& [name, item] : value.get_object()) {
        read(item, out[key_of<typename M::key_type>(name, path)], below(path, name));
      }
    }
  }

  template <class Key>
  Key key_of(std::string_view name, const std::string& path) {
    if constexpr (std::is_enum_v<Key>) {
      Key key{};
      if (!boost::describe::enum_from_string(("k" + std::string(name)).c_str(), key))
        expected(path, "a known word, not \"" + std::string(name) + "\"");
      return key;
    } else {
      return Key(std::string(name));
    }
  }

  template <class... A>
  void read_variant(const json::value& value, std::variant<A...>& out, const std::string& path) {
    if (!value.is_object()) return expected(path, "an object");
    const json::object& object = value.get_object();
    const json::value* alternative = member(object, "alternative", path);
    const json::value* of = member(object, "value", path);
    if (problem_) return;
    std::size_t index = 0;
    read_integer(*alternative, index, below(path, "alternative"));
    if (problem_) return;
    if (index >= sizeof...(A) || object.size() != 2)
      return expected(path, "one of the alternatives");
    boost::mp11::mp_with_index<sizeof...(A)>(index, [&](auto chosen) {
      read(*of, out.template emplace<chosen>(), below(path, "value"));
    });
  }

  template <class T>
  void read_struct(const json::value& value, T& out, const std::string& path) {
    if (!value.is_object()) return expected(path, "an object");
    const json::object& object = value.get_object();
    std::size_t known = 0;
    boost::mp11::mp_for_each<MembersOf<T>>([&](auto of) {
      const json::value* found = member(object, of.name, path);
      if (found == nullptr) return;
      ++known;
      read(*found, out.*of.pointer, below(path, of.name));
    });
    if (!problem_ && known != object.size()) problem("{}: has members that are not known", path);
  }

  std::optional<std::string> problem_{};
};

}  // namespace berth::lifecycle::strict_json
