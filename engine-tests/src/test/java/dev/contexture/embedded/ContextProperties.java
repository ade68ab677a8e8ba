package dev.contexture.embedded;

import static dev.contexture.embedded.ContextFixture.ME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextRequest;
import dev.contexture.RequestBuilder;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.compaction.CompressionStrategy;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.model.RequestViolation;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.MemoryRefresh;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.request.LedgerSettings;
import dev.contexture.request.ToolDef;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.testkit.FakeClock;
import dev.contexture.tool.ToolRule;
import dev.contexture.tool.ToolRules;
import dev.contexture.turn.WaitingPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * For any timeline, memory and tools the request is valid for every provider, fits the limits by
 * our count, has at most four marks, and is the same bytes when it is built twice (M-90, M-93).
 */
class ContextProperties {
  private static final Map<String, String> MODELS =
      Map.of(
          "anthropic", "claude-opus-5",
          "openai_chat", "gpt-5.6-terra",
          "openai_responses", "gpt-5.6-terra",
          "gemini", "gemini-3.5-flash");
  private static final List<String> WORDS =
      List.of(
          "tea", "\n", " ", "</block:x>", "<memory_update>", "😀", "{\"a\":1}", "word ".repeat(30));

  @Property(tries = 60)
  void everyRequestIsValidFitsAndIsTheSameTwice(@ForAll long seed) {
    new Run(seed).run();
  }

  /** One random history. */
  private static final class Run {
    private final Random random;
    private final ContextFixture fixture;
    private final ContextConfig config;
    private final List<String> labels = new ArrayList<>();

    Run(long seed) {
      random = new Random(seed);
      fixture = new ContextFixture(new InMemoryStore(), FakeClock.atStart());
      ModelContextLimits limits =
          random.nextBoolean()
              ? ModelContextLimits.DEFAULT
              : new ModelContextLimits(
                  1_500 + random.nextInt(4_000), 100 + random.nextInt(500), 400, 200);
      CompressionStrategy strategy = strategy();
      boolean cuts = strategy instanceof CompressionStrategy.Compaction; // a forced cut repeats
      config =
          ContextConfig.DEFAULT
              .withLimits(limits)
              .withMessagesCap(cuts || random.nextBoolean() ? 500 : 1 + random.nextInt(12))
              .withRefresh(random.nextInt(3) == 0 ? MemoryRefresh.EVERY_BUILD : null)
              .withStrategy(strategy);
    }

    private CompressionStrategy strategy() {
      return switch (random.nextInt(4)) {
        case 0 -> new CompressionStrategy.Truncate(1 + random.nextInt(6));
        case 1 -> new CompressionStrategy.RecursiveSummarization(1 + random.nextInt(6), null, null);
        case 2 -> new CompressionStrategy.Compaction(CompactionPolicy.ECONOMICAL);
        default -> CompressionStrategy.DEFAULT;
      };
    }

    void run() {
      for (int i = random.nextInt(6); i > 0; i--) {
        changeMemory();
      }
      for (int turn = 0; turn < 1 + random.nextInt(5); turn++) {
        Turn open = fixture.chat.startTurn("go " + text());
        for (int i = random.nextInt(6); i > 0; i--) {
          step(open, i);
          if (random.nextInt(3) == 0) {
            changeMemory();
          }
        }
        build(open);
        if (random.nextInt(5) == 0) {
          open.interrupt("because");
        } else {
          open.finish(text() + "done");
        }
        fixture.clock.advance(Duration.ofSeconds(random.nextInt(500)));
      }
    }

    private String text() {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(6); i > 0; i--) {
        text.append(WORDS.get(random.nextInt(WORDS.size())));
      }
      return text.toString();
    }

