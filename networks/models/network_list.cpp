#include "networks/models/network_list.h"

#include <array>

#include "core/names.h"

namespace xnorbench {

std::span<const NetworkEntry> all_networks() {
  static const std::array list{
      NetworkEntry{"face_alignment",
                   "binary hourglass, 68 heatmaps from a 256x256 image (arXiv 1703.00862)",
                   face_alignment},
      NetworkEntry{"face_alignment_real",
                   "its real-valued twin: relu for sign, real weights, zero padding",
                   face_alignment_real},
      NetworkEntry{"human_pose", "the same hourglass with 16 heatmaps", human_pose},
      NetworkEntry{"xnor_alexnet", "AlexNet of XNOR-Net, 227x227 (arXiv 1603.05279)", xnor_alexnet},
      NetworkEntry{"xnor_alexnet_real", "its real-valued twin", xnor_alexnet_real},
      NetworkEntry{"xnor_resnet18", "ResNet-18 of XNOR-Net, 224x224 (arXiv 1603.05279)",
                   xnor_resnet18},
      NetworkEntry{"xnor_resnet18_real", "its real-valued twin", xnor_resnet18_real},
      NetworkEntry{"bireal_resnet18",
                   "Bi-Real Net 18, a shortcut around every convolution (arXiv 1808.00278)",
                   bireal_resnet18},
      NetworkEntry{"binarynet_cifar10",
                   "BinaryNet's convolutional network for 32x32 (arXiv 1602.02830)",
                   binarynet_cifar10},
      NetworkEntry{"binarynet_mnist",
                   "BinaryNet's perceptron, 784 - 3 x 4096 - 10 (arXiv 1602.02830)",
                   binarynet_mnist},
      NetworkEntry{"yolov3_tiny_xnor", "darknet's YOLOv3-tiny with binary convolutions, 416x416",
                   yolov3_tiny_xnor},
  };
  return list;
}

std::vector<const NetworkEntry*> find_networks(const std::string& list) {
  std::vector<std::string> known;
  for (const NetworkEntry& entry : all_networks()) known.push_back(entry.name);
  std::vector<const NetworkEntry*> found;
  for (std::size_t index : select_names("network", list, known))
    found.push_back(&all_networks()[index]);
  return found;
}

}  // namespace xnorbench
