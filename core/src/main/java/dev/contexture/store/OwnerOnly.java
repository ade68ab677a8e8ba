package dev.contexture.store;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Makes files and directories that only their owner may use (0600 and 0700). A system without such
 * permissions, as Windows, gets plain ones: there the permissions of the directory above decide.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class OwnerOnly {
  private static final Set<PosixFilePermission> OWNERS =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  private OwnerOnly() {}

  /** Whether the system knows an owner and others. */
  public static boolean isSupported() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  }

  /** Makes a directory if there is none; those above it are made as the system makes them. */
  public static void createDirectory(Path directory) throws IOException {
    Path above = directory.toAbsolutePath().getParent();
    if (above != null) {
      Files.createDirectories(above);
    }
    try {
      Files.createDirectory(directory, attributes("rwx------"));
    } catch (FileAlreadyExistsException there) {
      if (!Files.isDirectory(directory)) {
        throw there;
      }
    }
  }

  /** Makes an empty file. */
  public static void createFile(Path file) throws IOException {
    Files.createFile(file, fileAttributes());
  }

  /** What a new file is opened with. */
  public static FileAttribute<?>[] fileAttributes() {
    return attributes("rw-------");
  }

  private static FileAttribute<?>[] attributes(String permissions) {
    return isSupported()
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  /** Whether somebody else than its owner has a permission. */
  public static boolean isOpenToOthers(Path path) throws IOException {
    return isSupported() && !OWNERS.containsAll(Files.getPosixFilePermissions(path));
  }

  /** Takes every permission from everybody but the owner. */
  public static void tighten(Path path) throws IOException {
    Set<PosixFilePermission> kept = EnumSet.copyOf(OWNERS);
    kept.retainAll(Files.getPosixFilePermissions(path));
    Files.setPosixFilePermissions(path, kept);
  }
}
