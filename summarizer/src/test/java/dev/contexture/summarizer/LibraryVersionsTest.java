package dev.contexture.summarizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.module.ModuleDescriptor.Version;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The libraries that the SDKs of providers bring, without the holes that are known of them. */
class LibraryVersionsTest {
  private static final Pattern JAR = Pattern.compile("(.+?)-(\\d+(?:\\.\\d+)*)\\.jar");

  /** The first versions without them. */
  private static final Map<String, String> SOUND = new LinkedHashMap<>();

  static {
    SOUND.put("jackson-core", "2.22.1"); // CVE-2026-68494
    SOUND.put("jackson-databind", "2.22.1"); // CVE-2026-54515
    SOUND.put("kotlin-stdlib", "2.1.0"); // CVE-2020-29582, as scanners date it
    SOUND.put("kotlin-reflect", "2.1.0");
    SOUND.put("kotlin-stdlib-jdk7", "1.6.0"); // CVE-2022-24329
    SOUND.put("kotlin-stdlib-jdk8", "1.6.0");
    SOUND.put("okio-jvm", "3.4.0"); // CVE-2023-3635
    SOUND.put("okhttp", "4.9.2"); // CVE-2021-0341
  }

  @Test
  void areNewerThanTheirHoles() {
    Map<String, List<String>> found = new LinkedHashMap<>();
    for (String path : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Matcher jar = JAR.matcher(new File(path).getName());
      if (jar.matches()) {
        found.computeIfAbsent(jar.group(1), unused -> new ArrayList<>()).add(jar.group(2));
      }
    }
    SOUND.forEach(
        (library, first) ->
            assertThat(found.get(library))
                .as(library)
                .isNotNull()
                .allSatisfy(
                    version ->
                        assertThat(Version.parse(version))
                            .isGreaterThanOrEqualTo(Version.parse(first))));
  }
}
