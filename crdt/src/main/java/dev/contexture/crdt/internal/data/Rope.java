package dev.contexture.crdt.internal.data;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * A text as UTF-8 pieces of at most 1 KiB in a splay tree that counts code points.
 *  1. A text that was loaded stays one array until its first edit.
 *  2. An edit finds its piece, moves at most 1 KiB, and cuts a piece that got too large.
 *  3. A copy has pieces of its own that share the bytes; whoever edits such a piece first copies it.
 * Bounds: an edit O(log n) amortised, O(1) near the last one; a copy one node for each KiB; reading
 * everything O(n).
 */
/** Editable text, counted in code points. Confined to one thread. */
public final class Rope {
  private static final int MAX_BYTES = 1024;
  private static final int CUT_BYTES = 704;

  private final SplayTree<Piece> pieces = new SplayTree<>();
  private byte @Nullable [] whole;
  private int wholeLength;

  private static final class Piece extends SplayNode<Piece> {
    byte[] bytes;
    int size;
    int length;
    int subtreeSize;
    int subtreeLength;
    boolean shared; // the bytes belong to copies too and never change

    Piece(byte[] source, int from, int size) {
      this.bytes = Arrays.copyOfRange(source, from, from + size);
      this.size = size;
      this.length = Utf8.count(bytes, 0, size);
    }

    private Piece(Piece other) {
      other.shared = true;
      this.shared = true;
      this.bytes = other.bytes;
      this.size = other.size;
      this.length = other.length;
    }

    @Override
    public void pull() {
      subtreeSize = size + (left == null ? 0 : left.subtreeSize);
      subtreeLength = length + (left == null ? 0 : left.subtreeLength);
      if (right != null) {
        subtreeSize += right.subtreeSize;
        subtreeLength += right.subtreeLength;
      }
    }

    int byteOffset(int codePoints) {
      return size == length ? codePoints : Utf8.bytesOf(bytes, 0, codePoints);
    }

    void insert(int at, byte[] source, int from, int count, int codePoints) {
      if (size + count > bytes.length) {
        own(Math.min(MAX_BYTES, Math.max(2 * bytes.length, size + count)));
      } else if (shared) {
        own(bytes.length);
      }
      System.arraycopy(bytes, at, bytes, at + count, size - at);
      System.arraycopy(source, from, bytes, at, count);
      size += count;
      length += codePoints;
    }

    void delete(int from, int to, int codePoints) {
      if (shared) {
        own(bytes.length);
      }
      System.arraycopy(bytes, to, bytes, from, size - to);
      size -= to - from;
      length -= codePoints;
    }

    private void own(int capacity) {
      bytes = Arrays.copyOf(bytes, capacity);
      shared = false;
    }
  }

  /** A text that keeps the given valid UTF-8 until it is edited. */
  public static Rope of(byte[] utf8, int codePoints) {
    Rope rope = new Rope();
    if (utf8.length > 0) {
      rope.whole = utf8;
      rope.wholeLength = codePoints;
    }
    return rope;
  }

  /** The same text, for another thread if need be. */
  public Rope copy() {
    if (whole != null) {
      return of(whole, wholeLength);
    }
    List<Piece> copied = new ArrayList<>();
    pieces.forEach(piece -> copied.add(new Piece(piece)));
    Rope copy = new Rope();
    copy.pieces.fill(copied);
    return copy;
  }

  public int length() {
    if (whole != null) {
      return wholeLength;
    }
    Piece root = pieces.root();
    return root == null ? 0 : root.subtreeLength;
  }

  public void insert(int position, byte[] source, int from, int count, int codePoints) {
    if (count == 0) {
      return;
    }
    thaw();
    Piece piece = find(position);
    if (piece == null) {
      addPieces(null, source, from, count);
      return;
    }
    int at = piece.byteOffset(position - startOf(piece));
    if (piece.size + count <= MAX_BYTES) {
      piece.insert(at, source, from, count, codePoints);
      piece.pull();
      return;
    }
    byte[] joined = new byte[piece.size + count];
    System.arraycopy(piece.bytes, 0, joined, 0, at);
    System.arraycopy(source, from, joined, at, count);
    System.arraycopy(piece.bytes, at, joined, at + count, piece.size - at);
    addPieces(piece, joined, 0, joined.length);
    pieces.remove(piece);
  }

  public void delete(int position, int codePoints) {
    thaw();
    int rest = codePoints;
    while (rest > 0) {
      Piece piece = findCharacter(position);
      int start = position - startOf(piece);
      int count = Math.min(rest, piece.length - start);
      if (count == piece.length) {
        pieces.remove(piece);
      } else {
        piece.delete(piece.byteOffset(start), piece.byteOffset(start + count), count);
        piece.pull();
        joinWithNext(piece);
      }
      rest -= count;
    }
  }

  /** All bytes, as valid UTF-8. */
  public byte[] toUtf8() {
    if (whole != null) {
      return whole.clone();
    }
    Piece root = pieces.root();
    byte[] all = new byte[root == null ? 0 : root.subtreeSize];
    int[] at = {0};
    pieces.forEach(
        piece -> {
          System.arraycopy(piece.bytes, 0, all, at[0], piece.size);
          at[0] += piece.size;
        });
    return all;
  }

  @Override
  public String toString() {
    return new String(whole != null ? whole : toUtf8(), StandardCharsets.UTF_8);
  }

  private void thaw() {
    byte[] source = whole;
    if (source != null) {
      whole = null;
      addPieces(null, source, 0, source.length);
    }
  }

  /** Cuts bytes into pieces, at code points, and puts them behind {@code where}. */
  private void addPieces(@Nullable Piece where, byte[] source, int from, int count) {
    Piece last = where;
    int at = from;
    int end = from + count;
    while (at < end) {
      int cut = end - at <= MAX_BYTES ? end : at + CUT_BYTES;
      while (cut < end && !Utf8.isStart(source[cut])) {
        cut--;
      }
      Piece piece = new Piece(source, at, cut - at);
      pieces.insertAfter(last, piece);
      last = piece;
      at = cut;
    }
  }

  /** The piece in or at the end of which a position lies, moved to the root; null if empty. */
  private @Nullable Piece find(int position) {
    Piece node = pieces.root();
    int rest = position;
    while (node != null) {
      int before = node.left == null ? 0 : node.left.subtreeLength;
      if (rest < before || (rest == before && before > 0)) {
        node = node.left;
      } else if (rest - before <= node.length || node.right == null) {
        pieces.splay(node);
        return node;
      } else {
        rest -= before + node.length;
        node = node.right;
      }
    }
    return null;
  }

  private Piece findCharacter(int position) {
    Piece node = pieces.root();
    int rest = position;
    while (node != null) {
      int before = node.left == null ? 0 : node.left.subtreeLength;
      if (rest < before) {
        node = node.left;
      } else if (rest - before < node.length) {
        pieces.splay(node);
        return node;
      } else {
        rest -= before + node.length;
        node = node.right;
      }
    }
    throw new IllegalStateException("no character " + position + " in a text of " + length());
  }

  private static int startOf(Piece root) {
    return root.left == null ? 0 : root.left.subtreeLength;
  }

  /** Keeps pieces from becoming ever smaller. */
  private void joinWithNext(Piece piece) {
    if (piece.size > MAX_BYTES / 8) {
      return;
    }
    Piece next = pieces.next(piece);
    if (next == null || piece.size + next.size > CUT_BYTES) {
      return;
    }
    next.insert(0, piece.bytes, 0, piece.size, piece.length);
    next.pull();
    pieces.remove(piece);
  }
}
