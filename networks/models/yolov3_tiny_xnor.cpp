// YOLOv3-tiny with binary convolutions, as in darknet's yolov3-tiny_xnor configuration. 3x416x416
// in. Batch norm and leaky relu after each convolution; the leaky relu keeps signs, so it is left
// out where only binary layers read. The two detection tensors leave as one: the coarse one
// upsampled beside the fine one.
#include "networks/models/network_list.h"

namespace xnorbench {
namespace {

constexpr float leaky_slope = 0.1F;
constexpr std::int64_t detections = 255;  // 3 boxes x (4 sides + objectness + 80 classes)
constexpr PoolWindow halve{2, 2, 0, 0};
constexpr PoolWindow keep_size{2, 1, 0, 1};  // darknet pads a stride-1 pool at the far end only

NodeId leaky(Graph& graph, const std::string& name, NodeId x) {
  return graph.relu(name + ".leaky", x, leaky_slope);
}

NodeId binary(Graph& graph, const std::string& name, NodeId x, std::int64_t out_channels,
              const Window& window) {
  return graph.batch_norm(name + ".bn", graph.binary_convolution(name, x, out_channels, window));
}

}  // namespace

Graph yolov3_tiny_xnor(std::int64_t batch) {
  constexpr Window square{3, 1, 1};
  constexpr Window point{1, 1, 0};
  Graph graph("yolov3_tiny_xnor", {PadValue::zero, ZeroRule::minus});
  NodeId x = graph.input({batch, 416, 416, 3});
  x = graph.batch_norm("conv1.bn", graph.convolution("conv1", x, 16, square));
  x = graph.max_pool("pool1", leaky(graph, "conv1", x), halve);
  x = graph.max_pool("pool2", binary(graph, "conv2", x, 32, square), halve);
  x = graph.max_pool("pool3", binary(graph, "conv3", x, 64, square), halve);
  x = graph.max_pool("pool4", binary(graph, "conv4", x, 128, square), halve);
  const NodeId kept = binary(graph, "conv5", x, 256, square);
  x = graph.max_pool("pool5", kept, halve);
  x = graph.max_pool("pool6", binary(graph, "conv6", x, 512, square), keep_size);
  x = binary(graph, "conv7", x, 1024, square);
  const NodeId route = binary(graph, "conv8", x, 256, point);

  x = graph.batch_norm("coarse1.bn",
                       graph.convolution("coarse1", leaky(graph, "conv8", route), 512, square));
  const NodeId coarse = graph.convolution("coarse2", leaky(graph, "coarse1", x), detections, point);

  x = graph.upsample("branch.upsample", binary(graph, "branch", route, 128, point));
  x = binary(graph, "fine1", graph.concat("branch.concat", {x, kept}), 256, square);
  const NodeId fine = graph.convolution("fine2", leaky(graph, "fine1", x), detections, point);
  graph.concat("detections", {graph.upsample("coarse2.upsample", coarse), fine});
  return graph;
}

}  // namespace xnorbench
