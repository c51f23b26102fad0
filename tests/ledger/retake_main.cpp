// SPDX-License-Identifier: Apache-2.0

// berth-retake: takes recorded decisions again and compares.
//
// Reads ledger records, one JSON object per line (`berthctl why --records`), from files or stdin.
// Exit 1 if a decision comes out differently, or a record lacks an input. --remove-each-input
// removes every input of every decision once, and every member of its record, and requires each of
// those records to be refused; and once more with the digest repaired (input_removal.hpp). Finding
// no decision at all is a failure, too: it would prove nothing.
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "lifecycle/ledger/ledger_json.hpp"
#include "lifecycle/ledger/retake_decision.hpp"
#include "tests/ledger/input_removal.hpp"

namespace berth::ledger_test {
namespace {

namespace json = boost::json;

struct Tally {
  std::map<std::string, std::size_t> taken{};  // by kind
  std::size_t facts = 0;
  std::size_t removals = 0;
  std::size_t failures = 0;
};

void complain(Tally& tally, const std::string& where, const std::string& what) {
  ++tally.failures;
  std::cerr << where << ": " << what << '\n';
}

void check_removals(const lifecycle::LedgerRecord& record, const std::string& where, Tally& tally) {
  for_each_removal(record, Digest::kAsRecorded,
                   [&](const std::string& path, const lifecycle::LedgerRecord& damaged) {
                     ++tally.removals;
                     if (lifecycle::retake_decision(damaged))
                       complain(tally, where,
                                "without its input " + path + " it is taken all the same");
                   });
  for_each_removal(record, Digest::kMended,
                   [&](const std::string& path, const lifecycle::LedgerRecord& damaged) {
                     ++tally.removals;
                     if (const auto wrong = wrongly_taken(damaged))
                       complain(tally, where,
                                "without its input " + path + ", its digest mended, it " + *wrong);
                   });
}

void check_members(const std::string& line, const std::string& where, Tally& tally) {
  const json::object whole = json::parse(line).as_object();
  for (const auto& member : whole) {
    if (member.key() == "time") continue;  // `at`, for people
    json::object rest = whole;
    rest.erase(member.key());
    ++tally.removals;
    const auto record = lifecycle::parse_ledger_record(json::serialize(rest));
    if (record && lifecycle::retake_decision(*record))
      complain(tally, where,
               "without its " + std::string(member.key()) + " it is taken all the same");
  }
}

void check_line(const std::string& line, const std::string& where, bool remove, Tally& tally) {
  const auto record = lifecycle::parse_ledger_record(line);
  if (!record) return complain(tally, where, record.error().message);
  const auto taken = lifecycle::retake_decision(*record);
  if (!taken) return complain(tally, where, taken.error().message);
  if (!*taken) {
    ++tally.facts;
    return;
  }
  ++tally.taken[record->kind];
  if (!remove) return;
  check_members(line, where, tally);
  check_removals(*record, where, tally);
}

void check_stream(std::istream& in, const std::string& name, bool remove, Tally& tally) {
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    check_line(line, name + ":" + std::to_string(number), remove, tally);
  }
}

int run(const std::vector<std::string>& arguments) {
  bool remove = false;
  std::vector<std::string> files;
  for (const std::string& argument : arguments) {
    if (argument == "--remove-each-input") {
      remove = true;
    } else if (argument.starts_with("--")) {
      std::cerr << "usage: berth-retake [--remove-each-input] [FILE...]\n";
      return 2;
    } else {
      files.push_back(argument);
    }
  }
  Tally tally;
  if (files.empty()) check_stream(std::cin, "stdin", remove, tally);
  for (const std::string& file : files) {
    std::ifstream in(file);
    if (in) {
      check_stream(in, file, remove, tally);
    } else {
      complain(tally, file, "cannot be read");
    }
  }
  if (tally.taken.empty()) complain(tally, "berth-retake", "there was no decision to take again");
  for (const auto& [kind, count] : tally.taken)
    std::cout << kind << " taken again " << count << '\n';
  std::cout << "facts " << tally.facts << '\n';
  if (remove) std::cout << "inputs removed " << tally.removals << '\n';
  std::cout << "failures " << tally.failures << '\n';
  return tally.failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace berth::ledger_test

int main(int argc, char** argv) {
  try {
    return berth::ledger_test::run({argv + 1, argv + argc});
  } catch (const std::exception& bug) {
    std::cerr << "berth-retake: " << bug.what() << '\n';
    return 1;
  }
}
