// Small random graphs that mix everything the compiler may fuse, for comparing the fused executor
// with the reference executor. The same seed gives the same graph everywhere.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "core/random.h"
#include "networks/graph.h"

namespace xnorbench {

/// Draws a graph node by node, each reading any tensors that exist and fit, so that tensors are
/// also read where no designed network reads them. Nodes that do not lead to the output are left
/// out in the end.
class RandomGraph {
 public:
  explicit RandomGraph(std::uint64_t seed)
      : random_(seed), rules_(draw_rules()), draft_("draft", rules_) {
    for (std::int64_t& channels : palette_) channels = any<std::int64_t>({1, 3, 33, 48, 64, 65});
    draft_.input({1 + random_.below(3), 3 + random_.below(6), 3 + random_.below(6), palette_[0]});
    const std::int64_t motifs = 2 + random_.below(5);
    for (std::int64_t i = 0; i < motifs; ++i) add_motif();
    if (draft_.nodes().size() == 1) binary_layer(0, palette_[1]);
  }

  Graph build(const std::string& name) const {
    std::vector<bool> needed(draft_.nodes().size(), false);
    needed.back() = needed.front() = true;
    for (NodeId id = needed.size(); id-- > 0;)
      for (NodeId input : draft_.node(id).inputs) needed[input] = needed[input] || needed[id];
    Graph graph(name, rules_);
    std::vector<NodeId> ids(needed.size());
    for (NodeId id = 0; id < needed.size(); ++id)
      if (needed[id]) ids[id] = copy(graph, draft_.node(id), ids);
    return graph;
  }

 private:
  static NodeId copy(Graph& graph, const Node& node, const std::vector<NodeId>& ids) {
    const ConvShape& shape = node.problem.shape;
    const Window window{shape.kernel_height, shape.stride_height, shape.pad_height};
    std::vector<NodeId> inputs;
    for (NodeId input : node.inputs) inputs.push_back(ids[input]);
    switch (node.kind) {
      case NodeKind::input: return graph.input(node.shape);
      case NodeKind::convolution:
        return node.sign_weights
                   ? graph.sign_weight_convolution(node.name, inputs[0], shape.out_channels, window)
                   : graph.convolution(node.name, inputs[0], shape.out_channels, window);
      case NodeKind::binary_convolution:
        return graph.binary_convolution(node.name, inputs[0], shape.out_channels, window);
      case NodeKind::batch_norm: return graph.batch_norm(node.name, inputs[0]);
      case NodeKind::relu: return graph.relu(node.name, inputs[0], node.slope);
      case NodeKind::max_pool: return graph.max_pool(node.name, inputs[0], node.pool);
      case NodeKind::average_pool: return graph.average_pool(node.name, inputs[0], node.pool.size);
      case NodeKind::upsample: return graph.upsample(node.name, inputs[0]);
      case NodeKind::concat: return graph.concat(node.name, inputs);
      case NodeKind::add: return graph.add(node.name, inputs[0], inputs[1]);
    }
    return 0;
  }

  template <typename T>
  T any(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(
        random_.below(static_cast<std::int64_t>(choices.size())))];
  }
  BinaryRules draw_rules() {
    return {any<PadValue>({PadValue::minus_one, PadValue::zero, PadValue::plus_one}),
            any<ZeroRule>({ZeroRule::plus, ZeroRule::minus})};
  }
  std::string name() { return "layer" + std::to_string(draft_.nodes().size()); }
  std::int64_t any_channels() {
    return palette_[static_cast<std::size_t>(random_.below(std::ssize(palette_)))];
  }

