package dev.contexture.cli.output;

import java.io.PrintWriter;
import java.util.Locale;

/** Shows on standard error how far a command is. Confined to one thread. */
public final class Progress implements AutoCloseable {
  private static final int WIDTH = 30;
  private static final int PERCENT = 100;
  private static final int QUARTERS = 4;

  /** The way in which progress is shown. */
  public enum Form {
    /** A bar that is drawn over itself: for terminals. */
    BAR,
    /** A line for each quarter: for logs. */
    LINES,
    NONE
  }

  private final PrintWriter err;
  private final Form form;
  private final String what;
  private long shown = -1;
  private boolean drawn;

  public Progress(PrintWriter err, Form form, String what) {
    this.err = err;
    this.form = form;
    this.what = what;
  }

  /**
   * Says how far it is.
   *
   * @param total 0 if it is not known yet
   */
  public void at(long done, long total) {
    if (total <= 0 || form == Form.NONE) {
      return;
    }
    long steps = form == Form.BAR ? PERCENT : QUARTERS;
    long reached = Math.min(steps, Math.max(0, done) * steps / total);
    if (reached == shown) {
      return;
    }
    shown = reached;
    if (form == Form.BAR) {
      draw(reached);
    } else if (reached > 0) {
      err.println(what + ": " + reached * PERCENT / QUARTERS + " %");
    }
    err.flush();
  }

  private void draw(long percent) {
    int full = (int) (percent * WIDTH / PERCENT);
    drawn = true;
    err.print(
        String.format(
            Locale.ROOT,
            "\r%s [%s%s] %3d %%",
            what,
            "#".repeat(full),
            "-".repeat(WIDTH - full),
            percent));
  }

  /** Leaves the line as if nothing had been there. */
  @Override
  public void close() {
    if (drawn) {
      err.print("\r\u001b[2K");
      err.flush();
      drawn = false;
    }
  }
}
