// The networks that come with the program: one builder each, one file a family.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "networks/graph.h"

namespace xnorbench {

struct NetworkEntry {
  std::string name;
  std::string description;
  Graph (*build)(std::int64_t batch);
};

std::span<const NetworkEntry> all_networks();

/// Those whose names match a comma-separated list; a name may hold '*'. Throws InputError.
std::vector<const NetworkEntry*> find_networks(const std::string& list);

Graph face_alignment(std::int64_t batch);
Graph face_alignment_real(std::int64_t batch);
Graph human_pose(std::int64_t batch);
Graph xnor_alexnet(std::int64_t batch);
Graph xnor_alexnet_real(std::int64_t batch);
Graph xnor_resnet18(std::int64_t batch);
Graph xnor_resnet18_real(std::int64_t batch);
Graph bireal_resnet18(std::int64_t batch);
Graph binarynet_cifar10(std::int64_t batch);
Graph binarynet_mnist(std::int64_t batch);
Graph yolov3_tiny_xnor(std::int64_t batch);

}  // namespace xnorbench
