// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.record;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Where the project keeps what runs have shown.
 *
 * @param home its root
 */
public record Project(Path home) {

  private static final Path RUNS = Path.of("docs", "reliability", "runs.jsonl");
  private static final Path PAGE = Path.of("docs", "reliability.md");

  /** Returns the project whose command was called. */
  public static Project here() {
    return new Project(Path.of(System.getProperty("outledger.home", ".")));
  }

  /** Adds a record, and writes the page again. */
  public void record(RunRecord record) throws IOException {
    Path runs = home.resolve(RUNS);
    Path folder = runs.getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Files.writeString(runs, record.json() + "\n", CREATE, APPEND);
    writePage();
  }

  /** Writes the page again. */
  public void writePage() throws IOException {
    Files.writeString(home.resolve(PAGE), page());
  }

  /** Returns what the page has to say. */
  String page() throws IOException {
    List<RunRecord> records =
        Files.readAllLines(home.resolve(RUNS)).stream()
            .filter(line -> !line.isBlank())
            .map(RunRecord::read)
            .toList();
    return new Page(records).text();
  }
}
