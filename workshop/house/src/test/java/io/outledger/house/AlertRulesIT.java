// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The alert rules for Prometheus: each is tried, and asks for gauges that there are. */
class AlertRulesIT {

  private static final Path FOLDER = ProjectFiles.root().resolve("monitoring");
  private static final Path RULES = FOLDER.resolve("outledger.rules.yml");
  private static final Path TRIED = FOLDER.resolve("outledger.rules.test.yml");
  private static final Path GAUGES =
      ProjectFiles.root()
          .resolve("outledger-micrometer/src/main/java/io/outledger/micrometer/LedgerGauges.java");
  private static final Path METERS =
      ProjectFiles.root()
          .resolve(
              "outledger-micrometer/src/main/java/io/outledger/micrometer/OutledgerMeters.java");
  private static final Set<String> UNITS = Set.of("", "_seconds", "_bytes");

  @Test
  void rulesSayWhatTheirTestsWant() throws IOException, InterruptedException {
    Process promtool =
        new ProcessBuilder("promtool", "test", "rules", TRIED.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(promtool.waitFor()).as(output).isZero();
  }

  @Test
  void eachRuleIsTriedAndFires() {
    Set<String> alerts = found("- alert: (\\w+)", RULES);
    assertThat(alerts).hasSizeGreaterThan(5);
    assertThat(found("alertname: (\\w+)\\s+exp_alerts:", TRIED)).isEqualTo(alerts);
  }

  @Test
  void rulesAskForGaugesThatThereAre() {
    Set<String> whole = found("\"(outledger[.][a-z.]*[a-z])\"", GAUGES);
    Set<String> ofSubscriptions =
        found("\\bof\\(\\s*registry,\\s*\"([a-z.]+)\"", GAUGES).stream()
            .map("outledger.subscription."::concat)
            .collect(Collectors.toSet());
    Set<String> ofReceivers =
        found("\\bRECEIVER [+] \"([a-z.]+)\"", METERS).stream()
            .map("outledger.receiver."::concat)
            .collect(Collectors.toSet());
    Set<String> exported = new TreeSet<>();
    ofReceivers.forEach(name -> exported(name, exported));
    whole.forEach(name -> exported(name, exported));
    ofSubscriptions.forEach(name -> exported(name, exported));
    assertThat(found("\\b(outledger_\\w+)(?=[\\[{)])", RULES))
        .hasSizeGreaterThan(8)
        .isSubsetOf(exported);
  }

  private static void exported(String name, Set<String> into) {
    UNITS.forEach(unit -> into.add(name.replace('.', '_').toLowerCase(Locale.ROOT) + unit));
  }

  private static Set<String> found(String pattern, Path file) {
    return Pattern.compile(pattern)
        .matcher(ProjectFiles.read(file))
        .results()
        .map((MatchResult match) -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