    private void changeMemory() {
      if (labels.isEmpty() || random.nextInt(3) == 0) {
        String label = "b" + labels.size();
        MemoryBlockType[] types = {
          MemoryBlockType.CORE, MemoryBlockType.WORKING, MemoryBlockType.ARCHIVAL
        };
        fixture.memory.createBlock(
            random.nextInt(3) == 0 ? "zeus" : ME,
            BlockSpec.of(label, types[random.nextInt(types.length)])
                .content(text())
                .description(text())
                .pinned(random.nextBoolean()));
        labels.add(label);
        return;
      }
      String label = labels.get(random.nextInt(labels.size()));
      boolean own = fixture.memory.getBlockMetadata(ME, label).isPresent();
      var memory = fixture.memory.actingAs(Actor.system());
      if (own) {
        switch (random.nextInt(3)) {
          case 0 -> memory.setBlockPinned(ME, label, random.nextBoolean());
          case 1 -> memory.deleteBlock(ME, label);
          default -> memory.updateBlockText(ME, label, text());
        }
      } else if (fixture.memory.getBlockMetadata("zeus", label).isPresent()) {
        if (random.nextBoolean()) {
          memory.putAgent(ME, null, null);
          memory.shareBlock("zeus", label, ME, MemoryPermission.APPEND);
        } else {
          memory.unshareBlock("zeus", label, ME);
        }
      }
    }

    private void step(Turn turn, int number) {
      if (random.nextInt(3) == 0) {
        turn.contribute(Block.builder(BlockType.REACT_NOTE).text(text()));
        return;
      }
      String call = "tc_" + turn.id().value() + number;
      turn.contribute(
          Block.builder(BlockType.REACT_TOOL_CALL)
              .toolCallId(call)
              .text("{\"tool_id\":\"file.read\",\"params\":{\"n\":" + number + "}}"));
      if (random.nextInt(4) > 0) {
        turn.contribute(
            Block.builder(BlockType.REACT_TOOL_RESULT).toolCallId(call).text(text() + "result"));
      }
    }

    private void build(Turn turn) {
      List<String> refs =
          random.nextBoolean() || labels.isEmpty() ? List.of() : labels.subList(0, 1);
      boolean tools = random.nextBoolean();
      boolean activity = random.nextBoolean();
      for (Map.Entry<String, String> model : MODELS.entrySet()) {
        ContextRequest request;
        try {
          request = request(turn, model, refs, tools, activity).build();
        } catch (ContextureException refused) {
          assertThat(refused.code()).isEqualTo(ErrorCode.BUDGET_TOO_SMALL);
          continue;
        }
        String body = request.body();
        assertThat(request.target().format().check(request.target().model(), body))
            .as(body)
            .filteredOn(violation -> !violation.warning())
            .extracting(RequestViolation::code)
            .isEmpty();
        var limits = request.metadata().limits().limits();
        assertThat(request.metadata().tokens().total())
            .isLessThanOrEqualTo(limits.maxTokens() - limits.reservedResponseTokens());
        assertThat(request.request().marks()).hasSizeLessThanOrEqualTo(4);
        ContextRequest again = request(turn, model, refs, tools, activity).build();
        for (int i = 0; i < 5 && again.metadata().compression().applied(); i++) {
          body = again.body(); // a small window may be compacted more than once
          again = request(turn, model, refs, tools, activity).build();
        }
        assertThat(again.body()).isEqualTo(body);
      }
    }

    private RequestBuilder request(
        Turn turn,
        Map.Entry<String, String> model,
        List<String> refs,
        boolean tools,
        boolean activity) {
      RequestBuilder builder =
          turn.request(model.getKey(), model.getValue())
              .waiting(WaitingPolicy.OMIT)
              .agent(ME)
              .config(config)
              .blocks(refs)
              .prefixCheck(LedgerSettings.Mode.WARN); // tools and memory change at random
      if (activity) {
        builder.activity(fixture.engine.activity(ContextFixture.SHOP));
      }
      if (tools) {
        builder.tools(
            List.of(
                new ToolDef("search", "finds", "{\"type\":\"object\",\"properties\":{}}"),
                new ToolDef(
                    "file.read",
                    "reads",
                    "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}}")));
        builder.toolRules(ToolRules.of(List.of(new ToolRule.MaxCalls("search", 2))));
      }
      return builder;
    }
  }
}
