package dev.contexture.provider.wire;

import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelProfiles;
import dev.contexture.model.ModelRef;
import dev.contexture.model.Repair;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.RequestRule;
import dev.contexture.render.Message;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Chooses the parts of messages that are sent. Confined to one thread, used for one body. */
final class PartSelection {
  private static final Set<String> CALLS =
      Set.of("tool_use", "function", "function_call", "functionCall");

  private final WireFormat format;
  private final ModelRef model;
  private final ModelProfile profile;
  private final ModelProfiles profiles;
  private final List<Repair> repairs = new ArrayList<>();
  private final Map<String, Boolean> readable = new HashMap<>();
  private int omitted;

  PartSelection(WireFormat format, ModelRef model, ModelProfile profile, ModelProfiles profiles) {
    this.format = format;
    this.model = model;
    this.profile = profile;
    this.profiles = profiles;
  }

  /** Goes on behind messages that were chosen from before. */
  void begin(List<Repair> made, int omittedBefore) {
    repairs.addAll(made);
    omitted = omittedBefore;
  }

  /** What was left out because it says nothing. */
  List<Repair> repairs() {
    return repairs;
  }

  /** How many opaque parts the model does not read. */
  int omitted() {
    return omitted;
  }

  /**
   * The parts of a message that are sent, by their index: verbatim forms instead of what they stand
   * for if the model reads them, no opaque part that it does not read, no blank text.
   */
  List<BodyWriter.Sent> sent(Message message, int index) {
    List<Part> parts = message.parts();
    List<BodyWriter.Sent> sent = new ArrayList<>(parts.size());
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (!(part instanceof Part.Opaque opaque)) {
        boolean blank = isBlank(part);
        if (blank) {
          blank(index, i);
        }
        sent.add(new BodyWriter.Sent(part, i, blank));
        continue;
      }
      boolean goes = goes(opaque);
      boolean stands = opaque.verbatim() && i + 1 < parts.size() && canStandFor(parts.get(i + 1));
      omitted += goes || stands ? 0 : 1;
      sent.add(new BodyWriter.Sent(part, i, opaque.verbatim() || !goes));
      if (stands && goes) {
        sent.add(new BodyWriter.Sent(part, ++i, false));
      }
    }
    return sent;
  }

  private void blank(int message, int part) {
    String where = "/messages/" + message + "/parts/" + part;
    repairs.add(new Repair(RequestRule.V04, where, "the text is blank and was left out"));
  }

  private static boolean canStandFor(Part next) {
    return next instanceof Part.Text || next instanceof Part.ToolCall;
  }

  private static boolean isBlank(Part part) {
    return part instanceof Part.Text text && text.text().isBlank();
  }

  /** Whether the model reads an opaque part, and the format has a place for it. */
  boolean goes(Part.Opaque opaque) {
    return opaque.provider().equals(model.provider())
        && ReplyOpaque.isSendable(opaque.kind())
        && format.takes(opaque, profile)
        && readable.computeIfAbsent(opaque.model(), this::canRead);
  }

  private boolean canRead(String maker) {
    return maker.equals(model.model())
        || profile.canRead(profiles.profile(new ModelRef(profile.provider(), maker)));
  }

  /** A word that all formats share for what a part is. */
  static String kind(Part part) {
    return switch (part) {
      case Part.Text _unused -> "text";
      case Part.Image _unused -> "image";
      case Part.Document _unused -> "document";
      case Part.ToolCall _unused -> "tool_use";
      case Part.ToolResult _unused -> "tool_result";
      case Part.Opaque opaque -> CALLS.contains(opaque.kind()) ? "tool_use" : opaque.kind();
    };
  }
}
