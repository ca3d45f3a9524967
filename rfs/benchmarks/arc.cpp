#include "rfs/benchmarks/arc.h"

namespace rfs {

Document science_document(const Record& record) {
  Document document;
  if (record.has("gold")) {
    document.contexts = {record.text("question")};
    document.choices = record.texts("choices");
    document.gold = gold_of(record, document.choices.size());
    return document;
  }
  const bool published = record.has_object("question");
  const Record question = published ? record.part("question") : record;
  std::vector<std::string> labels;
  if (question.has_object("choices")) {
    const Record lists = question.part("choices");
    document.choices = lists.texts("text");
    labels = lists.texts("label");
    if (labels.size() != document.choices.size()) {
      throw record.fail("choices.text and choices.label", "be lists of the same size",
                        std::to_string(document.choices.size()) + " and " + std::to_string(labels.size()));
    }
  } else {
    for (const Record& choice : question.parts("choices")) {
      document.choices.push_back(choice.text("text"));
      labels.push_back(choice.label("label"));
    }
  }
  document.contexts = {question.text(published                       ? "stem"
                                     : question.has("question_stem") ? "question_stem"
                                                                     : "question")};
  document.gold = record.index_of("answerKey", labels);
  return document;
}

Document Arc::document(const Record& record) const {
  Document document = science_document(record);
  document.contexts[0] = "Question: " + document.contexts[0] + "\nAnswer:";
  return document;
}

}  // namespace rfs
