package dev.contexture.examples;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/**
 * An application of Spring Boot over the engine, without a key: the starter configures the builder
 * of its ChatClient. It shows what the model is sent, and that the application goes on with the
 * conversation when it starts again.
 */
public final class SpringBootAgent {
  private SpringBootAgent() {}

  /** The application: what a starter of Spring AI brings for a model is all that is its own. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Shop {
    @Bean
    ToolCallingManager toolCallingManager() {
      return ToolCallingManager.builder().build();
    }
  }

  /** Runs it in a new folder. */
  public static void main(String[] args) throws IOException {
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    Path directory = Files.createTempDirectory("contexture-example");
    run(directory, "Weather in Oslo?", out);
    run(directory, "And tomorrow?", out); // as if the application had ended in between
  }

  static void run(Path directory, String question, PrintStream out) {
    try (ConfigurableApplicationContext app = application(directory, out).run()) {
      ChatClient client =
          app.getBean(ChatClient.Builder.class)
              .defaultSystem("You are Atlas. Be brief.")
              .defaultTools(new SpringAgent.Weather())
              .build();
      out.println("user: " + question);
      String answer =
          client
              .prompt(question)
              .advisors(a -> a.param(ChatMemory.CONVERSATION_ID, "u42/c1"))
              .call()
              .content();
      out.println("answer: " + answer);
    }
  }

  /** What application.properties says elsewhere. */
  private static SpringApplication application(Path directory, PrintStream out) {
    return new SpringApplicationBuilder(Shop.class)
        .web(WebApplicationType.NONE)
        .bannerMode(Banner.Mode.OFF)
        .logStartupInfo(false)
        .initializers(
            app ->
                ((GenericApplicationContext) app)
                    .registerBean(ChatModel.class, () -> SpringAgent.model(out)))
        .properties(
            Map.of(
                "contexture.directory", directory.toString(),
                "contexture.tenant", "acme",
                "contexture.project", "shop",
                "contexture.model", "claude-opus-5"))
        .application();
  }
}
