package dev.contexture.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.engine.memory.BlockChanges;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.MemoryBlockType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a host gets for its messages. */
@Timeout(300)
class McpSessionTest extends McpSessionCase {
  private static final int EACH = 25;

  @Test
  void namesItsToolsAsModelsTakeThem() {
    assertThat(tools(session))
        .hasSize(25)
        .allSatisfy(name -> assertThat(name).matches("[A-Za-z0-9_-]{1,64}"));
  }

  @Test
  void agreesOnAVersion() {
    assertThat(ask("initialize", "{'protocolVersion':'2025-06-18'}").string("protocolVersion"))
        .contains("2025-06-18");
    assertThat(ask("initialize", "{'protocolVersion':'1999-01-01'}").string("protocolVersion"))
        .contains("2025-11-25");
  }

  @Test
  void keepsBlocksOfTheUserAndTellsTheirHistory() {
    done("memory_create", "{'label':'notes','description':'d','content':'buy milk'}");
    done("memory_append", "{'label':'notes','content':'\\ncall Bob'}");
    done("memory_replace", "{'label':'notes','old':'milk','new':'oat milk'}");
    assertThat(done("memory_read", "{'label':'notes'}")).isEqualTo("buy oat milk\ncall Bob");
    assertThat(done("memory_read", "{'label':'notes','version':1}")).isEqualTo("buy milk");
    assertThat(done("memory_read", "{'label':'notes','start_line':2}")).isEqualTo("call Bob");
    done("memory_undo", "{'label':'notes'}");
    assertThat(done("memory_read", "{'label':'notes'}")).startsWith("buy milk");
    done("memory_undo", "{'label':'notes','redo':true}");
    done(
        "memory_edit",
        "{'op':'edit_range','label':'notes','start_line':2,'end_line':2,'content':'x'}");
    assertThat(done("memory_read", "{'label':'notes'}")).isEqualTo("buy oat milk\nx");
    assertThat(done("memory_history", "{'label':'notes','limit':2}"))
        .contains("agent:atlas", "\"next_after\":2");
    assertThat(engine.memory(SCOPE).forUser("ann").getBlock("atlas", "notes")).isPresent();
    assertThat(engine.memory(SCOPE).getBlock("atlas", "notes")).isEmpty();
    assertThat(refused("memory_delete", "{'label':'notes'}")).startsWith("permission_denied: ");
    engine
        .memory(SCOPE)
        .actingAs(Actor.human("pat"))
        .forUser("ann")
        .configureBlock("atlas", "notes", BlockChanges.NONE.permission(MemoryPermission.ADMIN));
    done("memory_delete", "{'label':'notes'}");
    assertThat(refused("memory_read", "{'label':'notes'}"))
        .startsWith("block_not_found: ")
        .contains("memory_list");
  }

  @Test
  void remembersAndFindsAgain() {
    done("remember", "{'content':'Ann is vegan','metadata':{'topic':'food'}}");
    assertThat(done("recall", "{'query':'vegan'}")).contains("Ann is vegan", "food");
    assertThat(done("search", "{'query':'vegan','domain':'archival'}")).contains("Ann is vegan");
  }

  @Test
  void readsConversationsOfItsUserOnly() {
    talk("ann", "c1", "Where is the harbour?", "Down the hill.");
    talk("bob", "c2", "My secret is zebra.", "I keep it.");
    assertThat(done("conversation_list", "{}")).contains("c1").doesNotContain("c2");
    JsonObject turns = json(done("conversation_read", "{'conversation':'c1'}"));
    assertThat(turns.toJson()).contains("Where is the harbour?", "Down the hill.");
    JsonObject turn = (JsonObject) turns.array("turns").orElseThrow().items().getFirst();
    List<String> paths = ToolInput.texts(turn, "paths");
    List<String> read = new ArrayList<>();
    paths.forEach(
        path -> read.add(done("context_read", "{'conversation':'c1','path':'" + path + "'}")));
    assertThat(read).contains("Where is the harbour?", "Down the hill.");
    assertThat(refused("conversation_read", "{'conversation':'c2'}")).startsWith("not_found: ");
    assertThat(refused("context_read", "{'conversation':'c2','path':'" + paths.getFirst() + "'}"))
        .startsWith("not_found: ");
    assertThat(answer(session, "resources/read", json("{'uri':'contexture://conversations/c2'}")))
        .satisfies(refused -> assertThat(refused.object("error")).isPresent());
    assertThat(done("search", "{'query':'zebra'}")).doesNotContain("zebra.");
  }

