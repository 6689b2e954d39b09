// What the module tells cuDNN: descriptors are cuDNN's own, which need no device; the choice of an
// algorithm is made from what the stand-in offers.
#include <gtest/gtest.h>

#include "core/cuda_module.h"
#include "core/error.h"
#include "reference/cuda_cudnn_convolution.h"
#include "tests/simulated/fake_cudnn.h"

namespace xnorbench::cuda {
namespace {

TEST(Cudnn, ComputesTheSameOutputSizes) {
  for (const char* text :
       {"ic3_ih256_oc64_kh7_ph3_sh2", "n4_ic64_ih56_oc128_kh3_ph1",
        "ic48_ih7_iw9_oc3_kh3_kw5_sh2_sw3_ph2_pw1", "ic65_ih6_iw5_oc7_kh1_kw4_pw3",
        "ic32_ih9_oc4_kh3_ph2_dh2", "ic65_ih11_oc3_kh3_ph2_pw3_dh2_dw3", "ic66_ih5_oc9_kh3_ph1_g3",
        "ic33_ih6_oc33_kh3_ph1_g33", "ic1_oc1", "n2_ic256_ih64_oc68"}) {
    const ConvShape shape = parse_problem(text).shape;
    const std::vector<int> expected{
        static_cast<int>(shape.batch), static_cast<int>(shape.out_channels),
        static_cast<int>(shape.out_height()), static_cast<int>(shape.out_width())};
    const ConvolutionDescriptors descriptors(shape);
    std::vector<int> sizes(4);
    EXPECT_EQ(cudnnGetConvolution2dForwardOutputDim(descriptors.convolution(), descriptors.source(),
                                                    descriptors.weights(), &sizes[0], &sizes[1],
                                                    &sizes[2], &sizes[3]),
              CUDNN_STATUS_SUCCESS);
    EXPECT_EQ(sizes, expected) << text;
  }
}

/// Of the stand-in's algorithms one is not supported and one refuses when it runs.
TEST(Cudnn, TakesAnAlgorithmThatRunsAndFitsAndKeepsItForTheShapeAndLimit) {
  CudaDevice& device = cuda_device(cuda_module().device());
  const ConvShape shape = parse_problem("ic12_ih5_oc7_kh3_ph1").shape;
  for (int times = 0; times < 2; ++times) {
    const int before = calls;
    const CudnnConvolution convolution(device, shape, 8192);
    EXPECT_TRUE(convolution.kernel_name().starts_with("IMPLICIT_GEMM:cudnn-"))
        << convolution.kernel_name();
    EXPECT_EQ(convolution.workspace().total(), 4096U);
    EXPECT_EQ(calls > before, times == 0)
        << "a search runs the algorithms, and only the first time";
  }
}

TEST(Cudnn, SaysWhatTheLeastScratchpadIsWhenNoneFits) {
  CudaDevice& device = cuda_device(cuda_module().device());
  try {
    const CudnnConvolution convolution(device, parse_problem("ic12_ih5_oc7_kh3_ph1").shape, 512);
    ADD_FAILURE() << convolution.kernel_name();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("--workspace-limit"), std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("within 512 bytes; the least takes 1024"),
              std::string::npos)
        << error.what();
  }
}

TEST(Cudnn, AShapeWithoutAnExactAlgorithmIsUnsupported) {
  CudaDevice& device = cuda_device(cuda_module().device());
  supports_nothing = true;
  const Support support = cudnn_support(device, parse_problem("ic11_ih5_oc7_kh3_ph1").shape);
  supports_nothing = false;
  EXPECT_EQ(support.status, Support::Status::unsupported);
  EXPECT_FALSE(support.reason.empty());
  EXPECT_TRUE(cudnn_support(device, parse_problem("ic13_ih5_oc7_kh3_ph1").shape));
}

}  // namespace
}  // namespace xnorbench::cuda
