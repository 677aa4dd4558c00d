// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.Message;
import io.outledger.store.LedgerMessage;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes messages on their way. */
final class Deliveries {

  private Deliveries() {}

  static Delivery delivery(long position, @Nullable String key) {
    return delivery(position, position, key);
  }

  /** Makes one with an id, as of another ledger. */
  static Delivery delivery(long position, long id, @Nullable String key) {
    Message.Builder builder = Message.to("orders", "placed").id(new UUID(0, id));
    Message message = key == null ? builder.build() : builder.key(key).build();
    return new Delivery(new LedgerMessage(position, message), message, null, null, null);
  }
}
