package dev.contexture.provider.rules;

import dev.contexture.model.CacheRules;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.RequestRule;
import dev.contexture.provider.wire.BodyMessage;
import dev.contexture.provider.wire.BodyPart;
import dev.contexture.provider.wire.BodyView;
import dev.contexture.provider.wire.Findings;
import dev.contexture.provider.wire.WireFormat;
import java.util.List;

/** V20 to V22: cache marks. */
record MarkRules(BodyView view, ModelProfile profile, Findings findings) {
  private static final int MOST = 4;

  void check(int volatileBlocks) {
    if (view.format().marks() == WireFormat.Marks.NONE) {
      return;
    }
    count();
    List<BodyPart> blocks = view.blocks();
    for (BodyMessage entry : view.entries()) {
      for (BodyPart item : entry.items()) {
        place(entry, item);
        item.nested().forEach(inner -> place(entry, inner));
      }
    }
    for (BodyPart item :
        blocks.subList(Math.max(0, blocks.size() - volatileBlocks), blocks.size())) {
      if (item.mark() != null) {
        misplaced(item, "a block that does not stay");
      }
    }
    if (isStrict()) {
      lives();
    }
  }

  private void count() {
    boolean topLevel = view.settings().object("cache_control").isPresent();
    long marks = view.blocks().stream().mapToLong(MarkRules::marks).sum();
    marks += view.before().marks() + (topLevel ? 1L : 0L);
    int most = profile.cache().maxMarks();
    if (isStrict()) {
      most = profile.cache().mode() == CacheRules.Mode.EXPLICIT ? Math.min(MOST, most) : MOST;
    }
    if (marks > most) {
      findings.add(RequestRule.V20, !isStrict(), "", marks + " marks, limit " + most);
    }
  }

  private static long marks(BodyPart item) {
    return (item.mark() == null ? 0 : 1) + item.nested().stream().mapToLong(MarkRules::marks).sum();
  }

  private boolean isStrict() {
    return view.format().marks() == WireFormat.Marks.STRICT;
  }

  private void place(BodyMessage entry, BodyPart item) {
    if (item.mark() != null && !view.format().takesMark(entry, item)) {
      misplaced(item, item.type());
    }
  }

  private void misplaced(BodyPart item, String kind) {
    findings.add(RequestRule.V21, !isStrict(), item.pointer(), "mark on " + kind);
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
