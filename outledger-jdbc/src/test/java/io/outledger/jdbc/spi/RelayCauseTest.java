// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.admin.Cause;
import io.outledger.jdbc.admin.Cause.Kind;
import io.outledger.jdbc.spi.RelayCause.About;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RelayCauseTest {

  private static final Instant SINCE = Instant.parse("2026-01-02T12:00:00Z");

  @Test
  void nothingIsWrittenOfNoCauses() {
    assertThat(RelayCause.write(List.of())).isNull();
    assertThat(RelayCause.read(null, SINCE)).isEmpty();
  }

  @Test
  void whatIsWrittenIsRead() {
    RelayCause cause =
        new RelayCause(
            Kind.BREAKER,
            new About("a=b", "t&t", "y\ny", "k%k"),
            "one\ntwo = 3",
            Duration.ofMillis(1_500));
    assertThat(RelayCause.read(RelayCause.write(List.of(cause, cause)), SINCE))
        .hasSize(2)
        .containsOnly(
            new Cause(
                Kind.BREAKER,
                "a=b",
                "t&t",
                "y\ny",
                "k%k",
                SINCE.minusMillis(1_500),
                "one\ntwo = 3"));
  }

  @Test
  void kindOfANewerVersionIsOther() {
    assertThat(RelayCause.read("kind=ECLIPSE&text=by+us", SINCE))
        .containsExactly(new Cause(Kind.OTHER, "", null, null, null, SINCE, "by us"));
  }

  @Test
  void whatIsStoredIsBounded() {
    RelayCause cause = new RelayCause(Kind.OUTAGE, About.ALL, "€".repeat(9_000), Duration.ZERO);
    String text = RelayCause.write(Collections.nCopies(1_000, cause));
    assertThat(RelayCause.read(text, SINCE)).hasSize(100);
  }
}
