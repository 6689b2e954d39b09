// How many bytes Torch7's torch.save() writes for a value, in binary on a 64-bit machine. Every
// value begins with its type (an int). In tables, tensors, storages and modules an index (an int)
// follows, so that they can be referred to. References are not modelled: no two tensors share a
// storage. The layout was read from files of torch7 814ea4a.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

namespace xnorbench {

/// A table of fields with string keys, as an object of a class of nn writes it. Methods add a field
/// and return the object.
class Torch7Object {
 public:
  /// `element` names its float tensors: "Float" stands for torch.FloatTensor and
  /// torch.FloatStorage, "Cuda" for torch.CudaTensor and torch.CudaStorage.
  Torch7Object(const std::string& class_name, const std::string& element);

  Torch7Object& number(const std::string& name);
  Torch7Object& numbers(std::initializer_list<const char*> names);
  Torch7Object& boolean(const std::string& name);
  Torch7Object& string(const std::string& name, const std::string& value);
  Torch7Object& empty_table(const std::string& name);
  /// A table with keys 1, 2, ... of `count` values that have `value_bytes` together.
  Torch7Object& list(const std::string& name, std::int64_t count, std::int64_t value_bytes);
  Torch7Object& long_storage(const std::string& name, std::int64_t count);
  /// With a storage of its own; `sizes` {} is the empty tensor without one. Elements of 4 bytes.
  Torch7Object& tensor(const std::string& name, std::initializer_list<std::int64_t> sizes);
  /// The same of another type: "Int", "CudaInt".
  Torch7Object& tensor_of(const std::string& element, const std::string& name,
                          std::initializer_list<std::int64_t> sizes);

  std::int64_t bytes() const { return bytes_; }

 private:
  Torch7Object& field(const std::string& name, std::int64_t value_bytes);

  std::string element_;
  std::int64_t bytes_;
};

}  // namespace xnorbench
