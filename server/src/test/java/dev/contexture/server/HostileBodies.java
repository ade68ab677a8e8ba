package dev.contexture.server;

import dev.contexture.server.openapi.RouteDocs;
import dev.contexture.server.openapi.TypeSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Bodies of a route: one that its table of fields allows, spoiled in up to four places. A node is a
 * {@code Map}, a {@code List}, or a {@code String} of JSON text, so that a body may hold what no
 * writer of JSON would write.
 */
final class HostileBodies {
  private static final String TEXT_BLOCK = "{'type':'react.note','text':'n','path':'ar:t1.n'}";

  /** What fields hold that no type describes; the rest comes from their types. */
  private static final Map<String, List<String>> KNOWN =
      Map.ofEntries(
          Map.entry("prompt", List.of("'Hi'", "'storm parcel'", "'caf\u00e9 \u4e2d\u6587'")),
          Map.entry("turn_id", List.of("'t1'", "'t2'", "'t3'")),
          Map.entry("target_turn_id", List.of("'t1'", "'t2'")),
          Map.entry("agent", List.of("'atlas'", "'hermes'")),
          Map.entry("user", List.of("'u1'")),
          Map.entry("conversation", List.of("'c0'")),
          Map.entry("label", List.of("'notes'", "'facts'", "'log'", "'list'")),
          Map.entry("path", List.of("'ar:t1.n'", "'ar:t1.user.prompt'", "'so:1'")),
          Map.entry("id", List.of("'x1'", "'x2'")),
          Map.entry("tool_call_id", List.of("'tc_1'", "'tc_toolu_1'")),
          Map.entry("model", List.of("'claude-opus-5'", "'gpt-5'", "'gemini-2.5-pro'", "'other'")),
          Map.entry("ts", List.of("'2026-01-01T00:00:00Z'", "1767225600", "1767225600.25")),
          Map.entry("from", List.of("'2026-01-01T00:00:00Z'")),
          Map.entry("to", List.of("'2027-01-01T00:00:00Z'")),
          Map.entry("query", List.of("'storm'", "'parcel AND storm'", "'\u4e2d\u6587'", "'n'")),
          Map.entry("content_types", List.of("['messages']", "['blocks','archival']", "[]")),
          Map.entry("min_similarity", List.of("0.5", "-1")),
          Map.entry("roles", List.of("['user']", "['assistant','tool']")),
          Map.entry("origin", List.of("'user'", "'machine'")),
          Map.entry("reaction", List.of("'ok'", "'not_ok'", "'neutral'")),
          Map.entry("parent", List.of("{'conversation':'c0','turn':'t0','tool_call_id':'tc_1'}")),
          Map.entry(
              "attachments",
              List.of(
                  "[{'name':'a.txt','mime':'text/plain','text':'A','summary':'s'}]",
                  "[{'name':'a.png','mime':'image/png','data':'iVBORw0KGgo='}]")),
          Map.entry("sources", List.of("[{'title':'S','url':'http://a.no/x','text':'t'}]")),
          Map.entry("ticket", List.of("{'ticket_id':'7','title':'T','status':'open'}")),
          Map.entry(
              "tools",
              List.of(
                  "[{'name':'look','description':'d','input_schema':{'type':'object','properties':{'a':{'type':'string'}}}}]")),
          Map.entry(
              "config",
              List.of(
                  "{'max_tokens':20000,'history_tokens':8000,'memory_tokens':4000,'reserved_response_tokens':1000}",
                  "{'compression_strategy':{'kind':'truncate','keep_recent':2}}")),
          Map.entry("params", List.of("{'query':'n'}", "{'paths':['ar:t1.n']}", "{'op':'list'}")),
          Map.entry("call", List.of("{'tool':'look','arguments':{'a':1}}")),
          Map.entry(
              "schema",
              List.of(
                  "{'type':'text'}",
                  "{'type':'map','fields':[{'name':'a','type':'text'}]}",
                  "{'type':'list'}",
                  "{'type':'log'}")),
          Map.entry("content", List.of("'walrus'", "{'a':'b'}", "['a','b']")),
          Map.entry(
              "messages",
              List.of(
                  "[{'role':'user','content':'hi'},{'role':'assistant','content':'ho'}]",
                  "[{'role':'user','content':[{'type':'text','text':'hi'}]}]")),
          Map.entry("gaps_seconds", List.of("[10]", "[0.5]")),
          Map.entry("sources_used", List.of("[1]", "[1,2]")),
          Map.entry("message", List.of("'why'")),
          Map.entry("provider_call_id", List.of("'toolu_1'")));

