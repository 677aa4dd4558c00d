// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;

/**
 * The pages of a folder such as {@code docs/performance}. People write them, except for what stands
 * between the marks {@code <!-- figures: NAME -->} and {@code <!-- end -->}: a benchmark replaces
 * that by what it has measured.
 *
 * @param folder where the pages are
 */
public record FiguresPages(Path folder) {
  private static final String END = "<!-- end -->";

  /**
   * Replaces the figures of one benchmark, in the page that has marks for them; without such a
   * page, creates one.
   *
   * @param name of the figures
   * @param command what measured them
   * @param table Markdown
   */
  public void write(String name, String command, String table) throws IOException {
    String begin = "<!-- figures: " + name + " -->";
    String block = begin + "\n" + circumstances(command) + "\n\n" + table.strip() + "\n" + END;
    for (Path page : pages()) {
      String text = Files.readString(page);
      int from = text.indexOf(begin);
      int to = text.indexOf(END, Math.max(from, 0));
      if (from >= 0 && to >= 0) {
        Files.writeString(
            page, text.substring(0, from) + block + text.substring(to + END.length()));
        return;
      }
    }
    Files.writeString(folder.resolve(name + ".md"), "# " + name + "\n\n" + block + "\n");
  }

  private List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
    }
  }

  private static String circumstances(String command) {
    return "Measured on %s by `%s`: %s processors, %s, Java %s."
        .formatted(
            LocalDate.now(ZoneOffset.UTC),
            command,
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.name"),
            System.getProperty("java.runtime.version"));
  }
}
