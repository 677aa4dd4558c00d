// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import io.outledger.Message;
import io.outledger.chaos.history.CommitOutcome;
import io.outledger.chaos.history.Entry;
import io.outledger.chaos.roles.RoleSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages of a transaction that stays open for a good while.
 *
 * @param key the transaction's own
 * @param messages in their order
 */
record HeldMessages(String key, List<Message> messages) {

  static final int COUNT = 3;

  /** Returns new ones. */
  static HeldMessages of(Scene scene) {
    String key = "held-" + Long.toHexString(scene.random().nextLong());
    List<Message> messages = new ArrayList<>();
    for (int i = 1; i <= COUNT; i++) {
      messages.add(
          Message.to(RoleSettings.TOPIC, RoleSettings.TYPE)
              .key(key)
              .payload((key + " " + i).getBytes(StandardCharsets.UTF_8))
              .build());
    }
    return new HeldMessages(key, messages);
  }

  /** Returns what is taken down of them. */
  List<Entry.Wrote> written(CommitOutcome outcome) {
    List<Entry.Wrote> written = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      written.add(new Entry.Wrote(key, i + 1L, messages.get(i).id(), outcome));
    }
    return written;
  }
}
