// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How renames and replays are stored, and what a rename makes of what is stored. */
class RenameTextTest {

  private static List<Verb> verbs() {
    Instant start = Instant.parse("2026-11-26T12:00:00Z");
    ReplayRange span = ReplayRange.ALL.within(start, start.plusSeconds(1)).withType("order.placed");
    ReplayRange ids =
        ReplayRange.positions(3, 9).withIds(List.of(new UUID(1, 2), new UUID(3, 4))).withKey("k");
    return List.of(
        Verb.Rename.subscription("orders", "order events"),
        Verb.Rename.route("orders", "mail", "post & parcel"),
        Verb.Rename.route("orders", "", "mail"),
        Verb.Rename.route("orders", "mail", ""),
        Verb.Rename.consumer("stock", "store"),
        new Verb.Replay("orders", "mail", span, Pace.UNLIMITED, true),
        new Verb.Replay("orders", "", ids, new Pace(5, 2)));
  }

  @SuppressWarnings("NullAway") // which does not see that an array of a record may be null
  @ParameterizedTest
  @MethodSource("verbs")
  void verbIsReadAsItWasWritten(Verb verb) {
    Instant now = Instant.EPOCH;
    RequestStatus row =
        new RequestStatus(
            new UUID(0, 1),
            VerbText.name(verb),
            verb.reader(),
            VerbText.selection(verb),
            "anna",
            "why",
            now,
            RequestState.WAITING,
            0,
            null,
            null,
            "",
            now);
    assertThat(VerbText.read(new RequestRow(row, null, now, null))).contains(verb);
  }

  @Test
  void asManyIdsAsThereMayBeFit() {
    List<UUID> most = Stream.generate(UUID::randomUUID).limit(ReplayRange.IDS_MAX).toList();
    Verb replay =
        new Verb.Replay("orders", "mail", ReplayRange.ALL.withIds(most), Pace.UNLIMITED, true);
    assertThat(VerbText.selection(replay)).hasSizeLessThan(VerbText.SELECTION_CHARS_MAX);
  }

  @Test
  void routeHasItsNewNameWhereverARequestNamesIt() {
    assertThat(VerbText.withRoute("position=1&route=mail", "mail", "post"))
        .isEqualTo("position=1&route=post");
    assertThat(VerbText.withRoute("name=mail&scope=route", "mail", "post"))
        .isEqualTo("name=post&scope=route");
    assertThat(VerbText.withRoute("name=mail&scope=topic", "mail", "post"))
        .isEqualTo("name=mail&scope=topic");
    assertThat(VerbText.withRoute("key=mail&route=stock", "mail", "post"))
        .isEqualTo("key=mail&route=stock");
  }
}
