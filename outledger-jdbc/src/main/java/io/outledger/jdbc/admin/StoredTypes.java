// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.event.TypeVersion;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The types and versions of all that is still there and will be read: messages in the ledger, those
 * that wait for their time, those that relays and the receivers of this database have parked, and
 * the states of sagas that have not ended.
 *
 * @param all each type and version of messages, by name and version, the first {@value #ROWS_MAX}
 * @param states those of states, by saga, name and version, as many
 * @param isComplete whether there are no more
 */
public record StoredTypes(List<StoredType> all, List<StoredState> states, boolean isComplete) {

  /** The most types and versions that are listed, of messages and of states. */
  public static final int ROWS_MAX = 10_000;

  /**
   * How many messages have a type and version.
   *
   * @param inLedger in the ledger, without those that were erased
   * @param scheduled waiting for their time
   * @param parked by relays
   * @param received and parked by receivers
   */
  public record Counts(long inLedger, long scheduled, long parked, long received) {}

  /**
   * A type and version of messages.
   *
   * @param type its name and version, as the messages carry them
   * @param counts how many have it
   * @param unread why this build does not read them, for people: it has no class for them, the saga
   *     of time-outs among them does not take them, which is not asked of those in the ledger, or
   *     its serializer does not read what another one has written, as their header {@code
   *     content-type} says; null where it does
   */
  public record StoredType(TypeVersion type, Counts counts, @Nullable String unread) {

    /**
     * Checks what is given.
     *
     * @throws ConfigurationException {@code OUT-021} if something is null
     */
    public StoredType {
      Require.nonNull("type", type);
      Require.nonNull("counts", counts);
    }

    /** Returns whether this build reads them. */
    public boolean isRead() {
      return unread == null;
    }

    /** Names it for people, with its counts. */
    @Override
    public String toString() {
      return type
          + " ("
          + counts.inLedger()
          + " in the ledger, "
          + counts.scheduled()
          + " scheduled, "
          + counts.parked()
          + " parked, "
          + counts.received()
          + " received and parked)"
          + (unread == null ? "" : ": " + unread);
    }
  }

  /**
   * Sagas of a name whose states have a type and version, and with which this build can go on, or
   * cannot for one reason.
   *
   * @param saga the saga's name
   * @param type the state's name and version
   * @param sagas how many there are
   * @param unread why this build cannot go on with them, for people: it has no saga of that name,
   *     does not read the state whole, or has no compensation for what they have done; null where
   *     it can
   */
  public record StoredState(String saga, TypeVersion type, long sagas, @Nullable String unread) {

    /**
     * Checks what is given.
     *
     * @throws ConfigurationException {@code OUT-021} if something is null
     */
    public StoredState {
      Require.nonNull("saga", saga);
      Require.nonNull("type", type);
    }

    /** Returns whether this build can go on with them. */
    public boolean isRead() {
      return unread == null;
    }

    /** Names it for people, with its count. */
    @Override
    public String toString() {
      String states = type + " (the state of " + sagas + " sagas " + saga + ")";
      return unread == null ? states : states + ": " + unread;
    }
  }

  /** Keeps copies of the lists. */
  public StoredTypes {
    all = List.copyOf(Require.nonNull("all", all));
    states = List.copyOf(Require.nonNull("states", states));
  }

  /** Returns the types of messages that this build does not read. */
  public List<StoredType> unread() {
    return all.stream().filter(each -> !each.isRead()).toList();
  }

  /** Returns the states with which no saga of this build can go on. */
  public List<StoredState> unreadStates() {
    return states.stream().filter(each -> !each.isRead()).toList();
  }

  /**
   * Requires that this build reads everything: a gate for deployments.
   *
   * @throws ConfigurationException {@code OUT-011} listing what it does not read, and where there
   *     are more types than are listed
   */
  public void requireRead() {
    List<String> unread =
        Stream.concat(
                unread().stream().map(StoredType::toString),
                unreadStates().stream().map(StoredState::toString))
            .toList();
    if (!unread.isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.UNREGISTERED_TYPE,
          "this build has nothing that reads these, which are still there:"
              + unread.stream().map(each -> "\n- " + each).collect(Collectors.joining())
              + "\nRegister a class, or give the saga; name the type formerly(…), or read the older"
              + " version with upcast(…). What a newer build has added to a state, this one has to"
              + " know. What another serializer has written, this one has to read, as"
              + " contentTypes() says. If a type is only published and never read here, look at"
              + " unread() and unreadStates() in place of requireRead()");
    }
    if (!isComplete) {
      throw new ConfigurationException(
          ErrorCode.UNREGISTERED_TYPE,
          "there are more than " + ROWS_MAX + " types and versions, and only these were looked at");
    }
  }
}