  private static final List<String> REQUESTS =
      List.of(
          "{'model':'claude-opus-5','max_tokens':10,'messages':[{'role':'user','content':[{'type':'text','text':'hi','cache_control':{'type':'ephemeral'}}]}]}",
          "{'model':'gpt-5','messages':[{'role':'user','content':'hi'},{'role':'assistant','tool_calls':[{'id':'a','type':'function','function':{'name':'f','arguments':'{}'}}]}]}",
          "{'model':'gpt-5','input':[{'role':'user','content':'hi'}]}",
          "{'contents':[{'role':'user','parts':[{'text':'hi'}]}]}");
  private static final List<String> RESPONSES =
      List.of(
          "{'id':'m','type':'message','role':'assistant','model':'claude-opus-5','content':[{'type':'text','text':'ok'},{'type':'tool_use','id':'toolu_1','name':'look','input':{'a':1}}],'stop_reason':'tool_use','usage':{'input_tokens':5,'output_tokens':7}}",
          "{'choices':[{'message':{'role':'assistant','content':'ok','tool_calls':[{'id':'toolu_1','type':'function','function':{'name':'look','arguments':'{}'}}]},'finish_reason':'tool_calls'}],'usage':{'prompt_tokens':5,'completion_tokens':7}}",
          "{'output':[{'type':'message','role':'assistant','content':[{'type':'output_text','text':'ok'}]}],'status':'completed','usage':{'input_tokens':5,'output_tokens':7}}",
          "{'candidates':[{'content':{'role':'model','parts':[{'text':'ok'}]},'finishReason':'STOP'}],'usageMetadata':{'promptTokenCount':5}}");
  private static final List<String> OPS =
      List.of(
          "{'op':'set_text','text':'a'}",
          "{'op':'append_text','text':'b'}",
          "{'op':'append','content':'b'}",
          "{'op':'replace_text','find':'a','replace':'b'}",
          "{'op':'splice_text','position':0,'delete':1,'insert':'x'}",
          "{'op':'set_field','field':'a','value':'v'}",
          "{'op':'remove_field','field':'a'}",
          "{'op':'increment_counter','field':'n','delta':1}",
          "{'op':'push_item','item':'a'}",
          "{'op':'insert_item','index':0,'item':'a'}",
          "{'op':'set_item','index':0,'item':'b'}",
          "{'op':'delete_item','index':0}",
          "{'op':'append_log_entry','entry':{'text':'a'}}",
          "{'op':'import','value':{'a':1}}");
  private static final List<String> RULES =
      List.of(
          "{'type':'max_calls','tool':'look','n':1}",
          "{'type':'requires_prior','tool':'look','prior':'see'}",
          "{'type':'start_constraint','tool':'look'}",
          "{'type':'allowed_operations','tool':'look','operations':['a']}");

  private final RandomGenerator random;

  HostileBodies(RandomGenerator random) {
    this.random = random;
  }