  /// Any tensor, most often one of the last.
  NodeId any_node() {
    const auto count = static_cast<std::int64_t>(draft_.nodes().size());
    const std::int64_t among = random_.one_in(3) ? count : std::min<std::int64_t>(count, 3);
    return static_cast<NodeId>(count - 1 - random_.below(among));
  }
  /// A tensor of the same height and width (and channels) as `like`; may be `like` itself.
  NodeId any_like(NodeId like, bool same_channels) {
    const TensorShape& shape = draft_.node(like).shape;
    std::vector<NodeId> fitting;
    for (NodeId id = 0; id < draft_.nodes().size(); ++id) {
      const TensorShape& other = draft_.node(id).shape;
      if (other.height == shape.height && other.width == shape.width &&
          (!same_channels || other.channels == shape.channels))
        fitting.push_back(id);
    }
    return any(fitting);
  }

  NodeId binary_layer(NodeId x, std::int64_t out_channels) {
    return binary_layer(x, out_channels, same_size_window());
  }
  NodeId binary_layer(NodeId x, std::int64_t out_channels, const Window& window) {
    // Now and then without the batch norm: the sign of sums, of a pool, of the input.
    if (!random_.one_in(5)) x = draft_.batch_norm(name(), x);
    return draft_.binary_convolution(name(), x, out_channels, window);
  }
  NodeId layer(NodeId x, std::int64_t out_channels) {
    if (!random_.one_in(4)) return binary_layer(x, out_channels);
    return draft_.convolution(name(), x, out_channels, same_size_window());
  }
  Window same_size_window() {
    return any<Window>({{1, 1, 0}, {3, 1, 1}, {3, 1, 1}, {1, 1, 0}, {5, 1, 2}});
  }

  void pool(NodeId x) {
    const TensorShape& shape = draft_.node(x).shape;
    const std::int64_t size =
        1 + random_.below(std::min<std::int64_t>({3, shape.height, shape.width}));
    if (random_.one_in(2)) {
      draft_.average_pool(name(), x, size);
    } else {
      draft_.max_pool(name(), x,
                      {size, 1 + random_.below(2), random_.below(size), random_.below(size)});
    }
  }

  void add_motif() {
    const NodeId x = any_node();
    switch (random_.below(14)) {
      case 12: pool(x); return;
      case 13:
        binary_layer(draft_.relu(name(), draft_.batch_norm(name(), x), 0.1F), any_channels());
        return;
      case 0:
      case 1:
      case 2:
      case 3: return block(x);
      case 4: return hourglass(x);
      case 5: return one_norm_read_by_many(x);
      case 6: layer(layer(x, any_channels()), any_channels()); return;
      case 7: draft_.relu(name(), random_.one_in(4) ? x : draft_.batch_norm(name(), x)); return;
      case 8: smaller(x); return;
      case 9: join(x); return;
      case 10: draft_.add(name(), x, any_like(x, true)); return;
      default: real_stem(x); return;
    }
  }

  /// The block of the hourglass with everything varied: how many parts, which are real or come from
  /// elsewhere, which are read twice, the shortcut before or after them, on which side, and of what
  /// kind.
  void block(NodeId x) {
    const auto count = static_cast<std::size_t>(1 + random_.below(4));
    std::vector<std::int64_t> channels(count);
    for (std::int64_t& c : channels) c = any_channels();
    std::int64_t sum = 0;
    for (std::int64_t c : channels) sum += c;
    const bool late_shortcut = random_.one_in(4);
    NodeId shortcut = late_shortcut ? x : make_shortcut(x, sum);
    std::vector<NodeId> parts;
    NodeId part = x;
    for (std::int64_t c : channels) {
      part = random_.one_in(12) ? draft_.batch_norm(name(), layer(part, c))
                                : layer(random_.one_in(3) ? x : part, c);
      parts.push_back(part);
    }
    const NodeId concat = draft_.concat(name(), parts);
    if (random_.one_in(5)) return;
    if (late_shortcut) shortcut = make_shortcut(x, sum);
    if (random_.one_in(12)) shortcut = concat;
    random_.one_in(3) ? draft_.add(name(), shortcut, concat) : draft_.add(name(), concat, shortcut);
    if (random_.one_in(6))
      draft_.add(name(), draft_.output(), shortcut);  // the shortcut is still alive
    if (random_.one_in(6)) draft_.add(name(), draft_.output(), concat);
    if (random_.one_in(4))
      draft_.concat(name(), {draft_.output(), any(parts)});  // and so is a part
  }

