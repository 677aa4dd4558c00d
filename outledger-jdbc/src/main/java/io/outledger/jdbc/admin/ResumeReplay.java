// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.ConfigurationException;
import io.outledger.Name;
import io.outledger.Require;
import java.util.UUID;

/**
 * Has a {@link Verb.Replay} go on that was stopped, by somebody or because too much failed: where
 * it stood, with what it said, under its own id. What the stop had taken back comes first; it is
 * not forgotten a second time, so a handler that had begun with it by then processes it once. The
 * replay is running again when this request is done, and counts on.
 *
 * <p>Refused for anything but a replay that is stopped; for one that a move, a skip or a deletion
 * of the subscription has ended, since it does not stand where it stood; and as long as the replay
 * would stop again at once. Ask for another replay then.
 *
 * @param subscription the replay's subscription
 * @param replay the id of the replay's request
 */
public record ResumeReplay(String subscription, UUID replay) implements Verb.OfReplay {

  /**
   * Checks what is given.
   *
   * @throws ConfigurationException {@code OUT-006} if the name is not valid, {@code OUT-021} if the
   *     id is null
   */
  public ResumeReplay {
    Name.check("subscription", subscription);
    Require.nonNull("replay", replay);
  }

  @Override
  public Reader reader() {
    return Reader.subscription(subscription);
  }
}
