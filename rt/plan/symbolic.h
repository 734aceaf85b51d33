// Symbolic elimination: which unknowns each elimination touches, before any number is known.
#pragma once

#include "rt/plan/topology.h"

#include <vector>

namespace tactus::rt {

struct Model;

/// An order of elimination of the vertices of a Topology, with the boundary of each.
struct Symbolic {
  std::vector<int> order;                  ///< vertices, first eliminated first
  std::vector<int> position;               ///< of each vertex in `order`
  std::vector<std::vector<int>> boundary;  ///< of each vertex: later vertices, in order of elimination
  std::vector<int> level;                  ///< of each vertex: 1 without children, else above all of them
  std::vector<std::vector<int>> children;  ///< of each vertex: those whose update it takes, in order of elimination

  /// The vertex that takes the update of `vertex`, or -1.
  int parent(int vertex) const noexcept;
};

/// The boundary of a vertex: its own later neighbors, and the boundaries of its children without the vertex itself.
Symbolic eliminateSymbolically(const Topology& topology, std::vector<int> order);

/// First unknown of a vertex: 6 for each body, then all rows.
int unknownOf(const Topology& topology, const Model& model, int vertex);

/// Unknowns of a vertex.
int sizeOf(const Topology& topology, const Model& model, int vertex);

/// Where the unknowns of `vertex` begin in the front of `owner`, or -1.
int positionInFront(const Symbolic& s, const Topology& topology, const Model& model, int owner, int vertex);

/// A neighbor that is eliminated later: the front of a vertex assembles the Jacobian between them.
struct LaterNeighbor {
  int vertex;
  int position;  ///< where its unknowns begin in the front
};

/// In order of their positions.
std::vector<LaterNeighbor> laterNeighbors(const Symbolic& s, const Topology& topology, const Model& model, int vertex);

}  // namespace tactus::rt
