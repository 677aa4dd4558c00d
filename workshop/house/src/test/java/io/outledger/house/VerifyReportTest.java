// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerifyReportTest {
  @TempDir private Path root;

  @Test
  void countsTheTestsOfEveryModuleAndServer() throws IOException {
    file("core/target/surefire-reports/TEST-a.xml", suite("<testcase classname='A' name='x'/>"));
    file("jdbc/target/failsafe-reports/TEST-b.xml", suite("<testcase classname='B' name='x'/>"));
    file("jdbc/target/failsafe-reports-other/TEST-b.xml", suite("<testcase name='x'/>"));

    VerifyReport report = VerifyReport.read(root);

    assertThat(report.isGood()).isTrue();
    assertThat(report.summary(7)).contains("3 passed, 0 failed, 0 skipped");
    assertThat(report.json(7)).contains("\"verified\": true", "\"tests\": 3", "\"seconds\": 7");
  }

  @Test
  void aFailedTestIsNamed() throws IOException {
    file(
        "core/target/surefire-reports/TEST-a.xml",
        suite("<testcase classname='A' name='x'><error message='gone'/></testcase>"));

    VerifyReport report = VerifyReport.read(root);

    assertThat(report.isGood()).isFalse();
    assertThat(report.summary(1))
        .contains("not verified", "FAILED    A.x", "0 passed, 1 failed, 0 skipped");
    assertThat(report.json(1)).contains("\"failures\": 1", "\"failed\": [\"A.x\"]");
  }

  @Test
  void aFailedTestSaysWhyOnOneLineOfBoundedLength() throws IOException {
    String long1000 = "much ".repeat(200);
    file(
        "core/target/surefire-reports/TEST-a.xml",
        suite(
            "<testcase classname='A' name='x'><failure message='one&#10;   two'/></testcase>"
                + "<testcase classname='A' name='y'><failure>at line 7</failure></testcase>"
                + "<testcase classname='A' name='z'><error message='"
                + long1000
                + "'/></testcase>"));

    assertThat(VerifyReport.read(root).summary(1).lines().map(String::strip))
        .containsSubsequence("FAILED    A.x", "one two", "FAILED    A.y", "at line 7")
        .allMatch(line -> line.length() <= 300);
  }

  @Test
  void aSkippedTestIsNotGood() throws IOException {
    file(
        "core/target/surefire-reports/TEST-a.xml",
        suite("<testcase classname='A' name='x'><skipped/></testcase>"));

    assertThat(VerifyReport.read(root).isGood()).isFalse();
  }

  @Test
  void aRunWithoutTestsIsNotGood() throws IOException {
    assertThat(VerifyReport.read(root).isGood()).isFalse();
  }

  @Test
  void gathersWhatTestsDropped() throws IOException {
    file(
        "target/verify/a.jsonl",
        """
        {"kind":"kill","role":"relay","pid":12,"atMs":5,"inFlight":3}
        {"kind":"seeds","first":1,"count":2000}
        {"kind":"server","name":"postgres","version":"18.6"}
        """);
    file(
        "target/verify/b.jsonl",
        "{\"kind\":\"server\",\"name\":\"postgres\",\"version\":\"15.19\"}");

    VerifyReport report = VerifyReport.read(root);

    assertThat(report.json(1))
        .contains(
            "{\"role\":\"relay\",\"pid\":12,\"atMs\":5,\"inFlight\":3}",
            "\"seeds\": {\"first\": 1, \"count\": 2000}",
            "\"postgres\": [\"15.19\", \"18.6\"]");
    assertThat(report.summary(1)).contains("1 (relay 1)", "2000 from 1", "postgres 15.19, 18.6");
  }

  @Test
  void aServerThatNeverRanIsMissed() throws IOException {
    file("core/target/surefire-reports/TEST-a.xml", suite("<testcase name='x'/>"));
    file(
        "target/verify/a.jsonl",
        "{\"kind\":\"server\",\"name\":\"postgres\",\"version\":\"18.6\"}");

    VerifyReport report = VerifyReport.read(root);
    report.expect(List.of("18"));
    assertThat(report.isGood()).isTrue();

    report.expect(List.of("15", "18"));
    assertThat(report.isGood()).isFalse();
    assertThat(report.summary(1)).contains("NEVER RAN PostgreSQL 15");
  }

  @Test
  void anUnknownLineIsNotPassedOver() throws IOException {
    file("target/verify/a.jsonl", "{\"kind\":\"rumour\"}");

    assertThatThrownBy(() -> VerifyReport.read(root)).hasMessageContaining("rumour");
  }

  private static String suite(String cases) {
    return "<testsuite>" + cases + "</testsuite>";
  }

  private void file(String name, String content) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }
}
