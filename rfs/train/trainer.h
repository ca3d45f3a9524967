#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rfs/model/predictor.h"
#include "rfs/model/safetensors.h"
#include "rfs/model/store.h"

namespace rfs {

/// The moving parts of one training run, on any device. All randomness is a function of the seed and the number of
/// updates made. So the weights, the optimizer state and that number are the whole state (state.h).
class Trainer {
 public:
  struct Step {
    double loss = 0, learning_rate = 0, gradient_norm = 0;
    int64_t tokens = 0, targets = 0;
  };
  struct Memory {
    double needed = 0;       ///< bytes (estimate): weights, gradients, moments, activations of a large batch
    double available = 0;    ///< bytes of the whole device
    std::string parts = {};  ///< how much is what, as text; empty if unknown
  };

  virtual ~Trainer() = default;

  virtual int64_t updates() const = 0;
  /// Makes `count` updates and returns one Step for each. Throws an Error that names the step if the loss or gradient
  /// is not finite.
  virtual std::vector<Step> advance(int64_t count) = 0;
  /// How many updates to request at once, so that Ctrl-C takes effect soon.
  virtual int64_t poll_interval() const = 0;

  /// Freezes weights, moments and counters now. The returned function copies them to the CPU. Call it at most once; it
  /// may run in another thread while training continues.
  virtual std::function<TensorFile()> snapshot() = 0;
  /// Throws Error if the state does not belong to this run. `where` names it.
  virtual void restore(const TensorFile& state, const std::string& where) = 0;

  /// Puts the weights of a snapshot into `decoder`, a model like the trained one. `where` names the snapshot.
  virtual void put_weights(Decoder& decoder, const TensorFile& state, const std::string& where) {
    set_weights(decoder, state, where);
  }

  /// The model with the current weights.
  virtual const Predictor& predictor() = 0;
  /// Allocates the memory that predictor() needs for batches of `tokens` tokens now instead of later.
  virtual void reserve(int64_t /*tokens*/) {}
  virtual Memory memory() const = 0;
  /// Device and precision in a few words.
  virtual std::string device_text() const = 0;
  /// Peak floating-point operations per second of the device; 0 if unknown.
  virtual double peak() const { return 0; }
};

}  // namespace rfs
