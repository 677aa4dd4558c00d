// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Turns the reports that a test run left behind into {@code target/verify-report.json} and a few
 * lines for people. It needs nothing but a JDK, so {@code ./verify} runs this file from its source
 * even when the build has failed.
 *
 * <p>Counts come from the XML of Surefire and Failsafe; kills, seeds and servers from the lines of
 * JSON that tests drop into {@code target/verify}.
 */
public final class VerifyReport {
  private static final Pattern TEXT = Pattern.compile("\"(\\w+)\"\\s*:\\s*\"([^\"]*)\"");
  private static final Pattern NUMBER = Pattern.compile("\"(\\w+)\"\\s*:\\s*(-?\\d+)");

  private boolean built = true;
  private int tests;
  private int skipped;
  private final List<Failed> failures = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();
  private final List<String> kills = new ArrayList<>();
  private final Map<String, Integer> killsByRole = new TreeMap<>();
  private final Map<String, Set<String>> servers = new TreeMap<>();
  private long seedFirst = Long.MAX_VALUE;
  private long seedCount;

  /** A test that failed, and the beginning of what it said. */
  private record Failed(String test, String why) {

    private static final int CHARACTERS_MAX = 300;

    static Failed of(Element test, Element failure) {
      String said = failure.getAttribute("message");
      String why = (said.isBlank() ? failure.getTextContent() : said).strip();
      String line = why.replaceAll("\\s+", " ");
      return new Failed(
          test.getAttribute("classname") + "." + test.getAttribute("name"),
          line.substring(0, Math.min(line.length(), CHARACTERS_MAX)));
    }
  }

  private VerifyReport() {}

  /**
   * Reports on the run whose reports lie below the project's root.
   *
   * @param args the project's root, the second since 1970 at which the run began, the exit code of
   *     the build, and the major versions of PostgreSQL that were asked for
   * @throws IOException if a report cannot be read or written
   */
  public static void main(String[] args) throws IOException {
    Path root = Path.of(args[0]);
    long seconds = Instant.now().getEpochSecond() - Long.parseLong(args[1]);
    VerifyReport report = read(root);
    report.built = args[2].equals("0");
    report.expect(List.of(args).subList(3, args.length));
    Path written = root.resolve("target").resolve("verify-report.json");
    Files.createDirectories(written.getParent());
    Files.writeString(written, report.json(seconds));
    System.out.print(report.summary(seconds));
    if (!report.isGood()) {
      System.exit(1);
    }
  }

  static VerifyReport read(Path root) throws IOException {
    VerifyReport report = new VerifyReport();
    for (Path xml : files(root, 5, ".*/target/(surefire|failsafe)-reports[^/]*/TEST-.*\\.xml")) {
      report.suite(xml);
    }
    for (Path lines : files(root.resolve("target").resolve("verify"), 1, ".*\\.jsonl?")) {
      Files.readAllLines(lines).stream().filter(line -> !line.isBlank()).forEach(report::line);
    }
    return report;
  }

  /** Whether all was built and tests ran, on every server asked for, and passed, unskipped. */
  boolean isGood() {
    return built && tests > 0 && failures.isEmpty() && skipped == 0 && missing.isEmpty();
  }

  /** Misses every major version of PostgreSQL that no test has started. */
  void expect(List<String> majors) {
    Set<String> started = servers.getOrDefault("postgres", Set.of());
    majors.stream()
        .filter(major -> started.stream().noneMatch(version -> version.startsWith(major + ".")))
        .forEach(missing::add);
  }

