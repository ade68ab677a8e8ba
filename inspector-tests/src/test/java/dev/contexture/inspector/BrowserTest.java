package dev.contexture.inspector;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import dev.contexture.Contexture;
import dev.contexture.memory.schema.MemoryLimits;
import dev.contexture.server.ContextureServer;
import dev.contexture.server.ServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server and a browser for the tests of a class. After each test it is checked that the page
 * asked no other host for anything, broke no rule of its policy and wrote no error.
 *
 * <p>Pages are found by what a person reads, and waited for by Playwright: no test sleeps.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BrowserTest {
  private static final int MOST_TABS = 300;
  private static final int PAINTS = 3;
  private static final int EDGE = 12; // of a picture, in pixels
  private static final Duration PATIENCE = Duration.ofMinutes(5); // of what waits for a person
  private static final int TIMEOUT_MILLIS = 20_000;

  /** Tells of broken rules of the policy, and when the first entry of a page was painted. */
  private static final String WATCH =
      """
      addEventListener('securitypolicyviolation',
        event => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI));
      const useful = () => document.querySelector('[data-item]')
        ? requestAnimationFrame(() => requestAnimationFrame(now => { window.usefulPaint = now; }))
        : requestAnimationFrame(useful);
      requestAnimationFrame(useful);
      """;

  /** Waits for that; not with a function of Playwright, which the policy of the page forbids. */
  private static final String PAINTED =
      """
      () => new Promise((done, failed) => {
        setTimeout(() => failed(new Error('no entry was painted')), 20000);
        const look = () => window.usefulPaint ? done(window.usefulPaint) : requestAnimationFrame(look);
        look();
      })
      """;

  private static final List<String> BROWSERS = List.of("chromium", "chromium-browser");
  private static final Path SHOTS =
      Path.of(System.getProperty("contexture.shots", "target/inspector"));

  // Held here, because a logger that nobody holds forgets its level.
  private static final List<Logger> QUIET =
      List.of(Logger.getLogger("org.eclipse.jetty"), Logger.getLogger("io.javalin"));

  static {
    QUIET.forEach(logger -> logger.setLevel(Level.OFF));
    PlaywrightAssertions.setDefaultAssertionTimeout(TIMEOUT_MILLIS);
  }

  private final List<String> faults = new ArrayList<>();
  private final HttpClient client = HttpClient.newHttpClient();
  Path directory;
  private Contexture engine;
  private ContextureServer server;
  private Playwright playwright;
  private Browser browser;
  private BrowserContext context;
  Page page;

  /** Puts into a directory what the server is to show; by default nothing. */
  void prepare(Path data) {}

  /** How the server is started. */
  ServerOptions options() {
    return ServerOptions.local("test");
  }

  @BeforeAll
  void startServer(@TempDir Path given) {
    directory = given;
    Path data = directory.resolve("data");
    prepare(data);
    engine =
        Contexture.open(
            data,
            settings -> settings.memoryLimits(MemoryLimits.DEFAULT.withConsentWait(PATIENCE)));
    server = ContextureServer.start(engine, options().withPort(0));
    Path chromium = chromium();
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(chromium)
                    .setChromiumSandbox(false));
  }

  /** The system's browser; without one the tests are skipped, which fails `.ci/run`. */
  private static Path chromium() {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .flatMap(folder -> BROWSERS.stream().map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseGet(
            () ->
                Assumptions.abort(
                    "there is no chromium in PATH; on Debian: apt-get install chromium"));
  }

  @AfterAll
  void stopServer() {
    Stream.<AutoCloseable>of(playwright, server, engine, client).forEach(BrowserTest::closeQuietly);
  }

  private static void closeQuietly(AutoCloseable one) {
    if (one != null) {
      try {
        one.close();
      } catch (Exception failed) {
        throw new IllegalStateException(failed);
      }
    }
  }

  @BeforeEach
  void openPage() {
    if (context != null) {
      context.close(); // what it still says is about the test before
    }
    faults.clear();
    page = newPage(new Browser.NewContextOptions().setViewportSize(1280, 800));
  }

  /** A page of another size or colour; the one before is closed. */
  Page newPage(Browser.NewContextOptions options) {
    if (context != null) {
      context.close();
    }
    context = browser.newContext(options.setColorScheme(scheme(options)));
    context.setDefaultTimeout(TIMEOUT_MILLIS);
    context.addInitScript(WATCH);
    Page opened = context.newPage();
    opened.onConsoleMessage(
        message -> {
          if (!message.type().equals("info") && !message.type().equals("debug")) {
            faults.add(message.type() + ": " + message.text() + " " + message.location());
          }
        });
    opened.onPageError(error -> faults.add("error: " + error));
    opened.onRequest(
        request -> {
          if (!request.url().startsWith(server.address() + "/")
              && !request.url().equals("about:blank")) {
            faults.add("another host: " + request.url());
          }
        });
    page = opened;
    return opened;
  }

  private static ColorScheme scheme(Browser.NewContextOptions options) {
    return options.colorScheme == null
        ? ColorScheme.LIGHT
        : options.colorScheme.orElse(ColorScheme.LIGHT);
  }

  @AfterEach
  void nothingWentWrong() {
    assertThat(faults).as("what the browser complained about").isEmpty();
  }

  /** Forgets complaints that the test asked for, such as that of a refused request. */
  void expectComplaint(String part) {
    assertThat(faults).anyMatch(fault -> fault.contains(part));
    faults.removeIf(fault -> fault.contains(part));
  }

  /** Forgets that something was not found, where others delete what the page may be reading. */
  void forgetMisses() {
    faults.removeIf(fault -> fault.contains("404"));
  }

  /** Forgets that calls were refused, where a test cannot tell which ones the page makes. */
  void forgetRefusals() {
    faults.removeIf(fault -> fault.contains("401") || fault.contains("403"));
  }

  /** Opens a page of the inspector, as {@code #/path?query}. */
  void visit(String hash) {
    page.navigate(server.address() + "/" + hash);
    page.locator("main[aria-busy=false]").waitFor();
  }

  String address() {
    return server.address();
  }

  Contexture engine() {
    return engine;
  }

  /** How long it takes until a page shows its first entry, in milliseconds, the median of some. */
  double firstUsefulPaint(String hash) {
    List<Double> all = new ArrayList<>();
    for (int i = 0; i < PAINTS; i++) {
      page.navigate("about:blank");
      page.navigate(server.address() + "/" + hash);
      all.add(((Number) page.evaluate(PAINTED)).doubleValue());
    }
    Collections.sort(all);
    return all.get(PAINTS / 2);
  }

  /** The bytes of the page, its modules, styles and pictures, as they are after decompression. */
  long weight() {
    Object bytes =
        page.evaluate(
            "performance.getEntriesByType('resource').filter(r => r.name.includes('/inspector/'))"
                + ".concat(performance.getEntriesByType('navigation'))"
                + ".reduce((sum, r) => sum + r.decodedBodySize, 0)");
    return ((Number) bytes).longValue();
  }

  /** A picture of the page, for people to look at and for the documentation. */
  void shot(String name) {
    page.screenshot(new Page.ScreenshotOptions().setPath(SHOTS.resolve(name + ".png")));
  }

  /** A picture of the page from the top of something to the end of something in it. */
  void shot(String name, Locator from, Locator to) {
    page.mouse().move(0, 0); // what is below it would be shown as chosen
    page.evaluate("scrollTo(0, 0)");
    BoundingBox top = from.boundingBox();
    BoundingBox end = to.boundingBox();
    page.screenshot(
        new Page.ScreenshotOptions()
            .setPath(SHOTS.resolve(name + ".png"))
            .setFullPage(true)
            .setClip(
                top.x - EDGE,
                top.y - EDGE,
                top.width + 2 * EDGE,
                end.y + end.height - top.y + EDGE));
  }

  /** Checks that nothing on the page keeps somebody from using it who cannot see or point. */
  void accessible() {
    List<String> found =
        new AxeBuilder(page)
            .analyze().getViolations().stream()
                .filter(rule -> List.of("serious", "critical").contains(rule.getImpact()))
                .map(rule -> rule.getId() + " " + rule.getNodes().getFirst().getHtml())
                .toList();
    assertThat(found).as("serious findings of axe").isEmpty();
  }

  /** Moves with the Tab key alone until something of a selector has the focus. */
  void tabTo(String selector) {
    page.locator(selector).first().waitFor();
    tabUntil("there => there.matches(wanted)", selector);
  }

  /** Moves with the Tab key alone to a button of the page, and presses it. */
  void pressButton(String words) {
    page.locator("main button", new Page.LocatorOptions().setHasText(words)).first().waitFor();
    tabUntil(
        "there => there.matches('main button') && there.textContent.trim().startsWith(wanted)",
        words);
    page.keyboard().press("Enter");
  }

  private void tabUntil(String reached, String wanted) {
    for (int i = 0; i < MOST_TABS; i++) {
      page.keyboard().press("Tab");
      Object there = page.evaluate("wanted => (" + reached + ")(document.activeElement)", wanted);
      if (Boolean.TRUE.equals(there)) {
        return;
      }
    }
    assertThat(wanted).as("reached with " + MOST_TABS + " tabs").isEmpty();
  }

  /** Text as a person finds it. */
  Locator text(String words) {
    return page.getByText(words).first();
  }

  /** Sends a request to the API as a program would. */
  String send(String method, String path, String body) {
    HttpResponse<String> got = sent(method, path, body);
    assertThat(got.statusCode()).as(path + ": " + got.body()).isBetween(200, 299);
    return got.body();
  }

  /** The status of what may be refused. */
  int status(String method, String path, String body) {
    return sent(method, path, body).statusCode();
  }

  private HttpResponse<String> sent(String method, String path, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.address() + path))
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }
}
