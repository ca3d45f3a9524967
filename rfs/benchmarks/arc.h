#pragma once

#include "rfs/benchmarks/benchmark.h"

namespace rfs {

/// The question and choices of ARC, and of OpenBookQA, which has the same forms. Published: question.stem,
/// question.choices[].text and .label, answerKey. Hugging Face: question (or question_stem), choices.text[] and
/// choices.label[], answerKey. Short: question, choices[], gold. The context is the bare question.
Document science_document(const Record& record);

/// Both parts of ARC (Clark et al. 2018): they differ in their files alone.
class Arc : public Benchmark {
 public:
  std::string published() const override { return "published by AI2 as ARC-V1-Feb2018"; }
  Document document(const Record& record) const override;
};

}  // namespace rfs
