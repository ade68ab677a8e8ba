package dev.contexture.server;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The files and connections that this process may have open. */
final class Descriptors {
  private static final int FOR_CONNECTIONS = 2; // half of what is free; the rest is for the store

  private Descriptors() {}

  /**
   * How many connections may be open so that the store can always open its files.
   *
   * @param wanted the limit where there is room for it
   */
  static int connections(int wanted) {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
      long free = unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount();
      return Math.clamp(free / FOR_CONNECTIONS, 1, wanted);
    }
    return wanted;
  }
}
