// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Writes what PIT found into a document: a table of the classes, and all that survived. */
final class Table {

  private static final int PERCENT_MIN = 85;
  private static final String FOUND = "mutations.xml";

  private static final String HEAD =
      """
      # Which changes of the core's rules a test notices

      Written by `proof/pit/run` on %s, at commit %s.
      PIT makes one small change at a time, such as another comparison or a call left out.

      | class | changes | noticed | of 100 |
      |---|---|---|---|""";

  private static final String UNNOTICED =
      """

      ## What nothing noticed

      Why is told by hand in `proof/pit/reasons`. Where nothing is told, nobody has looked yet: a
      test may be missing.

      | place | line | change | why nothing notices it |
      |---|---|---|---|""";

  private final Map<String, String> reasons = new LinkedHashMap<>();
  private final Map<String, List<Change>> classes = new TreeMap<>();

  private record Change(
      String file,
      int line,
      String method,
      String kind,
      String text,
      boolean noticed) {

    String type() {
      return file.replace(".java", "");
    }

    String place() {
      return type() + "." + method;
    }
  }

  /** Takes PIT's folder, the file of reasons, the document, and the commit. */
  public static void main(String[] arguments) throws Exception {
    Table table = new Table();
    for (String line : Files.readAllLines(Path.of(arguments[1]))) {
      int colon = line.indexOf(": ");
      if (!line.startsWith("#") && colon > 0) {
        table.reasons.put(line.substring(0, colon), line.substring(colon + 2));
      }
    }
    table.classes.putAll(
        read(Path.of(arguments[0]).resolve(FOUND)).stream()
            .collect(Collectors.groupingBy(Change::type)));
    int percent = table.write(Path.of(arguments[2]), arguments[3]);
    System.out.println("written: " + arguments[2] + ", " + percent + " of 100 are noticed");
    System.exit(percent < PERCENT_MIN ? 1 : 0);
  }

  private static List<Change> read(Path file) throws Exception {
    NodeList all =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(file.toFile())
            .getElementsByTagName("mutation");
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < all.getLength(); i++) {
      Element each = (Element) all.item(i);
      String mutator = text(each, "mutator");
      changes.add(
          new Change(
              text(each, "sourceFile"),
              Integer.parseInt(text(each, "lineNumber")),
              text(each, "mutatedMethod"),
              mutator.substring(mutator.lastIndexOf('.') + 1).replace("Mutator", ""),
              text(each, "description").replaceAll("io/outledger/[a-z/]*", "").replace("::", "."),
              each.getAttribute("detected").equals("true")));
    }
    changes.sort(Comparator.comparing(Change::file).thenComparing(Change::line));
    return changes;
  }

  private static String text(Element element, String name) {
    return element.getElementsByTagName(name).item(0).getTextContent();
  }

  private int write(Path document, String commit) throws IOException {
    List<String> lines = new ArrayList<>();
    List<Change> everything = classes.values().stream().flatMap(List::stream).toList();
    lines.add(HEAD.formatted(LocalDate.now(ZoneOffset.UTC), commit));
    classes.forEach((name, changes) -> lines.add(row(name, changes)));
    lines.add(row("together", everything));
    lines.add(UNNOTICED);
    everything.stream().filter(change -> !change.noticed()).map(this::survivor).forEach(lines::add);
    Files.writeString(document, String.join("\n", lines) + "\n");
    return percent(everything);
  }

  private static String row(String name, List<Change> changes) {
    long noticed = changes.stream().filter(Change::noticed).count();
    return "| %s | %d | %d | %d |".formatted(name, changes.size(), noticed, percent(changes));
  }

  private static int percent(List<Change> changes) {
    long noticed = changes.stream().filter(Change::noticed).count();
    return changes.isEmpty() ? 100 : (int) (100 * noticed / changes.size());
  }

  private String survivor(Change change) {
    String reason = reasons.get(change.place() + " " + change.kind());
    if (reason == null) {
      reason = reasons.getOrDefault(change.place(), "");
    }
    return "| `%s` | %d | %s | %s |"
        .formatted(change.place(), change.line(), change.text(), reason);
  }
}
