#include "networks/torch7/torch7_file.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "networks/torch7/torch7_modules.h"

namespace xnorbench {
namespace {

/// The modules on the way from one node to another.
struct Chain {
  Torch7Modules modules;
  bool ends_in_table = false;  ///< the end of a fork around it reads a table of tensors
  bool is_sequential = false;  ///< one module, and that one an nn.Sequential
};

[[noreturn]] void throw_not_nested(const Graph& graph, NodeId id) {
  throw InputError(
      "network " + graph.name() + ", node " + graph.node(id).name +
      ": its forks and their ends are not nested, so that no containers of Torch7 hold it");
}

/// For every node its immediate post-dominator: the first node that every way from it to the output
/// passes.
class PostDominators {
 public:
  PostDominators(const Graph& graph, const std::vector<std::vector<NodeId>>& readers)
      : next_(graph.nodes().size(), graph.output()) {
    for (NodeId id = graph.output(); id-- > 0;) {
      if (readers[id].empty()) throw_not_nested(graph, id);
      next_[id] = of(readers[id]);
    }
  }

  /// The first that every way from each of these nodes passes; may be one of them.
  NodeId of(const std::vector<NodeId>& nodes) const {
    NodeId meeting = nodes.front();
    // Later nodes have higher numbers: of two, the lower one moves on.
    for (NodeId node : nodes)
      while (meeting != node) (meeting < node ? meeting : node) = next_[std::min(meeting, node)];
    return meeting;
  }

  /// The last before `end` on every way from `node` to there.
  NodeId last_before(NodeId end, NodeId node) const {
    while (next_[node] != end) node = next_[node];
    return node;
  }

 private:
  std::vector<NodeId> next_;
};

class Containers {
 public:
  Containers(const Graph& graph, const Torch7Options& options)
      : graph_(graph),
        options_(options),
        readers_(graph.consumers()),
        post_dominators_(graph, readers_),
        placed_(graph.nodes().size()) {}

  std::int64_t file_bytes() {
    const Chain all = chain(graph_.input(), graph_.nodes().size());
    return all.is_sequential ? all.modules.bytes
                             : torch7_sequential_bytes(all.modules, false, options_);
  }

 private:
  /// From behind `id` to before `stop`, which every way from `id` passes.
  Chain chain(NodeId id, NodeId stop) {
    Chain result;
    while (!result.ends_in_table && id != graph_.output() && readers_[id] != std::vector{stop}) {
      const std::vector<NodeId>& readers = readers_[id];
      id = post_dominators_.of(readers);
      append(result, readers.size() > 1 ? fork(readers, id, stop) : place(id));
    }
    return result;
  }

  /// Branches that begin with `readers` of one tensor, up to where they meet and, unless a fork
  /// around it ends there too, that node.
  Chain fork(const std::vector<NodeId>& readers, NodeId meeting, NodeId stop) {
    Torch7Modules branches;
    bool nested = false;
    for (const std::vector<NodeId>& group : groups(readers, meeting)) {
      const Chain part = branch(group, meeting);
      nested = nested || part.ends_in_table;
      branches.append(part.modules.count == 1
                          ? part.modules.bytes
                          : torch7_sequential_bytes(part.modules, part.ends_in_table, options_));
    }
    Chain result;
    result.modules.append(torch7_concat_table_bytes(branches, options_));
    result.ends_in_table = meeting == stop;
    if (result.ends_in_table) return result;
    if (nested) result.modules.append(torch7_flatten_table_bytes(options_));
    mark_placed(meeting);
    result.modules.append(torch7_modules(graph_.node(meeting), options_));
    if (graph_.node(meeting).kind != NodeKind::add) return result;
    Chain unit{{}, false, true};
    unit.modules.append(torch7_sequential_bytes(result.modules, false, options_));
    return unit;
  }

  /// Readers that meet before the others do: a tensor can be the beginning of several forks, one in
  /// a branch of another.
  std::vector<std::vector<NodeId>> groups(const std::vector<NodeId>& readers,
                                          NodeId meeting) const {
    std::vector<std::vector<NodeId>> result;
    std::map<NodeId, std::size_t> group_of;
    for (const NodeId reader : readers) {
      if (reader == meeting) {
        result.push_back({reader});
        continue;
      }
      const auto [group, is_new] =
          group_of.try_emplace(post_dominators_.last_before(meeting, reader), result.size());
      if (is_new) result.emplace_back();
      result[group->second].push_back(reader);
    }
    return result;
  }

  Chain branch(const std::vector<NodeId>& readers, NodeId meeting) {
    Chain result;
    const NodeId first = post_dominators_.of(readers);
    if (first == meeting) {
      result.modules.append(torch7_identity_bytes(options_));
      return result;
    }
    append(result, readers.size() > 1 ? fork(readers, first, meeting) : place(first));
    append(result, chain(first, meeting));
    return result;
  }

  static void append(Chain& whole, const Chain& part) {
    if (part.modules.count == 0) return;
    whole.is_sequential = whole.modules.count == 0 && part.is_sequential;
    whole.modules.append(part.modules);
    whole.ends_in_table = part.ends_in_table;
  }

  /// A node on a branch. One with several inputs belongs behind the branches of a fork.
  Chain place(NodeId id) {
    if (graph_.node(id).inputs.size() > 1) throw_not_nested(graph_, id);
    mark_placed(id);
    return {torch7_modules(graph_.node(id), options_), false, false};
  }

  void mark_placed(NodeId id) {
    if (placed_[id]) throw_not_nested(graph_, id);
    placed_[id] = true;
  }

  const Graph& graph_;
  const Torch7Options& options_;
  std::vector<std::vector<NodeId>> readers_;
  PostDominators post_dominators_;
  std::vector<bool> placed_;
};

}  // namespace

std::int64_t torch7_file_bytes(const Graph& graph, const Torch7Options& options) {
  return Containers(graph, options).file_bytes();
}

}  // namespace xnorbench
