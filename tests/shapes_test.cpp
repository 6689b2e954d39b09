// The shape files that come with the program, and lists of shapes.
#include "bench/cases/shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "bench/cases/gemm_problem.h"
#include "core/error.h"
#include "networks/models/network_list.h"

namespace xnorbench {
namespace {

std::vector<std::string> texts_of(const std::vector<ConvProblem>& problems) {
  std::vector<std::string> texts;
  for (const ConvProblem& problem : problems) texts.push_back(to_text(problem));
  return texts;
}

/// In the order of their first use, each once.
std::vector<ConvProblem> binary_layers(const std::string& network) {
  std::vector<ConvProblem> problems;
  const Graph graph = find_networks(network).front()->build(1);
  for (const Node& node : graph.nodes())
    if (node.kind == NodeKind::binary_convolution &&
        std::find(problems.begin(), problems.end(), node.problem) == problems.end())
      problems.push_back(node.problem);
  return problems;
}

TEST(ShapeFiles, AreTheBinaryLayersOfTheNetworks) {
  const struct {
    const char *file, *network;
  } pairs[] = {{"hourglass", "face_alignment"},
               {"hourglass", "human_pose"},
               {"resnet18", "xnor_resnet18"},
               {"alexnet", "xnor_alexnet"},
               {"yolo_tiny", "yolov3_tiny_xnor"}};
  for (const auto& [file, network] : pairs)
    EXPECT_EQ(texts_of(load_problems(file)), texts_of(binary_layers(network))) << file;
}

TEST(ShapeFiles, SayWhatTheyAreAndHoldEachShapeOnce) {
  const std::vector<ShapeFile> files = all_shape_files();
  EXPECT_GE(files.size(), 7U);
  for (const ShapeFile& file : files) {
    EXPECT_FALSE(file.description.empty()) << file.name;
    EXPECT_THROW(parse_problem(file.name), InputError) << "a shape would be taken for the file";
    EXPECT_THROW(parse_gemm(file.name), InputError) << "a shape would be taken for the file";
    const bool is_gemm = file.name == "gemm";
    const std::vector<std::string> texts =
        texts_of(load_problems(file.name, is_gemm ? gemm_shapes : conv_shapes));
    EXPECT_EQ(std::set<std::string>(texts.begin(), texts.end()).size(), texts.size()) << file.name;
  }
}

TEST(ShapeFiles, HaveTheLayersOfVgg16) {
  // Pooling halves the pixels between stages; channels double up to 512.
  std::vector<std::string> expected = {"ic64_ih224_oc64_kh3_ph1"};
  for (const auto& [channels, pixels] : {std::pair{128, 112}, {256, 56}, {512, 28}})
    for (int in_channels : {channels / 2, channels})
      expected.push_back("ic" + std::to_string(in_channels) + "_ih" + std::to_string(pixels) +
                         "_oc" + std::to_string(channels) + "_kh3_ph1");
  expected.push_back("ic512_ih14_oc512_kh3_ph1");
  EXPECT_EQ(texts_of(load_problems("vgg16")), expected);
}

TEST(Shapes, OfAListAreInItsOrder) {
  EXPECT_EQ(texts_of(load_problems("ic3_oc2, ic64_oc2 ,ic4_oc2")),
            (std::vector<std::string>{"ic3_oc2", "ic64_oc2", "ic4_oc2"}));
  std::vector<std::string> expected = texts_of(load_problems("alexnet"));
  expected.insert(expected.begin(), "ic3_oc2");
  EXPECT_EQ(texts_of(load_problems("ic3_oc2,alexnet")), expected);
  EXPECT_EQ(texts_of(load_problems("zerominus_ic3")), (std::vector<std::string>{"ic3_zerominus"}));
}

TEST(Shapes, OfNoNameListTheKnownNames) {
  for (const char* name : {"resnet19", "vgg", "ic", "x"}) try {
      load_problems(name);
      ADD_FAILURE() << name;
    } catch (const InputError& error) {
      const std::string message = error.what();
      for (const std::string& part : {"'" + std::string(name) + "'", std::string("resnet18"),
                                      std::string("vgg16"), std::string("data/shapes")})
        EXPECT_NE(message.find(part), std::string::npos) << message;
    }
}

}  // namespace
}  // namespace xnorbench
