// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.Require;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request and what came of it, as the table {@code outledger_request} keeps it.
 *
 * @param id its id
 * @param verb what was asked for, such as {@code move}
 * @param reader whom it is about
 * @param selection what exactly, as {@code name=value} pairs joined by {@code &}; empty where the
 *     verb says all
 * @param askedBy who asked
 * @param reason why
 * @param askedAt when, by the database's clock
 * @param state how far it has come
 * @param done how much was done: messages, or 1 for what is one step
 * @param total how much there is to do, as it was counted; null where nobody has counted
 * @param code the code of the error that refused it, such as {@code OUT-025}; null unless refused
 * @param result what came of it, a sentence for people; empty while nothing has
 * @param changedAt when it changed last, by the database's clock
 */
public record RequestStatus(
    UUID id,
    String verb,
    Reader reader,
    String selection,
    String askedBy,
    String reason,
    Instant askedAt,
    RequestState state,
    long done,
    @Nullable Long total,
    @Nullable String code,
    String result,
    Instant changedAt) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public RequestStatus {
    Require.nonNull("id", id);
    Require.nonNull("verb", verb);
    Require.nonNull("reader", reader);
    Require.nonNull("selection", selection);
    Require.nonNull("askedBy", askedBy);
    Require.nonNull("reason", reason);
    Require.nonNull("askedAt", askedAt);
    Require.nonNull("state", state);
    Require.nonNull("result", result);
    Require.nonNull("changedAt", changedAt);
  }
}
