// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.roles;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.admin.Move;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.admin.Which;
import io.outledger.store.ParkedPlace;
import io.outledger.store.PauseScope;
import io.outledger.store.Start;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AskLogTest {

  private static final Reader SHOP = Reader.subscription("shop");
  private static final UUID ID = new UUID(0x7000, 1);

  @TempDir private Path folder;

  @Test
  void everyVerbIsReadAsItWasWritten() {
    AskLog log = new AskLog(folder.resolve("log"));
    List<Verb> verbs =
        List.of(
            new Move("shop", Start.at(7)),
            new Move("shop", Start.at(Instant.parse("2026-01-01T00:00:00.123456Z"))),
            new Verb.Delete("spare"),
            new Verb.Pause("shop", PauseScope.key("a key\twith a tab")),
            new Verb.Resume("shop", PauseScope.subscription()),
            new Verb.Discard(SHOP, new Which.Place(new ParkedPlace("mail", 3, ID)), Pace.UNLIMITED),
            new Verb.Replay(
                "shop", "mail", ReplayRange.positions(1, 9).withIds(List.of(ID)), new Pace(7, 2)));
    verbs.forEach(verb -> log.asks(AskLog.of(verb)));
    assertThat(log.read()).extracting(AskLog.Asked::verb).isEqualTo(verbs);
    assertThat(log.read()).allMatch(AskLog.Asked::isOpen);
  }

  @Test
  void whatWasAskedAgainAndAnsweredIsOneRequest() {
    AskLog log = new AskLog(folder.resolve("log"));
    AskLog.Asked one = AskLog.of(new Verb.Delete("spare"));
    log.asks(one);
    log.asks(one);
    assertThat(log.read()).singleElement().matches(AskLog.Asked::isOpen);
    log.answered(one);
    assertThat(log.read()).singleElement().matches(each -> !each.isOpen() && each.times() == 2);
    assertThat(log.read().get(0).request().id()).isEqualTo(one.id());
  }

  @Test
  void lineThatWasTornIsPassedOver() throws IOException {
    Path file = folder.resolve("log");
    AskLog log = new AskLog(file);
    AskLog.Asked torn = AskLog.of(new Verb.Delete("torn"));
    log.asks(torn);
    String text = Files.readString(file);
    Files.writeString(
        file, text.substring(0, text.length() - 1), StandardOpenOption.TRUNCATE_EXISTING);
    assertThat(log.read()).isEmpty();
    log.asks(AskLog.of(new Verb.Delete("whole")));
    assertThat(log.read())
        .singleElement()
        .matches(each -> each.verb().reader().name().equals("whole"));
  }
}
