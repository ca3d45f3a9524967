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
  const Record question = record.part("question");
  std::vector<std::string> labels;
  for (const Record& choice : question.parts("choices")) {
    document.choices.push_back(choice.text("text"));
    labels.push_back(choice.label("label"));
  }
  document.contexts = {question.text("stem")};
  document.gold = record.place("answerKey", labels);
  return document;
}

Document Arc::document(const Record& record) const {
  Document document = science_document(record);
  document.contexts[0] = "Question: " + document.contexts[0] + "\nAnswer:";
  return document;
}

}  // namespace rfs
