package dev.contexture.memory.permission;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** The form of labels, field, section and tool names, and of ids. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class MemoryNames {
  /** What a message says is allowed. */
  public static final String ALLOWED = "1 to 64 of A-Z a-z 0-9 _ . : -";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.:-]{1,64}");
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._@:+-]{1,128}");

  private MemoryNames() {}

  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /**
   * @throws ContextureException {@code invalid_label} if the name has another form
   */
  public static String check(String what, String name) {
    if (!isName(name)) {
      throw ContextureException.invalid(ErrorCode.INVALID_LABEL, what, name, ALLOWED);
    }
    return name;
  }

  /**
   * As {@link #check}, for a label, which is part of a path: not {@code .} or {@code ..}, which
   * clients take for the path itself.
   */
  public static String checkLabel(String label) {
    if (label.equals(".") || label.equals("..")) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_LABEL, "label", label, ALLOWED + ", but not . or ..");
    }
    return check("label", label);
  }

  static void checkId(String what, String id) {
    if (!ID.matcher(id).matches()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, what, id, "1 to 128 of A-Z a-z 0-9 . _ @ : + -");
    }
  }
}
