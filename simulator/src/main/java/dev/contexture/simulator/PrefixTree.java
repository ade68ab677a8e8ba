package dev.contexture.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives equal beginnings of requests equal numbers: two requests have the same number at an index
 * if and only if they are the same up to and including it. Confined to one thread.
 */
final class PrefixTree {
  private final Map<Step, Integer> steps = new HashMap<>();
  private final Map<String, Integer> roots = new HashMap<>();
  private int nodes;

  /** A block behind what a number stands for. */
  private record Step(int before, SentBlock.Tier tier, String kind, String content) {}

  /** A request in this tree. */
  static final class Path {
    private final SentRequest request;
    private final int root;
    private final int[] nodes; // by block: the number of everything up to it
    private final long[] tokens; // by block: how many there are up to and including it

    private Path(SentRequest request, int root, int[] nodes, long[] tokens) {
      this.request = request;
      this.root = root;
      this.nodes = nodes;
      this.tokens = tokens;
    }

    SentRequest request() {
      return request;
    }

    /** The number of its scope. */
    int root() {
      return root;
    }

    int size() {
      return nodes.length;
    }

    /** The number of everything up to and including a block. */
    int node(int block) {
      return nodes[block];
    }

    /** Tokens up to and including a block; 0 for -1. */
    long through(int block) {
      return block < 0 ? 0 : tokens[block];
    }

    long total() {
      return through(size() - 1);
    }

    SentBlock block(int index) {
      return request.blocks().get(index);
    }

    /** The marked blocks, in order. */
    List<Integer> marks() {
      List<Integer> marks = new ArrayList<>();
      for (int i = 0; i < size(); i++) {
        if (block(i).mark().isPresent()) {
          marks.add(i);
        }
      }
      return marks;
    }

    /** The last block that the next request repeats; -1 if there is none. */
    int lastStable() {
      int at = size() - 1;
      while (at >= 0 && block(at).volatileTail()) {
        at--;
      }
      return at;
    }
  }

  Path add(SentRequest request) {
    int root = roots.computeIfAbsent(request.scope(), unused -> nodes++);
    List<SentBlock> blocks = request.blocks();
    int[] path = new int[blocks.size()];
    long[] tokens = new long[blocks.size()];
    int at = root;
    long sum = 0;
    for (int i = 0; i < path.length; i++) {
      SentBlock block = blocks.get(i);
      Step step = new Step(at, block.tier(), block.kind(), block.content());
      at = steps.computeIfAbsent(step, unused -> nodes++);
      path[i] = at;
      sum += block.tokens();
      tokens[i] = sum;
    }
    return new Path(request, root, path, tokens);
  }

  /** How many numbers were given; each is below it. */
  int size() {
    return nodes;
  }
}
