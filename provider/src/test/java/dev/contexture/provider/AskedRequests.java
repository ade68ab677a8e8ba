package dev.contexture.provider;

import static dev.contexture.provider.Requests.text;
import static dev.contexture.provider.Requests.user;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelRef;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.request.OutputSchema;
import dev.contexture.request.ProviderFormat;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestInput;
import dev.contexture.request.RequestParams;
import java.util.List;
import java.util.function.UnaryOperator;

/** Small requests that ask something of a model, for tests of what becomes of it. */
final class AskedRequests {
  static final BuiltInProviders PROVIDERS = BuiltInProviders.of(ModelCatalogue.shipped());
  static final ModelRef SONNET_OLD = new ModelRef("anthropic", "claude-sonnet-4-5");
  static final ModelRef GEMINI_OLD = new ModelRef("gemini", "gemini-2.5-flash");
  static final OutputSchema CITY =
      OutputSchema.of("city", "{\"type\":\"object\",\"properties\":{\"b\":{},\"a\":{}}}");

  private AskedRequests() {}

  static ProviderFormat format(String name) {
    return PROVIDERS.resolve(name, "any").format();
  }

  static RequestInput.Builder input(ModelRef model) {
    return RequestInput.builder(model, 4096).messages(List.of(user(text("hi"))));
  }

  static ProviderRequest write(String format, ModelRef model, UnaryOperator<RequestParams> asked) {
    return format(format).write(input(model).params(asked.apply(RequestParams.NONE)).build());
  }

  static JsonObject open(String json) {
    return (JsonObject) JsonValue.parse(json);
  }
}