  /** A body; in one of five cases one that is taken if the state allows it. */
  String next(RouteDocs docs) {
    if (random.nextInt(20) == 0) {
      return HostileValues.noObject(random);
    }
    Map<String, Object> body = new LinkedHashMap<>();
    for (RouteDocs.Field field : docs.fields()) {
      if (field.required() ? random.nextInt(40) > 0 : random.nextInt(4) == 0) {
        body.put(quoted(field.name()), value(field.name(), field.type()));
      }
    }
    for (int spoil = random.nextInt(5); spoil > 0; spoil--) {
      spoil(body);
    }
    return text(body);
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private static String quoted(String name) {
    return '"' + name + '"';
  }

  private Object value(String name, String type) {
    if (KNOWN.containsKey(name) && random.nextInt(10) > 0) {
      return parsed(one(KNOWN.get(name)));
    }
    return switch (name) {
      case "request" -> parsed(one(REQUESTS));
      case "requests" -> new ArrayList<>(List.of(parsed(one(REQUESTS)), parsed(one(REQUESTS))));
      case "response" -> parsed(one(RESPONSES));
      default -> typed(type);
    };
  }

  private Object typed(String type) {
    if (type.startsWith("[")) {
      List<Object> items = new ArrayList<>();
      String inner = type.substring(1, type.length() - 1);
      for (int i = random.nextInt(3); i >= 0; i--) {
        items.add(typed(inner));
      }
      return items;
    }
    return switch (type) {
      case "string" -> HostileValues.string(random);
      case "integer" -> one(List.of("0", "1", "7", "100", "4000", "200000"));
      case "number" -> one(List.of("0", "0.5", "1"));
      case "boolean" -> one(List.of("true", "false"));
      case "Block" -> parsed(TEXT_BLOCK);
      case "Rule" -> parsed(one(RULES));
      case "Op" -> parsed(one(OPS));
      case "object" -> parsed("{'a':1}");
      default -> TypeSchema.words(type).isEmpty() ? "1" : quoted(one(TypeSchema.words(type)));
    };
  }

  /** Changes one place of the body: another value, none, one more, the same again, one deeper. */
  private void spoil(Object body) {
    List<Object> holders = new ArrayList<>();
    collect(body, holders);
    Object holder = one(holders);
    if (holder instanceof Map<?, ?>) {
      @SuppressWarnings("unchecked")
      Map<String, Object> map = (Map<String, Object>) holder;
      List<String> keys = List.copyOf(map.keySet());
      String key = keys.isEmpty() ? "\"x\"" : one(keys);
      switch (random.nextInt(10)) {
        case 0 -> map.remove(key);
        case 1 -> map.put(HostileValues.string(random), HostileValues.json(random));
        case 2 -> map.put(" " + key, HostileValues.json(random)); // a name twice
        case 3 -> map.put(key, new ArrayList<>(List.of(map.getOrDefault(key, "1"))));
        default -> map.put(key, HostileValues.json(random));
      }
    } else {
      @SuppressWarnings("unchecked")
      List<Object> list = (List<Object>) holder;
      switch (random.nextInt(3)) {
        case 0 -> list.add(HostileValues.json(random));
        case 1 -> list.addAll(List.copyOf(list)); // ids again
        default -> list.addFirst(HostileValues.json(random));
      }
    }
  }

  private static void collect(Object node, List<Object> holders) {
    if (node instanceof Map<?, ?> map) {
      holders.add(node);
      map.values().forEach(child -> collect(child, holders));
    } else if (node instanceof List<?> list && list.size() < 100) {
      holders.add(node);
      list.forEach(child -> collect(child, holders));
    }
  }

  private static String text(Object node) {
    return switch (node) {
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(entry -> entry.getKey() + ":" + text(entry.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
      case List<?> list ->
          list.stream().map(HostileBodies::text).collect(Collectors.joining(",", "[", "]"));
      default -> node.toString();
    };
  }

  /** Reads a template, which has single quotes, into nodes that can be spoiled. */
  private static Object parsed(String template) {
    return node(dev.contexture.json.JsonValue.parse(template.replace('\'', '"')));
  }

  private static Object node(dev.contexture.json.JsonValue value) {
    return switch (value) {
      case dev.contexture.json.JsonObject object -> {
        Map<String, Object> map = new LinkedHashMap<>();
        object.members().forEach((name, member) -> map.put(quoted(name), node(member)));
        yield map;
      }
      case dev.contexture.json.JsonArray array ->
          array.items().stream()
              .map(HostileBodies::node)
              .collect(Collectors.toCollection(ArrayList::new));
      default -> value.toJson();
    };
  }
}
