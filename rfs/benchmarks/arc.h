#pragma once

#include "rfs/benchmarks/benchmark.h"

namespace rfs {

/// The question and choices of ARC and OpenBookQA, which share their formats. Published: question.stem,
/// question.choices[].text and .label, answerKey. Hugging Face: question (or question_stem), choices.text[] and
/// choices.label[], answerKey. Short: question, choices[], gold. The context is the question as it is.
Document science_document(const Record& record);

/// Both parts of ARC (Clark et al. 2018); they differ only in their files.
class Arc : public Benchmark {
 public:
  std::string published() const override { return "published by AI2 as ARC-V1-Feb2018"; }
  Document document(const Record& record) const override;
};

}  // namespace rfs
