#include "networks/torch7/torch7_object.h"

namespace xnorbench {
namespace {

constexpr std::int64_t int_bytes = 4, long_bytes = 8, double_bytes = 8, element_bytes = 4;
constexpr std::int64_t type_bytes = int_bytes, nil_bytes = type_bytes;
constexpr std::int64_t number_bytes = type_bytes + double_bytes;  // all numbers of Lua are doubles
constexpr std::int64_t table_bytes =
    type_bytes + int_bytes + int_bytes;  // type, index, number of pairs

std::int64_t text_bytes(const std::string& text) {
  return int_bytes + static_cast<std::int64_t>(text.size());
}

std::int64_t string_bytes(const std::string& text) { return type_bytes + text_bytes(text); }

/// Type, index, version and class name of an object. Every version that is written has one digit.
std::int64_t header_bytes(const std::string& class_name) {
  return type_bytes + int_bytes + text_bytes("V 1") + text_bytes(class_name);
}

std::int64_t storage_bytes(const std::string& element, std::int64_t count,
                           std::int64_t bytes_each) {
  return header_bytes("torch." + element + "Storage") + long_bytes + count * bytes_each;
}

std::int64_t tensor_bytes(const std::string& element, std::initializer_list<std::int64_t> sizes) {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count *= size;
  const std::int64_t sizes_and_strides = 2 * long_bytes * static_cast<std::int64_t>(sizes.size());
  const std::int64_t storage =
      sizes.size() == 0 ? nil_bytes : storage_bytes(element, count, element_bytes);
  const std::int64_t offset = long_bytes;
  return header_bytes("torch." + element + "Tensor") + int_bytes + sizes_and_strides + offset +
         storage;
}

}  // namespace

Torch7Object::Torch7Object(const std::string& class_name, const std::string& element)
    : element_(element), bytes_(header_bytes(class_name) + table_bytes) {}

Torch7Object& Torch7Object::field(const std::string& name, std::int64_t value_bytes) {
  bytes_ += string_bytes(name) + value_bytes;
  return *this;
}

Torch7Object& Torch7Object::number(const std::string& name) { return field(name, number_bytes); }

Torch7Object& Torch7Object::numbers(std::initializer_list<const char*> names) {
  for (const char* name : names) number(name);
  return *this;
}

Torch7Object& Torch7Object::boolean(const std::string& name) {
  return field(name, type_bytes + int_bytes);
}

Torch7Object& Torch7Object::string(const std::string& name, const std::string& value) {
  return field(name, string_bytes(value));
}

Torch7Object& Torch7Object::empty_table(const std::string& name) {
  return field(name, table_bytes);
}

Torch7Object& Torch7Object::list(const std::string& name, std::int64_t count,
                                 std::int64_t value_bytes) {
  return field(name, table_bytes + count * number_bytes + value_bytes);
}

Torch7Object& Torch7Object::long_storage(const std::string& name, std::int64_t count) {
  return field(name, storage_bytes("Long", count, long_bytes));
}

Torch7Object& Torch7Object::tensor(const std::string& name,
                                   std::initializer_list<std::int64_t> sizes) {
  return tensor_of(element_, name, sizes);
}

Torch7Object& Torch7Object::tensor_of(const std::string& element, const std::string& name,
                                      std::initializer_list<std::int64_t> sizes) {
  return field(name, tensor_bytes(element, sizes));
}

}  // namespace xnorbench
