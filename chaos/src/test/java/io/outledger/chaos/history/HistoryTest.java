// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.frontier.Positions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {

  private static final UUID ID = new UUID(1, 2);

  private static final List<Entry> ALL =
      List.of(
          new Entry.Wrote("key\twith\na tab", 7, ID, CommitOutcome.UNKNOWN),
          new Entry.Wrote(null, 7, ID, CommitOutcome.ROLLED_BACK),
          new Entry.Wrote("~", 7, ID, CommitOutcome.COMMITTED),
          new Entry.Wrote("", -7, ID, CommitOutcome.COMMITTED),
          new Entry.Stored(ID, Long.MAX_VALUE),
          new Entry.Parked(ID, true, false),
          new Entry.Cursor(9, Positions.NONE),
          new Entry.Cursor(9, Positions.of(1, 2, 3, 7)),
          new Entry.Changed("cursor", 3, "ö ."),
          new Entry.Arrived("orders-3", 0, ID),
          new Entry.Acknowledged(ID),
          new Entry.Overtaken(ID, new UUID(3, 4)),
          new Entry.Released(ID),
          new Entry.Discarded(ID),
          new Entry.Forgotten(ID),
          new Entry.Asked(ID),
          new Entry.Unasked(ID),
          new Entry.Audited(ID, true),
          new Entry.Crashed("relay", 100),
          new Entry.MayRepeat(ID),
          new Entry.Consumes("stock"),
          new Entry.Effect("stock", ID),
          new Entry.Figure("published", 1, 2),
          new Entry.Left("threads", 1, 2));

  @Test
  void everyEntryIsReadAsItWasWritten(@TempDir Path folder) {
    Path path = folder.resolve("history");
    try (History history = History.open(path)) {
      history.write(ALL.get(0));
      history.writeAll(ALL.subList(1, ALL.size()));
    }

    List<Entry> read = new ArrayList<>();
    assertThat(History.read(path, read::add)).isZero();
    assertThat(read).isEqualTo(ALL);
  }

  @Test
  void lineTornAnywhereIsPassedOverAndTheNextProcessGoesOn(@TempDir Path folder)
      throws IOException {
    for (Entry torn : ALL) {
      String line = EntryText.write(torn);
      for (int length = 1; length < line.length(); length++) {
        Path path = Files.createTempFile(folder, "history", "");
        Files.writeString(path, line.substring(0, length), StandardOpenOption.TRUNCATE_EXISTING);
        try (History history = History.open(path)) {
          history.write(new Entry.Acknowledged(ID));
        }

        List<Entry> read = new ArrayList<>();
        assertThat(History.read(path, read::add)).isEqualTo(1);
        assertThat(read).containsExactly(new Entry.Acknowledged(ID));
        Files.delete(path);
      }
    }
  }

  @Test
  void fileThatIsNotThereIsEmpty(@TempDir Path folder) {
    assertThat(History.read(folder.resolve("none"), entry -> {})).isZero();
  }

  @Test
  void wholeLineThatMeansNothingIsAnError() {
    assertThatThrownBy(() -> EntryText.read("arrived\t1\t."))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> EntryText.read("surprise\t."))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
