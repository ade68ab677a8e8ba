package dev.contexture.server.load;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.apiguardian.api.API;

/** The files and connections that this process may have open. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Descriptors {
  private static final int FOR_CONNECTIONS = 2; // half of what is free; the rest is for the store

  private Descriptors() {}

  /**
   * How many connections may be open so that the store can always open its files.
   *
   * @param wanted the limit where there is room for it
   */
  public static int connections(int wanted) {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
      long free = unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount();
      return Math.clamp(free / FOR_CONNECTIONS, 1, wanted);
    }
    return wanted;
  }
}
