#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rfs/records/eval_record.h"

namespace rfs {

/// The kinds of mistake. A wrong answer is classified by its first mistake, because later ones often follow from it.
/// Let p be the first index at which the ids differ. The first rule that applies gives the kind:
///
///   stopped_early  the given answer ends at p, the expected one does not
///   ran_on         the expected answer ends at p, the given one does not
///   swapped        a cheapest edit script swaps two neighbours at p
///   repeated       ... inserts a run of ids equal to the run just before it
///   dropped        ... deletes an expected id
///   substituted    ... replaces an expected id
///   other          ... inserts an id that repeats nothing
///
/// An edit script turns the expected ids into the given ones. Each swap and each inserted, deleted or replaced id costs
/// 1. Among scripts with the same number of edits, those that keep more ids are cheaper. If the given answer was cut
/// off before its end, deleting the rest of the expected ids costs nothing.
std::vector<std::string> mistake_kinds();

/// Compares a decoded answer with the expected one. Both end with the end of text, except a given answer that was cut
/// off.
struct Comparison {
  double token_accuracy = 1;            ///< share of expected ids that the given answer has at the same index
  double edit_distance = 0;             ///< Levenshtein distance divided by the size of the longer answer
  std::optional<size_t> first_mistake;  ///< tenth of the expected answer, 0 to 9; nothing if correct
  std::string kind;                     ///< one of mistake_kinds(); "" if correct
};

/// `expected` must not be empty.
Comparison compare_answers(std::span<const int32_t> expected, std::span<const int32_t> given);

/// Mean values, and counts of the positions and kinds of first mistakes.
EvalRecord::Decoded summarise(std::span<const Comparison> answers);

}  // namespace rfs
