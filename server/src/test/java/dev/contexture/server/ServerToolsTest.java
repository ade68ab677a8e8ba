package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.server.TestServer.Got;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tools of agents and the rules for calls over HTTP (H-4, H-6, H-7). */
class ServerToolsTest {
  private static final String A = "/v1/agents/atlas";

  @TempDir Path directory;
  private TestServer served;

  @BeforeEach
  void start() {
    served = new TestServer(directory);
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private Got post(String path, String body) {
    return served.post(path, body.replace('\'', '"'));
  }

  private Got tool(String name, String params) {
    Got got = post(A + "/tools/" + name, "{'params':" + params + "}");
    assertThat(got.status()).as(got.text()).isEqualTo(200);
    return got;
  }

  private static String errorCode(Got got) {
    return got.json().object("error").flatMap(error -> error.string("code")).orElse("none");
  }

  private static List<JsonObject> blocks(Got got) {
    assertThat(got.status()).as(got.text()).isEqualTo(200);
    return got.json().array("blocks").orElse(JsonArray.of()).items().stream()
        .map(JsonObject.class::cast)
        .toList();
  }

  @Test
  void memoryToolsAnswerWithTheirOwnResults() { // 82, M-120
    Got made = tool("block", "{'op':'create','label':'notes','description':'d'}");
    assertThat(made.text()).startsWith("{\"success\":true,\"message\":").contains("mem_");
    assertThat(tool("block_edit", "{'op':'append','label':'notes','content':'a tulip'}").text())
        .contains("\"version\":1");
    Got none = tool("block_edit", "{'op':'replace','label':'notes','old':'rose','new':'x'}");
    assertThat(errorCode(none)).isEqualTo("no_match");
    assertThat(none.json().isTrue("success")).isFalse();
    assertThat(errorCode(tool("block", "{'op':'delete','label':'notes'}")))
        .isEqualTo("permission_denied");
    tool("recall", "{'op':'insert','content':'tulips are red'}");
    assertThat(tool("search", "{'query':'tulip'}").text()).contains("a tulip", "tulips are red");
    assertThat(errorCode(post(A + "/tools/search", "{}"))).isEqualTo("invalid_argument");
  }

  @Test
  void toolsAreListedAndOthersAreNotFound() {
    Got listed = served.get(A + "/tools");
    assertThat(listed.text())
        .contains("\"name\":\"react.read\"", "\"input_schema\":{\"type\":\"object\"", "\"enum\":[");
    Got other = post(A + "/tools/rename", "{'params':{}}");
    assertThat(other.status()).isEqualTo(404);
    assertThat(other.code()).isEqualTo("not_found");
    assertThat(post(A + "/tools/react.read", "{}").status()).isEqualTo(404);
    assertThat(post(A + "/tools/block", "{'op':'list'}").code()).isEqualTo("unknown_field");
    assertThat(post(A + "/tools/block", "{'params':[]}").code()).isEqualTo("field_type");
  }

  @Test
  void aUserLimitsWhatIsFound() { // M-83
    for (String user : List.of("ann", "ben")) {
      String conversation = "/v1/users/" + user + "/conversations/c1";
      post(
          conversation + "/turns",
          "{'prompt':'orchid of " + user + "','agent':'atlas','turn_id':'t'}");
      post(conversation + "/turns/t/finish", "{'completion':'ok'}");
    }
    assertThat(tool("search", "{'query':'orchid'}").text()).doesNotContain("of ann", "of ben");
    assertThat(post(A + "/tools/search", "{'params':{'query':'orchid'},'user':'ann'}").text())
        .contains("of ann")
        .doesNotContain("of ben");
    String ann = "/v1/users/ann/conversations/c1";
    post(ann + "/turns", "{'prompt':'which?','agent':'atlas'}");
    assertThat(post(ann + "/tools/search", "{'params':{'query':'orchid'}}").text())
        .contains("of ann")
        .doesNotContain("of ben");
  }

  @Test
  void aConversationShowsWhatToolsContributed() { // T-101
    post(C + "/turns", "{'prompt':'Hi','turn_id':'t1'}");
    post(C + "/blocks", "{'blocks':[{'type':'react.note','text':'long note','path':'ar:t1.n'}]}");
    List<JsonObject> hidden =
        blocks(post(C + "/tools/react.hide", "{'tool_call_id':'x1','params':{'path':'ar:t1.n'}}"));
    assertThat(hidden)
        .extracting(block -> block.string("type").orElseThrow())
        .containsExactly("react.tool.call", "react.tool.result");
    assertThat(hidden)
        .allSatisfy(block -> assertThat(block.string("tool_call_id")).contains("tc_x1"));
    assertThat(hidden.getLast().string("text").orElseThrow()).contains("\"status\":\"ok\"");
    assertThat(
            blocks(
                post(C + "/tools/react.hide", "{'tool_call_id':'x1','params':{'path':'ar:t1.n'}}")))
        .isEqualTo(hidden);
    assertThat(post(C + "/render", "{}").text())
        .contains("Hidden. Re-read: react.read ar:t1.n")
        .doesNotContain("long note");
    List<JsonObject> read =
        blocks(post(C + "/tools/react.read", "{'params':{'paths':['ar:t1.n']}}"));
    assertThat(read.getLast().string("text")).contains("long note");
    assertThat(read.getLast().string("path")).contains("ar:t1.n");
    List<JsonObject> wrong = blocks(post(C + "/tools/react.read", "{'params':{'paths':[]}}"));
    assertThat(wrong.getLast().isTrue("is_error")).isTrue();
    assertThat(blocks(post(C + "/tools/react.memsearch", "{'params':{'query':'note'}}")))
        .hasSize(2);
    assertThat(post(C + "/tools/block", "{'params':{'op':'list'}}").status())
        .isEqualTo(404); // the turn names no agent
    post(C + "/turns/t1/finish", "{'completion':'ok'}");
    assertThat(post(C + "/tools/react.read", "{'params':{'paths':['ar:t1.n']}}").code())
        .isEqualTo("no_active_turn");
  }

  @Test
  void rulesAreCheckedAgainstTheTurn() { // H-6, 80
    post(C + "/turns", "{'prompt':'Hi','turn_id':'t1'}");
    String rules =
        "'tool_rules':[{'type':'start_constraint','tool':'react.memsearch'},"
            + "{'type':'max_calls','tool':'web','n':1},{'type':'exit_loop','tool':'send'},"
            + "{'type':'allowed_operations','tool':'file','operations':['list']}]";
    Got first = post(C + "/rules/check", "{" + rules + ",'call':{'tool':'web','arguments':{}}}");
    assertThat(first.json().object("violation").orElseThrow().toJson())
        .isEqualTo(
            "{\"type\":\"start_required\",\"missing\":[\"react.memsearch\"],\"tool\":\"web\","
                + "\"message\":\"call react.memsearch before web\"}");
    assertThat(first.string("decision")).isEqualTo("violated");
    assertThat(first.string("next")).isEqualTo("model_decides");
    post(C + "/tools/react.memsearch", "{'params':{'query':'x'}}");
    Got second = post(C + "/rules/check", "{" + rules + ",'call':{'tool':'web'}}");
    assertThat(second.text()).isEqualTo("{\"decision\":\"allowed\",\"next\":\"model_decides\"}");
    call("web", "w1");
    assertThat(post(C + "/rules/check", "{" + rules + ",'call':{'tool':'web'}}").text())
        .contains("\"type\":\"max_calls_reached\",\"limit\":1,\"made\":1");
    assertThat(
            post(
                    C + "/rules/check",
                    "{" + rules + ",'call':{'tool':'file','arguments':{'op':'rm'}}}")
                .text())
        .contains("\"type\":\"operation_not_allowed\",\"op\":\"rm\",\"allowed\":[\"list\"]");
    call("send", "s1");
    assertThat(post(C + "/rules/check", "{" + rules + ",'call':{'tool':'file'}}").string("next"))
        .isEqualTo("exit");
    assertThat(post(C + "/rules/check", "{'tool_rules':[{'type':'x'}],'call':{'tool':'t'}}").code())
        .isEqualTo("rule_invalid");
    assertThat(post(C + "/rules/check", "{'tool_rules':[]}").code()).isEqualTo("field_required");
    assertThat(post(C + "/rules/check", "{'call':{'tool':'t'}}").code())
        .isEqualTo("field_required");
  }

  private void call(String tool, String id) {
    String text = "{\\\"tool_id\\\":\\\"" + tool + "\\\",\\\"params\\\":{}}";
    Got got =
        post(
            C + "/blocks",
            "{'blocks':[{'type':'react.tool.call','tool_call_id':'"
                + id
                + "','text':'"
                + text
                + "'},{'type':'react.tool.result','tool_call_id':'"
                + id
                + "','text':'ok'}]}");
    assertThat(got.status()).as(got.text()).isEqualTo(201);
  }

  @Test
  void aBareLabelReachesTheOnlySharedBlock() { // M-72: ambiguous_label
    for (String owner : List.of("bert", "carl")) {
      post(
          "/v1/agents/" + owner + "/blocks",
          "{'label':'notes','block_type':'working','content':'of " + owner + "'}");
    }
    served.send("PUT", A, "{}");
    post("/v1/agents/bert/blocks/notes/shares", "{'agent':'atlas','permission':'read_write'}");
    assertThat(served.get(A + "/blocks/notes").string("rendered")).isEqualTo("of bert");
    assertThat(
            post(A + "/blocks/notes/ops", "{'ops':[{'op':'append','content':'!'}]}")
                .number("version"))
        .isEqualTo(2);
    assertThat(post(A + "/blocks/notes/undo", "").number("undo_depth")).isZero(); // its own
    assertThat(served.get(A + "/blocks/notes/history").text()).contains("\"operation\":\"undo\"");
    post("/v1/agents/carl/blocks/notes/shares", "{'agent':'atlas','permission':'append'}");
    Got ambiguous = served.get(A + "/blocks/notes");
    assertThat(ambiguous.status()).isEqualTo(409);
    assertThat(ambiguous.code()).isEqualTo("ambiguous_label");
    assertThat(ambiguous.string("owners")).isEqualTo("bert, carl");
    assertThat(served.get(A + "/blocks/notes?owner=carl").string("rendered")).isEqualTo("of carl");
    assertThat(tool("block", "{'op':'load','label':'bert/notes'}").text()).contains("of bert");
    assertThat(served.send("DELETE", A + "/blocks/notes", null).code())
        .isEqualTo("ambiguous_label");
    assertThat(served.get("/v1/agents/bert/blocks/notes").status()).isEqualTo(200);
  }
}