  private static List<Path> files(Path folder, int depth, String pattern) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> found = Files.walk(folder, depth)) {
      return found.filter(file -> file.toString().matches(pattern)).sorted().toList();
    }
  }

  private void suite(Path xml) throws IOException {
    NodeList cases = parse(xml).getElementsByTagName("testcase");
    for (int i = 0; i < cases.getLength(); i++) {
      Element test = (Element) cases.item(i);
      tests++;
      Stream.of("failure", "error")
          .flatMap(child -> child(test, child))
          .findFirst()
          .ifPresent(failure -> failures.add(Failed.of(test, failure)));
      skipped += (int) child(test, "skipped").count();
    }
  }

  private static Stream<Element> child(Element test, String name) {
    return Stream.ofNullable((Element) test.getElementsByTagName(name).item(0));
  }

  private static Element parse(Path xml) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      return factory.newDocumentBuilder().parse(xml.toFile()).getDocumentElement();
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("Not a test report: " + xml, e);
    }
  }

  private void line(String line) {
    switch (text(line, "kind")) {
      case "kill" -> {
        kills.add(line.strip().replaceFirst("\"kind\"\\s*:\\s*\"kill\"\\s*,?\\s*", ""));
        killsByRole.merge(text(line, "role"), 1, Integer::sum);
      }
      case "seeds" -> {
        seedFirst = Math.min(seedFirst, number(line, "first"));
        seedCount += number(line, "count");
      }
      case "server" ->
          servers
              .computeIfAbsent(text(line, "name"), name -> new TreeSet<>())
              .add(text(line, "version"));
      default -> throw new IllegalArgumentException("A line of no known kind: " + line);
    }
  }

  private static String text(String line, String name) {
    return value(TEXT, line, name);
  }

  private static long number(String line, String name) {
    return Long.parseLong(value(NUMBER, line, name));
  }

  private static String value(Pattern pattern, String line, String name) {
    Matcher matcher = pattern.matcher(line);
    while (matcher.find()) {
      if (matcher.group(1).equals(name)) {
        return matcher.group(2);
      }
    }
    throw new IllegalArgumentException("A line without \"" + name + "\": " + line);
  }

  /** The report for machines. */
  String json(long seconds) {
    return """
    {
      "verified": %s,
      "tests": %d,
      "failures": %d,
      "skipped": %d,
      "failed": [%s],
      "kills": [%s],
      "seeds": {"first": %s, "count": %d},
      "servers": {%s},
      "jdk": %s,
      "seconds": %d
    }
    """
        .formatted(
            isGood(),
            tests,
            failures.size(),
            skipped,
            failures.stream().map(each -> quoted(each.test())).collect(joining(", ")),
            kills.stream().map(kill -> "\n    " + kill).collect(joining(",")),
            seedCount == 0 ? "null" : seedFirst,
            seedCount,
            servers.entrySet().stream().map(VerifyReport::server).collect(joining(", ")),
            quoted(System.getProperty("java.runtime.version")),
            seconds);
  }

  private static String server(Map.Entry<String, Set<String>> server) {
    String versions = server.getValue().stream().map(VerifyReport::quoted).collect(joining(", "));
    return quoted(server.getKey()) + ": [" + versions + "]";
  }

  private static String quoted(String text) {
    String escaped = text.replace("\\", "\\\\").replace("\"", "\\\"");
    return '"' + escaped.replaceAll("[\\x00-\\x1f]", " ") + '"';
  }

  /** The report for people. */
  String summary(long seconds) {
    String killed =
        killsByRole.entrySet().stream()
            .map(role -> role.getKey() + " " + role.getValue())
            .collect(joining(", ", " (", ")"));
    String failed =
        failures.stream()
                .map(each -> "  FAILED    " + each.test() + "\n            " + each.why() + "\n")
                .collect(joining())
            + missing.stream()
                .map(major -> "  NEVER RAN PostgreSQL " + major + "\n")
                .collect(joining())
            + (built ? "" : "  NOT BUILT the errors are above\n");
    return """

    Outledger, %s
      kills    %s
      seeds    %s
      servers  %s
      jdk      %s
      time     %d s
      report   target/verify-report.json
    %s%d passed, %d failed, %d skipped
    """
        .formatted(
            isGood() ? "verified" : "not verified",
            kills.size() + (kills.isEmpty() ? "" : killed),
            seedCount + (seedCount == 0 ? "" : " from " + seedFirst),
            servers.entrySet().stream()
                .map(server -> server.getKey() + " " + String.join(", ", server.getValue()))
                .collect(joining("; ")),
            System.getProperty("java.runtime.version"),
            seconds,
            failed,
            tests - failures.size() - skipped,
            failures.size(),
            skipped);
  }
}