  NodeId make_shortcut(NodeId x, std::int64_t channels) {
    const TensorShape& shape = draft_.node(x).shape;
    if (shape.channels == channels && !random_.one_in(4)) return x;
    if (random_.one_in(6) && shape.height % 2 == 0 && shape.width % 2 == 0)
      return draft_.upsample(
          name(), draft_.binary_convolution(name(), draft_.average_pool(name(), x), channels, {}));
    return random_.one_in(4) ? draft_.convolution(name(), x, channels, {})
                             : binary_layer(x, channels, {});
  }

  /// Pool, work, upsample; added to work at full size, on either side, or both sides upsampled.
  void hourglass(NodeId x) {
    const TensorShape shape = draft_.node(x).shape;
    if (shape.height < 2 || shape.width < 2) return;
    const std::int64_t channels = any_channels();
    const NodeId low = layer(draft_.average_pool(name(), x), channels);
    const bool even = shape.height % 2 == 0 && shape.width % 2 == 0;
    const NodeId large = draft_.upsample(name(), low);
    const std::int64_t way = random_.below(even ? 4 : 2);
    if (way == 0) {
      draft_.add(name(), large,
                 draft_.upsample(name(), random_.one_in(2) ? low : layer(low, channels)));
    } else if (way == 1) {
      draft_.add(name(), large, random_.one_in(3) ? large : layer(large, channels));
    } else {
      const NodeId up = layer(x, channels);
      way == 2 ? draft_.add(name(), up, large) : draft_.add(name(), large, up);
    }
    if (random_.one_in(6))
      draft_.add(name(), draft_.output(), large);  // the upsampled tensor is read again
    if (random_.one_in(6)) draft_.concat(name(), {draft_.output(), large});
  }

  void one_norm_read_by_many(NodeId x) {
    const NodeId from = random_.one_in(2) ? x : binary_layer(x, any_channels());
    const NodeId norm = draft_.batch_norm(name(), from);
    const NodeId first = draft_.binary_convolution(name(), norm, any_channels(), {1, 1, 0});
    const std::int64_t channels = draft_.node(first).shape.channels;
    switch (random_.below(4)) {
      case 0:
        draft_.add(name(), first, draft_.binary_convolution(name(), norm, channels, {3, 1, 1}));
        break;
      case 1: draft_.concat(name(), {draft_.relu(name(), norm), first}); break;
      case 2: draft_.add(name(), norm, from); break;
      default:  // a second batch norm of the same sums
        draft_.add(name(), first,
                   draft_.binary_convolution(name(), draft_.batch_norm(name(), from), channels,
                                             {3, 1, 1}));
    }
  }

  void smaller(NodeId x) {
    const TensorShape& shape = draft_.node(x).shape;
    if (random_.one_in(2)) {
      if (shape.height >= 2 && shape.width >= 2) draft_.average_pool(name(), x);
    } else if (random_.one_in(3)) {
      draft_.convolution(name(), x, any_channels(), {3, 2, 1});
    } else {
      binary_layer(x, any_channels(), {3, 2, 1});
    }
  }

  void join(NodeId x) {
    std::vector<NodeId> parts{x};
    while (parts.size() < 4 && !random_.one_in(3)) parts.push_back(any_like(x, false));
    draft_.concat(name(), parts);
    if (random_.one_in(2)) layer(draft_.output(), any_channels());
  }

  void real_stem(NodeId x) {
    const NodeId stem = draft_.convolution(name(), x, any_channels(), same_size_window());
    draft_.relu(name(), draft_.batch_norm(name(), stem));
  }

  Random random_;
  BinaryRules rules_;
  Graph draft_;
  std::array<std::int64_t, 3> palette_{};
};

}  // namespace xnorbench
