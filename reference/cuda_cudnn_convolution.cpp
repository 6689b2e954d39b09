#include "reference/cuda_cudnn_convolution.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "core/error.h"
#include "kernels/convert.h"
#include "reference/cuda_libraries.h"

namespace xnorbench::cuda {
namespace {

struct NamedAlgorithm {
  cudnnConvolutionFwdAlgo_t algorithm;
  const char* name;
};
constexpr NamedAlgorithm exact_algorithms[] = {
    {CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, "IMPLICIT_GEMM"},
    {CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, "IMPLICIT_PRECOMP_GEMM"},
    {CUDNN_CONVOLUTION_FWD_ALGO_GEMM, "GEMM"},
    {CUDNN_CONVOLUTION_FWD_ALGO_DIRECT, "DIRECT"},
};

bool is_exact(const cudnnConvolutionFwdAlgoPerf_t& found) {
  const bool adds_products = std::any_of(std::begin(exact_algorithms), std::end(exact_algorithms),
                                         [&](const NamedAlgorithm& exact) { return exact.algorithm == found.algo; });
  return adds_products && (found.mathType == CUDNN_FMA_MATH || found.mathType == CUDNN_DEFAULT_MATH);
}

template <typename T, typename Create>
std::unique_ptr<T, cudnnStatus_t (*)(T*)> create(Create create_descriptor, cudnnStatus_t (*destroy)(T*)) {
  T* descriptor = nullptr;
  check(create_descriptor(&descriptor), "descriptor");
  return {descriptor, destroy};
}

/// The scratchpad of an algorithm; none when cuDNN does not support it for this shape.
std::optional<std::size_t> workspace_of(GpuDevice& device, const ConvolutionDescriptors& d,
                                        cudnnConvolutionFwdAlgo_t algorithm) {
  std::size_t bytes = 0;
  const cudnnStatus_t status = cudnnGetConvolutionForwardWorkspaceSize(device.cudnn(), d.source(), d.weights(),
                                                                       d.convolution(), d.sums(), algorithm, &bytes);
  return status == CUDNN_STATUS_SUCCESS ? std::optional(bytes) : std::nullopt;
}

/// The least scratchpad of an exact algorithm; none when cuDNN supports none of them.
std::optional<std::size_t> smallest_workspace(GpuDevice& device, const ConvolutionDescriptors& d) {
  std::optional<std::size_t> smallest;
  for (const NamedAlgorithm& exact : exact_algorithms)
    if (const auto bytes = workspace_of(device, d, exact.algorithm)) smallest = std::min(smallest.value_or(*bytes), *bytes);
  return smallest;
}

/// What a search can use of the limit.
std::size_t largest_workspace(GpuDevice& device, const ConvolutionDescriptors& d, std::size_t limit) {
  std::size_t largest = 0;
  for (const NamedAlgorithm& exact : exact_algorithms)
    if (const auto bytes = workspace_of(device, d, exact.algorithm); bytes && *bytes <= limit)
      largest = std::max(largest, *bytes);
  return largest;
}

std::string text_of(const ConvShape& shape) { return to_text(ConvProblem{.shape = shape}); }

using Choice = std::pair<cudnnConvolutionFwdAlgo_t, std::size_t>;

/// Runs every algorithm that fits once, on buffers that are gone afterwards.
Choice search(GpuDevice& device, const ConvShape& shape, const ConvolutionDescriptors& d, std::size_t limit) {
  Ledger elsewhere(device);
  auto buffer = [&](std::int64_t count) {
    return elsewhere.allocate(Category::workspace_library, static_cast<std::size_t>(count) * sizeof(float),
                              "cuDNN's search of an algorithm");
  };
  const Buffer source = buffer(shape.input_count());
  const Buffer weights = buffer(shape.weight_count());
  const Buffer sums = buffer(shape.output_count());
  const std::size_t bytes = largest_workspace(device, d, limit);
  const Buffer workspace = elsewhere.allocate(Category::workspace_library, bytes, "cuDNN's search of an algorithm");
  std::array<cudnnConvolutionFwdAlgoPerf_t, CUDNN_CONVOLUTION_FWD_ALGO_COUNT> found;
  int count = 0;
  check(cudnnFindConvolutionForwardAlgorithmEx(device.cudnn(), d.source(), source.data(), d.weights(), weights.data(),
                                               d.convolution(), d.sums(), sums.data(), static_cast<int>(found.size()),
                                               &count, found.data(), workspace.data(), bytes),
        "search of an algorithm");
  for (int i = 0; i < count; ++i)  // the fastest first
    if (found[static_cast<std::size_t>(i)].status == CUDNN_STATUS_SUCCESS && is_exact(found[static_cast<std::size_t>(i)]) &&
        found[static_cast<std::size_t>(i)].memory <= limit)
      return {found[static_cast<std::size_t>(i)].algo, found[static_cast<std::size_t>(i)].memory};
  const std::optional<std::size_t> smallest = smallest_workspace(device, d);
  throw InputError(fmt::format("cuDNN has no exact algorithm for {} within {}{}; see --workspace-limit", text_of(shape),
                               format_mib(limit), smallest ? "; the least is " + format_mib(*smallest) : ""));
}

}  // namespace

ConvolutionDescriptors::ConvolutionDescriptors(const ConvShape& s)
    : source_(create<cudnnTensorStruct>(cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor)),
      sums_(create<cudnnTensorStruct>(cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor)),
      weights_(create<cudnnFilterStruct>(cudnnCreateFilterDescriptor, cudnnDestroyFilterDescriptor)),
      convolution_(create<cudnnConvolutionStruct>(cudnnCreateConvolutionDescriptor, cudnnDestroyConvolutionDescriptor)) {
  check(cudnnSetTensor4dDescriptor(source(), CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT, to_int(s.batch), to_int(s.in_channels),
                                   to_int(s.in_height), to_int(s.in_width)),
        "source descriptor");
  check(cudnnSetTensor4dDescriptor(sums(), CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT, to_int(s.batch), to_int(s.out_channels),
                                   to_int(s.out_height()), to_int(s.out_width())),
        "sums descriptor");
  check(cudnnSetFilter4dDescriptor(weights(), CUDNN_DATA_FLOAT, CUDNN_TENSOR_NHWC, to_int(s.out_channels),
                                   to_int(s.group_in_channels()), to_int(s.kernel_height), to_int(s.kernel_width)),
        "weights descriptor");
  check(cudnnSetConvolution2dDescriptor(convolution(), to_int(s.pad_height), to_int(s.pad_width), to_int(s.stride_height),
                                        to_int(s.stride_width), to_int(s.dilation_height), to_int(s.dilation_width),
                                        CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
        "convolution descriptor");
  check(cudnnSetConvolutionGroupCount(convolution(), to_int(s.groups)), "groups");
  // No TF32, which the default would allow.
  check(cudnnSetConvolutionMathType(convolution(), CUDNN_FMA_MATH), "math type");
}

std::vector<int> ConvolutionDescriptors::output_sizes() const {
  std::vector<int> sizes(4);
  check(cudnnGetConvolution2dForwardOutputDim(convolution(), source(), weights(), &sizes[0], &sizes[1], &sizes[2], &sizes[3]),
        "output sizes");
  return sizes;
}

Support cudnn_support(GpuDevice& device, const ConvShape& shape) {
  static std::map<std::string, bool> known;
  const std::string key = text_of(shape);
  if (!known.contains(key)) known[key] = smallest_workspace(device, ConvolutionDescriptors(shape)).has_value();
  if (!known[key]) return Support::unsupported("cuDNN has no exact channels-last algorithm for this shape");
  return {};
}

CudnnConvolution::CudnnConvolution(GpuDevice& device, const ConvShape& shape, std::size_t workspace_limit_bytes)
    : device_(&device), descriptors_(std::make_shared<ConvolutionDescriptors>(shape)) {
  static std::map<std::string, Choice> known;
  const std::string key = fmt::format("{} {}", text_of(shape), workspace_limit_bytes);
  if (!known.contains(key)) known[key] = search(device, shape, *descriptors_, workspace_limit_bytes);
  std::tie(algorithm_, workspace_bytes_) = known[key];
}

std::string CudnnConvolution::kernel_name() const {
  for (const NamedAlgorithm& exact : exact_algorithms)
    if (exact.algorithm == algorithm_) return fmt::format("{}:cudnn-{}", exact.name, cudnn_version());
  return {};
}

void CudnnConvolution::run(const float* source, const float* weights, float* sums, std::byte* workspace) const {
  const ConvolutionDescriptors& d = *descriptors_;
  const float one = 1.0F, zero = 0.0F;
  check(cudnnConvolutionForward(device_->cudnn(), &one, d.source(), source, d.weights(), weights, d.convolution(),
                                algorithm_, workspace, workspace_bytes_, &zero, d.sums(), sums),
        "convolution");
}

}  // namespace xnorbench::cuda