  @Test
  void refusesWrongArgumentsByName() {
    assertThat(refused("memory_read", "{}")).startsWith("invalid_argument: ").contains("label");
    assertThat(refused("memory_read", "{'label':3}")).contains("label", "of type string");
    assertThat(refused("memory_read", "{'label':'a','frob':1}")).contains("frob", "start_line");
    assertThat(refused("recall", "{'query':'x','limit':0}")).contains("limit", "from 1 to 100");
    assertThat(refused("memory_edit", "{'op':'fly','label':'a'}")).contains("op", "one of");
    assertThat(answer(session, "tools/call", json("{'name':'nope'}")).object("error").orElseThrow())
        .satisfies(error -> assertThat(error.string("message").orElse("")).contains("memory_list"));
    assertThat(answer(session, "frob/nicate", JsonObject.EMPTY).object("error").orElseThrow())
        .isEqualTo(json("{'code':-32601,'message':'there is no method frob/nicate'}"));
    assertThat(session.handle(json("{'jsonrpc':'2.0','method':'notifications/initialized'}")))
        .isEmpty();
  }

  @Test
  void tellsOfBlocksThatItSubscribedTo() throws Exception {
    String uri = "contexture://agents/atlas/blocks/later";
    ask("resources/subscribe", "{'uri':'" + uri + "'}");
    engine.memory(SCOPE).createBlock("other", BlockSpec.of("later", MemoryBlockType.WORKING));
    engine
        .memory(SCOPE)
        .createBlock("atlas", BlockSpec.of("later", MemoryBlockType.WORKING).user("bob"));
    engine.memory(SCOPE).createBlock("atlas", BlockSpec.of("later", MemoryBlockType.WORKING));
    assertThat(next()).contains("resources/updated", uri);
    assertThat(next()).contains("resources/list_changed");
    engine.memory(SCOPE).appendToBlock("atlas", "later", "x");
    assertThat(next()).contains("resources/updated", uri);
    ask("resources/unsubscribe", "{'uri':'" + uri + "'}");
    engine.memory(SCOPE).appendToBlock("atlas", "later", "x");
    engine.memory(SCOPE).createBlock("atlas", BlockSpec.of("end", MemoryBlockType.WORKING));
    assertThat(next()).contains("resources/list_changed");
    assertThat(session.nextNotification(Duration.ofMillis(50))).isEmpty();
    talk("ann", "c1", "hello", "there");
    ask("resources/subscribe", "{'uri':'contexture://conversations/c1'}");
    talk("ann", "c1", "again", "there");
    assertThat(next()).contains("resources/updated", "contexture://conversations/c1");
  }

  private String next() throws InterruptedException {
    Optional<JsonObject> told = session.nextNotification(Duration.ofMinutes(1));
    return told.map(JsonObject::toJson).orElseThrow();
  }

  @Test
  void hasResourcesPromptsAndCompletions() {
    engine
        .memory(SCOPE)
        .createBlock("atlas", BlockSpec.of("rules", MemoryBlockType.CORE).content("be kind"));
    talk("ann", "c1", "hello", "there");
    assertThat(ask("resources/list", "{}").toJson())
        .contains("blocks/rules", "conversations/c1", "memory://knowledge-graph");
    assertThat(ask("resources/templates/list", "{}").toJson()).contains("{label}", "{path}");
    assertThat(ask("resources/read", "{'uri':'contexture://agents/atlas/blocks/rules'}").toJson())
        .contains("be kind");
    assertThat(ask("resources/read", "{'uri':'contexture://conversations/c1'}").toJson())
        .contains("hello");
    assertThat(
            ((JsonNumber)
                    answer(session, "resources/read", json("{'uri':'contexture://x'}"))
                        .object("error")
                        .orElseThrow()
                        .find("code")
                        .orElseThrow())
                .asLong())
        .hasValue(-32002);
    assertThat(ask("prompts/list", "{}").toJson()).contains("\"memory\"", "\"conversation\"");
    assertThat(ask("prompts/get", "{'name':'memory'}").toJson()).contains("be kind");
    assertThat(
            ask("prompts/get", "{'name':'conversation','arguments':{'conversation':'c1'}}")
                .toJson())
        .contains("hello");
    assertThat(
            ask(
                    "completion/complete",
                    "{'ref':{'type':'ref/prompt','name':'memory'},"
                        + "'argument':{'name':'label','value':'ru'}}")
                .toJson())
        .contains("\"values\":[\"rules\"]");
  }

  private String completed(String argument, String value, String chosen) {
    return ask(
            "completion/complete",
            "{'ref':{'type':'ref/resource','uri':'contexture://x'},'argument':{'name':'"
                + argument
                + "','value':'"
                + value
                + "'},'context':{'arguments':"
                + chosen
                + "}}")
        .toJson();
  }

