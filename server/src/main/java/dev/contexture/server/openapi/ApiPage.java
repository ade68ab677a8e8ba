package dev.contexture.server.openapi;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.server.http.Html;
import dev.contexture.server.http.Route;
import dev.contexture.server.keys.KeyRole;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The API for people: each route with what it takes, what it answers and an example, then the types
 * that are named there. One page that loads nothing; each route and each type has an address.
 */
final class ApiPage {
  private static final Pattern NAME = Pattern.compile("@?[A-Za-z_]+");
  private static final int ROOM = 20_000;

  private final List<Route> routes;
  private final Map<String, RouteDocs> docs;
  private final JsonObject examples = OpenApi.examples();
  private final List<SchemaDocs> types = SchemaDocs.read();
  private final Set<String> named =
      types.stream().map(SchemaDocs::name).collect(Collectors.toUnmodifiableSet());
  private final StringBuilder page = new StringBuilder(ROOM);

  private ApiPage(List<Route> routes, Map<String, RouteDocs> docs) {
    this.routes = routes;
    this.docs = docs;
  }

  /** The page of these routes. */
  static String of(List<Route> routes, Map<String, RouteDocs> docs) {
    return new ApiPage(routes, docs).write();
  }

  private String write() {
    page.append(Html.head("Contexture: the API"))
        .append("<h1>The API</h1>\n<p>For machines: <a href=\"openapi.json\">openapi.json</a>. ")
        .append("For people who look at data: <a href=\".\">the inspector</a>. ")
        .append("Every refusal is <code>application/problem+json</code>, ")
        .append("a <a href=\"#Problem\">Problem</a>.</p>\n<nav>");
    Map<String, String> tags = ApiComponents.tagged();
    tags.keySet().forEach(tag -> page.append(link(tag, tag)).append(' '));
    page.append(link("types", "types")).append("</nav>\n");
    tags.forEach(this::section);
    page.append("<h2 id=\"types\">Types</h2>\n");
    types.forEach(this::type);
    return page.append(Html.end()).toString();
  }

  private void section(String tag, String about) {
    page.append("<h2 id=\"").append(tag).append("\">").append(Html.escape(about)).append("</h2>\n");
    routes.stream()
        .filter(route -> ApiComponents.tag(route.path()).equals(tag))
        .forEach(this::route);
  }

  private void route(Route route) {
    RouteDocs about = Objects.requireNonNull(docs.get(route.title()), route.title());
    KeyRole role = route.role();
    page.append("<article id=\"")
        .append(about.operation())
        .append("\"><h3><a href=\"#")
        .append(about.operation())
        .append("\"><code>")
        .append(broken(route.title()))
        .append("</code></a></h3><p>")
        .append(Html.escape(about.summary()))
        .append(". <small>")
        .append(role == null ? "needs no key" : "role " + role.wireName())
        .append("</small></p>\n");
    if (!route.queries().isEmpty()) {
      page.append("<p>Query: <code>")
          .append(
              Html.escape("?" + route.queries().stream().sorted().collect(Collectors.joining("&"))))
          .append("</code></p>\n");
    }
    members(about.fields());
    answers(about);
    example(about, examples.object(about.operation()).orElse(JsonObject.EMPTY));
    page.append("</article>\n");
  }

  private void members(List<RouteDocs.Field> fields) {
    if (fields.isEmpty()) {
      return;
    }
    page.append("<dl>");
    for (RouteDocs.Field field : fields) {
      page.append("<dt><code>")
          .append(Html.escape(field.name()))
          .append("</code></dt><dd>")
          .append(typed(field.type()))
          .append(field.required() ? "" : " <small>may be absent</small>")
          .append("</dd>");
    }
    page.append("</dl>\n");
  }

  private void answers(RouteDocs about) {
    page.append("<p>Answer: ");
    page.append(
        about.answers().stream()
            .map(
                answer ->
                    answer.status() + (answer.type().isEmpty() ? "" : " " + typed(answer.type())))
            .collect(Collectors.joining(", ")));
    page.append("</p>\n");
  }

  private void example(RouteDocs about, JsonObject example) {
    StringBuilder shown = new StringBuilder();
    example.find("body").ifPresent(body -> shown.append(text(body)).append("\n\n"));
    example
        .object("answers")
        .ifPresent(
            answers ->
                answers
                    .members()
                    .forEach(
                        (status, body) ->
                            shown.append(status).append(' ').append(text(body)).append('\n')));
    if (!shown.isEmpty()) {
      page.append("<details><summary>Example<span class=\"of\"> of ")
          .append(about.operation())
          .append("</span></summary><pre tabindex=\"0\">")
          .append(Html.escape(shown.toString().strip()))
          .append("</pre></details>\n");
    }
  }

  private static String text(JsonValue value) {
    return value instanceof JsonString plain ? plain.value() : value.toPrettyJson();
  }

  private void type(SchemaDocs type) {
    page.append("<article id=\"")
        .append(type.name())
        .append("\"><h3>")
        .append(type.name())
        .append("</h3><p>")
        .append(Html.escape(type.about()))
        .append(".</p>\n");
    if (!type.alias().isEmpty()) {
      page.append("<p>").append(typed(type.alias())).append("</p>\n");
    }
    members(type.fields());
    page.append("</article>\n");
  }

  /** A type with links to those that it names; words of an enumeration are those of the choices. */
  private String typed(String type) {
    Matcher names = NAME.matcher(type);
    StringBuilder linked = new StringBuilder("<code>");
    int end = 0;
    while (names.find()) {
      linked.append(Html.escape(type.substring(end, names.start())));
      linked.append(
          named.contains(names.group())
              ? link(names.group(), names.group())
              : Html.escape(names.group()));
      end = names.end();
    }
    return linked.append(Html.escape(type.substring(end))).append("</code>").toString();
  }

  private static String link(String to, String words) {
    return "<a href=\"#" + to + "\">" + Html.escape(words) + "</a>";
  }

  /** A path that may be broken before its slashes. */
  private static String broken(String title) {
    return Html.escape(title).replace("/", "<wbr>/");
  }
}
