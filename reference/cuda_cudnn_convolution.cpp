#include "reference/cuda_cudnn_convolution.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "core/error.h"
#include "kernels/convert.h"
#include "kernels/cuda_libraries.h"

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
};

template <typename T, typename Create>
std::unique_ptr<T, cudnnStatus_t (*)(T*)> create(Create create_descriptor,
                                                 cudnnStatus_t (*destroy)(T*)) {
  T* descriptor = nullptr;
  check(create_descriptor(&descriptor), "descriptor");
  return {descriptor, destroy};
}

/// The scratchpad of an algorithm; none when cuDNN does not support it for this shape.
std::optional<std::size_t> workspace_of(CudaDevice& device, const ConvolutionDescriptors& d,
                                        cudnnConvolutionFwdAlgo_t algorithm) {
  std::size_t bytes = 0;
  const cudnnStatus_t status = cudnnGetConvolutionForwardWorkspaceSize(
      device.cudnn(), d.source(), d.weights(), d.convolution(), d.sums(), algorithm, &bytes);
  return status == CUDNN_STATUS_SUCCESS ? std::optional(bytes) : std::nullopt;
}

/// The least scratchpad of an exact algorithm; none when cuDNN supports none of them.
std::optional<std::size_t> smallest_workspace(CudaDevice& device, const ConvolutionDescriptors& d) {
  std::optional<std::size_t> smallest;
  for (const NamedAlgorithm& exact : exact_algorithms)
    if (const auto bytes = workspace_of(device, d, exact.algorithm))
      smallest = std::min(smallest.value_or(*bytes), *bytes);
  return smallest;
}

cudnnStatus_t forward(CudaDevice& device, const ConvolutionDescriptors& d,
                      const CudnnConvolution::Algorithm& chosen, const float* source,
                      const float* weights, float* sums, std::byte* workspace) {
  const float one = 1.0F, zero = 0.0F;
  return cudnnConvolutionForward(device.cudnn(), &one, d.source(), source, d.weights(), weights,
                                 d.convolution(), chosen.algorithm, workspace,
                                 chosen.workspace_bytes, &zero, d.sums(), sums);
}

std::string text_of(const ConvShape& shape) { return to_text(ConvProblem{.shape = shape}); }

/// Times every exact algorithm as it will run. cuDNN's own search would also try, and report,
/// reduced precision.
CudnnConvolution::Algorithm search(CudaDevice& device, const ConvShape& shape,
                                   const ConvolutionDescriptors& d, std::size_t limit) {
  constexpr int calls = 3;
  Ledger elsewhere(device);  // gone afterwards
  auto buffer = [&elsewhere](std::int64_t count) {
    return elsewhere.allocate(Category::workspace_library,
                              static_cast<std::size_t>(count) * sizeof(float),
                              "cuDNN's search of an algorithm");
  };
  const Buffer source = buffer(shape.input_count());
  const Buffer weights = buffer(shape.weight_count());
  const Buffer sums = buffer(shape.output_count());
  std::optional<CudnnConvolution::Algorithm> fastest;
  double fastest_ns = 0;
  for (const NamedAlgorithm& exact : exact_algorithms) {
    const std::optional<std::size_t> bytes = workspace_of(device, d, exact.algorithm);
    if (!bytes || *bytes > limit) continue;
    const CudnnConvolution::Algorithm candidate{exact.algorithm, *bytes};
    const Buffer workspace =
        elsewhere.allocate(Category::workspace_library, *bytes, "cuDNN's search of an algorithm");
    auto run = [&] {
      return forward(device, d, candidate, source.as<float>(), weights.as<float>(),
                     sums.as<float>(), workspace.data());
    };
    if (run() != CUDNN_STATUS_SUCCESS) continue;  // some are refused only now; also the warm-up
    const double ns = device.time_ns([&] {
      for (int call = 0; call < calls; ++call) check(run(), "search of an algorithm");
    });
    if (!fastest || ns < fastest_ns) {
      fastest = candidate;
      fastest_ns = ns;
    }
  }
  if (fastest) return *fastest;
  const std::optional<std::size_t> smallest = smallest_workspace(device, d);
  throw InputError(fmt::format(
      "cuDNN has no exact algorithm for {} within {} bytes{}; see --workspace-limit",
      text_of(shape), limit, smallest ? fmt::format("; the least takes {}", *smallest) : ""));
}

}  // namespace

ConvolutionDescriptors::ConvolutionDescriptors(const ConvShape& s)
    : source_(create<cudnnTensorStruct>(cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor)),
      sums_(create<cudnnTensorStruct>(cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor)),
      weights_(
          create<cudnnFilterStruct>(cudnnCreateFilterDescriptor, cudnnDestroyFilterDescriptor)),
      convolution_(create<cudnnConvolutionStruct>(cudnnCreateConvolutionDescriptor,
                                                  cudnnDestroyConvolutionDescriptor)) {
  check(cudnnSetTensor4dDescriptor(source(), CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT, to_int(s.batch),
                                   to_int(s.in_channels), to_int(s.in_height), to_int(s.in_width)),
        "source descriptor");
  check(cudnnSetTensor4dDescriptor(sums(), CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT, to_int(s.batch),
                                   to_int(s.out_channels), to_int(s.out_height()),
                                   to_int(s.out_width())),
        "sums descriptor");
  check(cudnnSetFilter4dDescriptor(weights(), CUDNN_DATA_FLOAT, CUDNN_TENSOR_NHWC,
                                   to_int(s.out_channels), to_int(s.group_in_channels()),
                                   to_int(s.kernel_height), to_int(s.kernel_width)),
        "weights descriptor");
  check(cudnnSetConvolution2dDescriptor(convolution(), to_int(s.pad_height), to_int(s.pad_width),
                                        to_int(s.stride_height), to_int(s.stride_width),
                                        to_int(s.dilation_height), to_int(s.dilation_width),
                                        CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
        "convolution descriptor");
  check(cudnnSetConvolutionGroupCount(convolution(), to_int(s.groups)), "groups");
  // No TF32, which the default would allow.
  check(cudnnSetConvolutionMathType(convolution(), CUDNN_FMA_MATH), "math type");
}

Support cudnn_support(CudaDevice& device, const ConvShape& shape) {
  static std::map<std::string, bool> known;
  const std::string key = text_of(shape);
  if (!known.contains(key))
    known[key] = smallest_workspace(device, ConvolutionDescriptors(shape)).has_value();
  if (!known[key])
    return Support::unsupported("cuDNN has no exact channels-last algorithm for this shape");
  return {};
}

CudnnConvolution::CudnnConvolution(CudaDevice& device, const ConvShape& shape,
                                   std::size_t workspace_limit_bytes)
    : device_(&device), descriptors_(std::make_shared<ConvolutionDescriptors>(shape)) {
  static std::map<std::string, Algorithm> known;
  const std::string key = fmt::format("{} {}", text_of(shape), workspace_limit_bytes);
  if (!known.contains(key))
    known[key] = search(device, shape, *descriptors_, workspace_limit_bytes);
  algorithm_ = known[key];
}

std::string CudnnConvolution::kernel_name() const {
  for (const NamedAlgorithm& exact : exact_algorithms)
    if (exact.algorithm == algorithm_.algorithm)
      return fmt::format("{}:cudnn-{}", exact.name, cudnn_version());
  return {};
}

void CudnnConvolution::run(const float* source, const float* weights, float* sums,
                           std::byte* workspace) const {
  check(forward(*device_, *descriptors_, algorithm_, source, weights, sums, workspace),
        "convolution");
}

}  // namespace xnorbench::cuda
