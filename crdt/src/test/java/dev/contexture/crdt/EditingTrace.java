package dev.contexture.crdt;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** An editing trace in the format of josephg/editing-traces, and its replay. */
record EditingTrace(String startContent, String endContent, List<Transaction> transactions) {
  record Patch(int position, int deleted, String inserted) {}

  record Transaction(List<Integer> parents, int agent, List<Patch> patches) {}

  static EditingTrace read(Path file) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  static EditingTrace parse(String json) {
    Map<?, ?> root = (Map<?, ?>) new Json(json).value();
    boolean concurrent = "concurrent".equals(root.get("kind"));
    List<Transaction> transactions = new ArrayList<>();
    for (Object entry : list(root.get("txns"))) {
      Map<?, ?> txn = (Map<?, ?>) entry;
      List<Integer> parents = new ArrayList<>();
      if (concurrent) {
        list(txn.get("parents")).forEach(parent -> parents.add(integer(parent)));
      } else if (!transactions.isEmpty()) {
        parents.add(transactions.size() - 1);
      }
      List<Patch> patches = new ArrayList<>();
      for (Object item : list(txn.get("patches"))) {
        List<?> patch = (List<?>) item;
        patches.add(new Patch(integer(patch.get(0)), integer(patch.get(1)), (String) patch.get(2)));
      }
      int agent = concurrent ? integer(txn.get("agent")) : 0;
      transactions.add(new Transaction(parents, agent, patches));
    }
    String start = root.get("startContent") instanceof String text ? text : "";
    return new EditingTrace(start, String.valueOf(root.get("endContent")), transactions);
  }

  private static int integer(@Nullable Object value) {
    return value instanceof Long number ? Math.toIntExact(number) : 0;
  }

  private static List<?> list(@Nullable Object value) {
    return value instanceof List<?> items ? items : List.of();
  }

  /** Each agent edits a document of its own, which has merged exactly what its edits follow. */
  Document replay() {
    Map<Integer, Document> documents = new LinkedHashMap<>();
    Map<Integer, boolean[]> seen = new LinkedHashMap<>();
    List<byte[]> deltas = new ArrayList<>();
    boolean several = transactions.stream().anyMatch(txn -> txn.agent() != 0);
    for (Transaction txn : transactions) {
      Document document = documents.computeIfAbsent(txn.agent(), this::start);
      boolean[] has = seen.computeIfAbsent(txn.agent(), a -> new boolean[transactions.size()]);
      fetch(txn.parents(), document, has, deltas);
      VersionVector before = several ? document.version() : VersionVector.EMPTY;
      SharedText text = document.text("text");
      txn.patches().forEach(p -> text.splice(p.position(), p.deleted(), p.inserted()));
      document.commit();
      has[deltas.size()] = true;
      deltas.add(several ? document.exportSince(before) : new byte[0]);
    }
    Document all = documents.values().iterator().next();
    boolean[] has = seen.values().iterator().next();
    for (int i = 0; i < deltas.size(); i++) {
      if (!has[i]) {
        all.merge(deltas.get(i));
      }
    }
    return all;
  }

  private Document start(int agent) {
    Document document = Document.create(ReplicaId.of(agent + 1L));
    document.text("text").insert(0, startContent);
    return document;
  }

  private void fetch(List<Integer> wanted, Document document, boolean[] has, List<byte[]> deltas) {
    List<Integer> missing = new ArrayList<>();
    List<Integer> open = new ArrayList<>(wanted);
    while (!open.isEmpty()) {
      int next = open.removeLast();
      if (!has[next]) {
        has[next] = true;
        missing.add(next);
        open.addAll(transactions.get(next).parents());
      }
    }
    missing.stream().sorted().forEach(index -> document.merge(deltas.get(index)));
  }

  /** As much JSON as the traces need. */
  private static final class Json {
    private final String text;
    private int at;

    Json(String text) {
      this.text = text;
    }

    Object value() {
      skipSpace();
      char c = text.charAt(at);
      return switch (c) {
        case '{' -> object();
        case '[' -> array();
        case '"' -> string();
        default -> scalar();
      };
    }

    private Map<String, Object> object() {
      Map<String, Object> members = new LinkedHashMap<>();
      at++;
      while (more('}')) {
        String key = string();
        skipSpace();
        at++;
        members.put(key, value());
      }
      return members;
    }

    private List<Object> array() {
      List<Object> items = new ArrayList<>();
      at++;
      while (more(']')) {
        items.add(value());
      }
      return items;
    }

    private boolean more(char end) {
      skipSpace();
      if (text.charAt(at) == ',') {
        at++;
        skipSpace();
      }
      if (text.charAt(at) == end) {
        at++;
        return false;
      }
      return true;
    }

    private String string() {
      StringBuilder out = new StringBuilder();
      at++;
      while (text.charAt(at) != '"') {
        char c = text.charAt(at++);
        out.append(c == '\\' ? escaped() : c);
      }
      at++;
      return out.toString();
    }

    private char escaped() {
      char c = text.charAt(at++);
      return switch (c) {
        case 'n' -> '\n';
        case 't' -> '\t';
        case 'r' -> '\r';
        case 'b' -> '\b';
        case 'f' -> '\f';
        case 'u' -> (char) Integer.parseInt(text, at, at += 4, 16);
        default -> c;
      };
    }

    private Object scalar() {
      int start = at;
      while (at < text.length() && ",]} \n\r\t".indexOf(text.charAt(at)) < 0) {
        at++;
      }
      String word = text.substring(start, at);
      return word.matches("-?\\d+") ? (Object) Long.valueOf(word) : word;
    }

    private void skipSpace() {
      while (Character.isWhitespace(text.charAt(at))) {
        at++;
      }
    }
  }
}