  @Test
  void completesEveryPartOfATemplate() {
    MemoryStore memory = engine.memory(SCOPE);
    memory.createBlock("atlas", BlockSpec.of("rules", MemoryBlockType.CORE).content("be kind"));
    memory.createBlock("hermes", BlockSpec.of("routes", MemoryBlockType.CORE).content("north"));
    memory.createBlock("hermes", BlockSpec.of("secret", MemoryBlockType.CORE).content("x"));
    memory.shareBlock("hermes", "routes", "atlas", MemoryPermission.READ_ONLY);
    talk("ann", "c1", "hello", "there");
    assertThat(completed("agent", "", "{}")).contains("[\"atlas\",\"hermes\"]");
    assertThat(completed("label", "r", "{'agent':'hermes'}")).contains("[\"routes\"]");
    assertThat(completed("label", "", "{'agent':'hermes'}")).doesNotContain("secret", "rules");
    assertThat(completed("conversation", "c", "{}")).contains("[\"c1\"]");
    assertThat(completed("path", "ar:", "{'conversation':'c1'}"))
        .contains(".user.prompt\"", ".assistant.completion\"");
    assertThat(completed("path", "so:", "{'conversation':'c1'}")).contains("\"values\":[]");
    assertThat(completed("path", "", "{'conversation':'nope'}")).contains("\"values\":[]");
    assertThat(completed("path", "", "{}")).contains("\"values\":[]");
  }

  @Test
  void offersReadersNoToolThatWrites() {
    McpSession reader = McpSession.open(engine, "test", SCOPE, SETTINGS.reading());
    assertThat(tools(reader))
        .contains("memory_read", "search", "read_graph", "memory")
        .doesNotContain("memory_append", "remember", "create_entities", "memory_delete");
    assertThat(
            text(
                call(
                    reader,
                    "memory",
                    json("{'command':'create','path':'/memories/a','file_text':'x'}"))))
        .startsWith("forbidden: ");
    reader.close();
  }

  @Test
  void letsNoUserDeleteWhatIsForAll() {
    engine
        .memory(SCOPE)
        .createBlock("atlas", BlockSpec.of("rules", MemoryBlockType.WORKING).content("x"));
    McpSession bound = McpSession.open(engine, "test", SCOPE, SETTINGS.bound(true, false));
    for (String call :
        List.of(
            "{'name':'memory_delete','arguments':{'label':'rules'}}",
            "{'name':'memory','arguments':{'command':'delete','path':'/memories/rules'}}",
            "{'name':'memory','arguments':{'command':'rename','old_path':'/memories/rules',"
                + "'new_path':'/memories/x'}}")) {
      JsonObject result = answer(bound, "tools/call", json(call)).object("result").orElseThrow();
      assertThat(result.toJson()).contains("forbidden: ", "\"isError\":true");
    }
    assertThat(engine.memory(SCOPE).getBlock("atlas", "rules")).isPresent();
    bound.close();
  }

  @Test
  void hasNoConversationsForNobody() {
    McpSession nobody = McpSession.open(engine, "test", SCOPE, SETTINGS.withUser(null));
    assertThat(tools(nobody)).contains("memory_list").doesNotContain("conversation_list");
    nobody.close();
  }

  /** Each line and each fact that a host was told is kept is there, once. */
  @Test
  void hostsThatWriteAtOnceLoseNothing() throws Exception {
    done("memory_create", "{'label':'notes','description':'d'}");
    done("create_entities", "{'entities':[{'name':'Ann','entityType':'p','observations':[]}]}");
    List<McpSession> hosts = new ArrayList<>();
    List<Callable<Boolean>> writers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      int number = i;
      McpSession host = McpSession.open(engine, "test", SCOPE, SETTINGS);
      hosts.add(host);
      writers.add(() -> write(host, number));
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Boolean> writer : threads.invokeAll(writers)) {
        assertThat(writer.get()).isTrue();
      }
    }
    List<String> wanted = new ArrayList<>();
    for (int i = 0; i < EACH; i++) {
      wanted.add("host 0 line " + i);
      wanted.add("host 1 line " + i);
    }
    assertThat(done("memory_read", "{'label':'notes'}").lines())
        .containsExactlyInAnyOrderElementsOf(wanted);
    JsonObject graph = json(done("read_graph", "{}"));
    JsonObject ann = (JsonObject) graph.array("entities").orElseThrow().items().getFirst();
    assertThat(ToolInput.texts(ann, "observations")).containsExactlyInAnyOrderElementsOf(wanted);
    hosts.forEach(McpSession::close);
  }

  private boolean write(McpSession host, int number) {
    for (int i = 0; i < EACH; i++) {
      String line = "host " + number + " line " + i;
      call(host, "memory_append", json("{'label':'notes','content':'" + line + "\\n'}"));
      call(
          host,
          "add_observations",
          json("{'observations':[{'entityName':'Ann','contents':['" + line + "']}]}"));
    }
    return true;
  }
}
