#include "rfs/suite/filler.h"

#include <string_view>

#include "rfs/core/format.h"

namespace rfs {
namespace {

const std::vector<std::string> sentences = {
    "The baker opens the shop before the sun is up.",
    "A light rain fell on the roof during the night.",
    "Two children are building a boat out of old boxes.",
    "The train to the coast leaves from the far platform.",
    "Nobody had wound the clock in the hall for weeks.",
    "She keeps her pencils in a jar by the window.",
    "The path goes along the river and then up the hill.",
    "Our neighbors are painting their fence this week.",
    "A cat sleeps on the warm stones of the wall.",
    "The soup needs a little more salt and some pepper.",
    "He read the letter again and put it back in the drawer.",
    "In autumn the leaves cover the whole garden.",
    "The library is quiet in the early afternoon.",
    "They carried the table out and set it under the tree.",
    "A small plane crossed the sky without a sound.",
    "The market sells apples, cheese and fresh bread.",
    "It took him all morning to fix the bicycle.",
    "The lake was so still that it looked like glass.",
    "Someone has left an umbrella on the bench.",
    "The old bridge is closed until the spring.",
    "Her brother plays the violin in a small orchestra.",
    "The fields behind the house are full of flowers.",
    "We waited for the bus and talked about the weather.",
    "The tea was cold by the time they came back.",
    "A map of the city hangs above the desk.",
    "The dog ran ahead and came back with a stick.",
    "Most of the seats in the theater were empty.",
    "The farmer walks around the fields every evening.",
    "A strong wind closed the door with a bang.",
    "The shelves are full of books about birds.",
    "He forgot his gloves and had to turn around.",
    "The snow on the mountains lasts until summer.",
    "A lamp was burning in the last house of the street.",
    "They sat by the fire and told old stories.",
    "The painter mixed a darker shade of green.",
    "Fresh paint makes the kitchen look bigger.",
    "The ferry is late because of the fog.",
    "She plants beans and carrots next to the shed.",
    "The teacher wrote a short poem on the board.",
    "The boats come back to the harbor at noon.",
};

const std::vector<std::string> adjectives = {
    "amber", "ancient", "bitter", "blue",  "bold",  "brave",  "brief",   "bright", "broad",  "brown",
    "calm",  "careful", "cheap",  "clean", "clear", "clever", "cold",    "cool",   "crisp",  "curious",
    "daily", "damp",    "dark",   "deep",  "dense", "dim",    "distant", "dry",    "dull",   "eager",
    "early", "easy",    "empty",  "equal", "even",  "exact",  "faint",   "fair",   "famous", "fast",
    "final", "firm",    "flat",   "fresh", "full",  "gentle", "giant",   "glad",   "golden", "grand",
    "gray",  "great",   "green",  "happy", "harsh", "heavy",  "hidden",  "high",   "hollow", "honest",
    "hot",   "huge",    "humble", "icy",   "jolly", "keen",   "kind",    "large",  "late",   "lazy",
    "light", "little",  "lively", "local", "lone",  "long",   "loose",   "loyal",  "lucky",  "mellow",
    "mild",  "modern",  "narrow", "neat",  "noble", "odd",    "sour",    "open",   "pale",   "patient",
    "plain", "polite",  "proud",  "quick", "quiet", "rapid",  "rare",    "ready",  "rich",   "round",
};

const std::vector<std::string> nouns = {
    "acorn",   "anchor",  "apple",  "attic",  "badge",  "barrel", "basin",  "basket", "beacon",   "bell",
    "bench",   "blanket", "boat",   "bottle", "bridge", "brook",  "bucket", "button", "cabin",    "candle",
    "canyon",  "carpet",  "castle", "cedar",  "chair",  "circle", "cliff",  "cloud",  "coin",     "copper",
    "corner",  "cottage", "cotton", "cradle", "crown",  "desert", "drum",   "eagle",  "engine",   "falcon",
    "feather", "fence",   "field",  "flame",  "forest", "fossil", "garden", "gate",   "glacier",  "glove",
    "hammer",  "harbor",  "helmet", "hill",   "horse",  "island", "jacket", "kettle", "ladder",   "lagoon",
    "lantern", "lemon",   "letter", "magnet", "maple",  "marble", "meadow", "mirror", "mountain", "needle",
    "ocean",   "orchard", "oven",   "paddle", "pebble", "pencil", "pepper", "pillow", "planet",   "pocket",
    "prairie", "quarry",  "rabbit", "ribbon", "river",  "saddle", "shadow", "signal", "spoon",    "statue",
    "stone",   "summit",  "temple", "timber", "tower",  "tunnel", "valley", "velvet", "violin",   "window",
};

constexpr std::string_view consonants = "bdfhlmnrtvw", vowels = "aeiou";

}  // namespace

std::vector<std::string> filler_sentences(Stream& stream, int64_t count) {
  std::vector<std::string> drawn;
  for (int64_t i = 0; i < count; ++i) drawn.push_back(sentences[stream.below(sentences.size())]);
  return drawn;
}

const std::vector<std::string>& key_words() {
  static const auto words = [] {
    auto all = adjectives;
    all.insert(all.end(), nouns.begin(), nouns.end());
    return all;
  }();
  return words;
}

int64_t key_count() {
  const auto words = static_cast<int64_t>(key_words().size());
  return words * (words - 1);
}

std::string key(uint64_t number) {
  const auto& words = key_words();
  const uint64_t first = number / (words.size() - 1), other = number % (words.size() - 1);
  return rfs::format("{}-{}", words[first], words[other < first ? other : other + 1]);
}

int64_t invented_count() {
  return static_cast<int64_t>(consonants.size() * vowels.size() * consonants.size() * vowels.size() *
                              consonants.size());
}

std::string invented(uint64_t number) {
  std::string word;
  for (const std::string_view letters : {consonants, vowels, consonants, vowels, consonants}) {
    word += letters[number % letters.size()];
    number /= letters.size();
  }
  return word;
}

std::string spaced(const std::vector<std::string>& parts) {
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : " ") + part;
  return text;
}

}  // namespace rfs
