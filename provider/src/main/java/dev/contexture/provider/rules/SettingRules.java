package dev.contexture.provider.rules;

import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelProfiles;
import dev.contexture.model.ModelRef;
import dev.contexture.model.ParamRules;
import dev.contexture.model.RequestRule;
import dev.contexture.provider.wire.AskedMembers;
import dev.contexture.provider.wire.BodyMessage;
import dev.contexture.provider.wire.BodyView;
import dev.contexture.provider.wire.Findings;
import dev.contexture.provider.wire.ParamType;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * V27 to V29, V34, V35, V38, V39, V41: model, window, parameters, what changes though it should
 * not.
 */
record SettingRules(BodyView view, ModelProfile profile, Findings findings) {
  private static final String NOT_DEFAULT = "≠default";
  private static final String DEFAULT = "1"; // of temperature, top_p and top_k alike
  private static final Pattern VOLATILE =
      Pattern.compile(
          "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}"
              + "|\\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\\b"
              + "|\\b1[6-9]\\d{8}(?:\\d{3})?\\b");

  /** What stands before the messages, and parameters. */
  void head(ModelRef model) {
    if (model.model().isBlank()
        || (view.format().namesModel() && view.settings().string("model").orElse("").isBlank())) {
      findings.error(RequestRule.V35, "/model", "the model has no name");
    }
    outputTokens();
    for (ParamType.Mismatch wrong :
        ParamType.mismatches(view.format().paramTypes(), view.settings())) {
      findings.error(
          RequestRule.V41,
          "/" + wrong.path().replace('.', '/'),
          wrong.path() + " is " + wrong.actual() + ", allowed is " + wrong.allowed());
    }
    OutputSchemaRules.check(view, findings);
    for (String rejected : new TreeSet<>(profile.params().rejects())) {
      rejected(rejected);
    }
    for (ParamRules.Conflict conflict : profile.params().conflicts()) {
      if (has(conflict.first()) && has(conflict.second())) {
        conflict(conflict.second(), conflict.first());
      }
    }
    view.format().checkHead(view, profile, findings);
    for (String key : view.format().head()) {
      view.settings().find(key).ifPresent(value -> changing(value.toJson(), "/" + key));
    }
  }

  private void outputTokens() {
    List<String> paths = view.format().outputTokens();
    Optional<JsonValue> limit = paths.stream().flatMap(path -> at(path).stream()).findFirst();
    boolean missing = limit.isEmpty() && view.format().needsOutputTokens();
    int most = profile.unknownModel() || profile.maxOutput() < 1 ? 0 : profile.maxOutput();
    boolean wrong = limit.filter(v -> number(v) < 1 || (most > 0 && number(v) > most)).isPresent();
    if (missing || wrong) {
      findings.error(
          RequestRule.V34,
          "/" + paths.getFirst().replace('.', '/'),
          "the output limit is "
              + limit.map(JsonValue::toJson).orElse("missing")
              + ", allowed is "
              + (most > 0 ? "1 to " + most + " for " + profile.id() : "a number from 1"));
    }
  }

  /** A model of a maker that serves it in formats of its own, not in this one. */
  void maker(ModelRef model, ModelProfiles profiles) {
    Optional<ModelProfile> known =
        profile.unknownModel() ? profiles.ofMaker(model.model()) : Optional.empty();
    known
        .filter(made -> !made.apis().contains(view.format().name()))
        .ifPresent(
            made ->
                findings.error(
                    RequestRule.V38,
                    "/model",
                    "model "
                        + model.model()
                        + " is one of "
                        + made.provider()
                        + ", which does not serve it as "
                        + view.format().wireName()
                        + ": ask for its own format"
                        + (view.format().takesCompat()
                            ? ", or give compat if a compatible server has it"
                            : "")));
  }

  /** What depends on the messages. */
  void messages(long highTokens) {
    window(highTokens);
    for (BodyMessage entry : view.entries()) {
      if (view.before().any() || !entry.is(BodyMessage.Role.SYSTEM)) {
        break; // what comes later is part of the conversation
      }
      entry.items().forEach(item -> changing(item.raw(), item.pointer()));
    }
  }

  private void window(long high) {
    if (high == 0) {
      return;
    }
    long output =
        view.format().outputTokens().stream()
            .flatMap(path -> at(path).stream())
            .mapToLong(SettingRules::number)
            .max()
            .orElse(0);
    boolean tooLong = profile.maxInput().isPresent() && high > profile.maxInput().getAsInt();
    if (high + output > profile.contextWindow() || tooLong) {
      findings.error(
          RequestRule.V27, "", "needs " + (high + output) + ", window " + profile.contextWindow());
    }
  }

  private static long number(JsonValue value) {
    return value instanceof JsonNumber number ? number.asLong().orElse(0) : 0;
  }

  private void rejected(String rule) {
    if (rule.endsWith(NOT_DEFAULT)) {
      String path = rule.substring(0, rule.length() - NOT_DEFAULT.length());
      boolean other =
          at(path).filter(v -> !(v instanceof JsonNumber n && isDefault(n.text()))).isPresent();
      if (other) {
        conflict(path, profile.id());
      }
      return;
    }
    int equals = rule.indexOf('=');
    String path = equals < 0 ? rule : rule.substring(0, equals);
    Optional<JsonValue> found = at(view.format().parameter(path));
    if (found.isPresent()
        && (equals < 0 || found.get().equals(new JsonString(rule.substring(equals + 1))))) {
      conflict(rule, profile.id());
    }
  }

  private static boolean isDefault(String number) {
    return number.equals(DEFAULT) || number.equals(DEFAULT + ".0");
  }

  private void conflict(String dropped, String with) {
    String pointer = "/" + dropped.replaceAll("[=≠].*", "").replace('.', '/');
    findings.error(RequestRule.V28, pointer, dropped + " conflicts with " + with);
  }

  private boolean has(String path) {
    return at(path).isPresent();
  }

  private Optional<JsonValue> at(String path) {
    return AskedMembers.at(view.settings(), path);
  }

  private void changing(String text, String pointer) {
    Matcher matcher = VOLATILE.matcher(text);
    if (matcher.find()) {
      findings.warning(RequestRule.V29, pointer, matcher.group() + " changes per request");
    }
  }
}
