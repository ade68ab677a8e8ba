package dev.contexture.provider.prove;

import dev.contexture.model.CacheRules;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.RequestRule;
import java.util.List;
import java.util.Set;

/** V20 to V22: cache marks. */
record MarkRules(BodyView view, ModelProfile profile, Findings findings) {
  private static final int MOST = 4;
  private static final Set<String> MARKABLE =
      Set.of("tool", "text", "image", "document", "tool_use", "tool_result");

  void check(int volatileBlocks) {
    if (view.format() == Format.GEMINI) {
      return;
    }
    count();
    List<BodyPart> blocks = view.blocks();
    for (BodyPart item : view.system()) {
      place(item, true);
    }
    for (BodyMessage entry : view.entries()) {
      boolean theirs = entry.is(BodyMessage.Role.ASSISTANT);
      for (BodyPart item : entry.items()) {
        place(item, view.format() == Format.ANTHROPIC || !theirs);
        item.nested().forEach(inner -> place(inner, true));
      }
    }
    for (BodyPart item :
        blocks.subList(Math.max(0, blocks.size() - volatileBlocks), blocks.size())) {
      if (item.mark() != null) {
        misplaced(item, "a block that does not stay");
      }
    }
    if (view.format() == Format.ANTHROPIC) {
      lives();
    }
  }

  private void count() {
    boolean topLevel = view.settings().object("cache_control").isPresent();
    long marks = view.blocks().stream().mapToLong(MarkRules::marks).sum();
    marks += view.before().marks() + (topLevel ? 1L : 0L);
    int most = profile.cache().maxMarks();
    if (view.format() == Format.ANTHROPIC) {
      most = profile.cache().mode() == CacheRules.Mode.EXPLICIT ? Math.min(MOST, most) : MOST;
    }
    if (marks > most) {
      findings.add(
          RequestRule.V20, !view.format().refusesMarks(), "", marks + " marks, limit " + most);
    }
  }

  private static long marks(BodyPart item) {
    return (item.mark() == null ? 0 : 1) + item.nested().stream().mapToLong(MarkRules::marks).sum();
  }

  private void place(BodyPart item, boolean allowed) {
    boolean markable = view.format() != Format.ANTHROPIC || MARKABLE.contains(item.type());
    if (item.mark() != null && !(allowed && markable)) {
      misplaced(item, item.type());
    }
  }

  private void misplaced(BodyPart item, String kind) {
    findings.add(RequestRule.V21, !view.format().refusesMarks(), item.pointer(), "mark on " + kind);
  }

  /** Tools and system come before all messages, and so before what was seen of those. */
  private void lives() {
    boolean shorter = lives(view.tools(), false);
    shorter = lives(view.system(), shorter) || view.before().hasShortMark();
    for (BodyMessage entry : view.entries()) {
      shorter = lives(entry.items(), shorter);
    }
  }

  private boolean lives(List<BodyPart> items, boolean shorterBefore) {
    boolean shorter = shorterBefore;
    for (BodyPart item : items) {
      if (shorter && "1h".equals(item.mark())) {
        findings.error(RequestRule.V22, item.pointer(), "ttl 1h after 5m");
      }
      shorter |= "5m".equals(item.mark());
    }
    return shorter;
  }
}
