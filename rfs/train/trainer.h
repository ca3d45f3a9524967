#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rfs/model/predictor.h"
#include "rfs/model/safetensors.h"

namespace rfs {

/// One training run's moving parts, wherever they run. All randomness is a function of the seed and of the number of
/// updates made, so weights, moments and that number are the whole state (state.h).
class Trainer {
 public:
  struct Step {
    double loss = 0, learning_rate = 0, gradient_norm = 0;
    int64_t tokens = 0, targets = 0;
  };
  struct Memory {
    double needed = 0;     ///< bytes, about: weights, gradients, moments, a snapshot, activations of a large batch
    double available = 0;  ///< bytes of the whole device
  };

  virtual ~Trainer() = default;

  virtual int64_t updates() const = 0;
  /// Makes `count` updates; one Step each. Throws Error, naming the step, where loss or gradient is not finite.
  virtual std::vector<Step> advance(int64_t count) = 0;
  /// How many updates to ask for at once so that Ctrl-C is heard soon.
  virtual int64_t poll_interval() const = 0;

  /// Freezes weights, moments and counters now; the returned function gives them on the CPU and may be called once,
  /// from another thread, while training goes on.
  virtual std::function<TensorFile()> snapshot() = 0;
  /// Throws Error where the state is not of this run; `where` names it.
  virtual void restore(const TensorFile& state, const std::string& where) = 0;

  /// The model with the weights of this moment.
  virtual const Predictor& predictor() = 0;
  /// Takes the memory that predictor() needs for batches of so many tokens, where it would take it later.
  virtual void reserve(int64_t /*tokens*/) {}
  virtual Memory memory() const = 0;
  /// Where it runs and how, in a few words.
  virtual std::string device_text() const = 0;
  /// Floating-point operations the device could do in a second; 0 where unknown.
  virtual double peak() const { return 0; }
};

}  // namespace rfs
