package dev.contexture.provider.fifth;

import static dev.contexture.provider.Requests.assistant;
import static dev.contexture.provider.Requests.call;
import static dev.contexture.provider.Requests.result;
import static dev.contexture.provider.Requests.text;
import static dev.contexture.provider.Requests.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.AnswerStream;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.Repair;
import dev.contexture.model.RequestRule;
import dev.contexture.model.RequestViolation;
import dev.contexture.model.Stop;
import dev.contexture.prompt.SystemPart;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.provider.wire.WireFormat;
import dev.contexture.render.Message;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.Providers;
import dev.contexture.request.RequestInput;
import dev.contexture.request.ToolDef;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A new provider is one package, one line in a list and one section of the catalogue. */
class FifthProviderTest {
  private static final String SECTION =
      """
      {"api": "novice-talk",
       "defaults": {"cache": {"mode": "unknown", "multipliers": {}}, "flags": {}}}\
      """;
  private static final String MODEL =
      """
      {"id": "novice-1", "provider": "novice", "apis": ["novice-talk"], "contextWindow": 20000,
       "maxOutput": 2000, "tokenizer": "o200k_base", "cache": {"mode": "unknown"}, "flags": {}}\
      """;

  private final Providers.Target target = providers().resolve(null, "novice-1");

  private static BuiltInProviders providers() {
    List<WireFormat> formats = new ArrayList<>(BuiltInProviders.FORMATS);
    formats.add(new NoviceFormat()); // the line
    return BuiltInProviders.of(catalogue(), formats);
  }

  private static ModelCatalogue catalogue() {
    try (InputStream in = ModelCatalogue.class.getResourceAsStream("models.json")) {
      String shipped =
          new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      JsonObject file = (JsonObject) JsonValue.parse(shipped);
      List<JsonValue> models = new ArrayList<>(file.array("models").orElseThrow().items());
      models.add(JsonValue.parse(MODEL));
      JsonObject sections = file.object("providers").orElseThrow();
      return ModelCatalogue.parse(
          file.with("models", new JsonArray(models))
              .with("providers", sections.with("novice", JsonValue.parse(SECTION)))
              .toJson());
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }

  private ProviderRequest write(Message... messages) {
    return target
        .format()
        .write(
            RequestInput.builder(target.model(), 100)
                .system(List.of(SystemPart.of("Be brief.")))
                .tools(List.of(new ToolDef("look up", "Looks.", "{\"type\": \"object\"}")))
                .messages(List.of(messages))
                .build());
  }

  @Test
  void isFoundByItsModelAlone() {
    assertThat(target.format().name()).isEqualTo("novice-talk");
    assertThat(target.profile().contextWindow()).isEqualTo(20_000);
    assertThat(providers().resolve("novice", "novice-2").profile().unknownModel()).isTrue();
  }

  @Test
  void writesItsOwnForm() {
    ProviderRequest request =
        write(
            user(text("hi")),
            assistant(call("c1", "look up", "{\"at\": 1}")),
            user(result("c1", text("found"))));
    String alias = target.format().wireName("look up");
    assertThat(request.body().text())
        .isEqualTo(
            """
            {"engine":"novice-1","most":100,\
            "tools":[{"name":"ALIAS","description":"Looks.","takes":{"type":"object"}}],\
            "rules":[{"words":"Be brief."}],"talk":[\
            {"by":"human","said":[{"words":"hi"}]},\
            {"by":"machine","said":[{"ask":"ALIAS","ticket":"c1","with":{"at":1}}]},\
            {"by":"human","said":[{"reply":"found","ticket":"c1"}]}]}\
            """
                .replace("ALIAS", alias));
    assertThat(request.repairs())
        .extracting(Repair::reason)
        .containsExactly("tool look up is sent as " + alias);
    assertThat(request.blocks()).hasSize(5);
  }

  @Test
  void isProvedByTheSharedRulesAndRepaired() {
    assertThat(
            target.format().check(target.model(), "{\"talk\":[{\"by\":\"machine\",\"said\":[]}]}"))
        .extracting(RequestViolation::rule)
        .contains(RequestRule.V02, RequestRule.V04);
    ProviderRequest request =
        write(user(text("hi")), assistant(call("c1", "f", "{}")), user(text("go on")));
    assertThat(request.repairs()).extracting(repair -> repair.rule()).contains(RequestRule.V07);
    assertThat(request.body().text()).contains("{\"reply\":\"no result recorded\"");
    assertThat(target.format().check(target.model(), request.body().text())).isEmpty();
  }

  @Test
  void readsAnAnswerThatGoesBackAsItCame() {
    ModelAnswer answer =
        target
            .format()
            .readAnswer(
                "{\"said\":[{\"words\":\"one moment\"},{\"ask\":\"f\",\"ticket\":\"c9\","
                    + "\"with\":{\"x\":[1,2]}}],\"done\":true,\"in\":7,\"out\":3}",
                target.model());
    assertThat(answer.stop()).isEqualTo(Stop.TOOL_USE);
    assertThat(answer.usage().orElseThrow().uncached()).isEqualTo(7);
    ProviderRequest next =
        write(
            user(text("hi")),
            assistant(
                text(answer.texts().getFirst().text()),
                call("c9", "f", answer.calls().getFirst().arguments())),
            user(result("c9", text("done"))));
    assertThat(next.body().text())
        .contains(
            "{\"by\":\"machine\",\"said\":[{\"words\":\"one moment\"},"
                + "{\"ask\":\"f\",\"ticket\":\"c9\",\"with\":{\"x\":[1,2]}}]}");
  }

  @Test
  void readsAStream() {
    AnswerStream stream = target.format().openStream(target.model());
    stream.accept(
        "data: {\"words\":\"hel\"}\n\ndata: {\"words\":\"lo\",\"done\":true}\n\n"
            .getBytes(StandardCharsets.UTF_8));
    assertThat(stream.ended()).isTrue();
    assertThat(stream.end().texts().getFirst().text()).isEqualTo("hello");
  }
}
