// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.event.TypeVersion;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The types and versions of all messages that are still there: in the ledger, parked by its relays,
 * and parked by the receivers of this database.
 *
 * @param all each of them, by name and version, the first {@value #ROWS_MAX}
 * @param isComplete whether there are no more
 */
public record StoredTypes(List<StoredType> all, boolean isComplete) {

  /** The most types and versions that are listed. */
  public static final int ROWS_MAX = 10_000;

  /**
   * A type and version, and how many messages have it.
   *
   * @param type its name and version, as the messages carry them
   * @param inLedger in the ledger, without those that were erased
   * @param parked by relays
   * @param received and parked by receivers
   * @param isRead whether the events of this build have a class that reads it
   */
  public record StoredType(
      TypeVersion type, long inLedger, long parked, long received, boolean isRead) {

    /**
     * Checks what is given.
     *
     * @throws ConfigurationException {@code OUT-021} if the type is null
     */
    public StoredType {
      Require.nonNull("type", type);
    }

    /** Names it for people, with its counts. */
    @Override
    public String toString() {
      return type
          + " ("
          + inLedger
          + " in the ledger, "
          + parked
          + " parked, "
          + received
          + " received and parked)";
    }
  }

  /** Keeps a copy of the list. */
  public StoredTypes {
    all = List.copyOf(Require.nonNull("all", all));
  }

  /** Returns those that no class of this build reads. */
  public List<StoredType> unread() {
    return all.stream().filter(each -> !each.isRead()).toList();
  }

  /**
   * Requires that this build reads everything: a gate for deployments.
   *
   * @throws ConfigurationException {@code OUT-011} listing what it does not read, and where there
   *     are more types than are listed
   */
  public void requireRead() {
    List<StoredType> unread = unread();
    if (!unread.isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.UNREGISTERED_TYPE,
          "this build has no class that reads these messages, which are still there:"
              + unread.stream().map(each -> "\n- " + each).collect(Collectors.joining())
              + "\nRegister a class, name the type formerly(…), or read the older version with"
              + " upcast(…). If a type is only published and never read here, look at unread() in"
              + " place of requireRead()");
    }
    if (!isComplete) {
      throw new ConfigurationException(
          ErrorCode.UNREGISTERED_TYPE,
          "there are more than " + ROWS_MAX + " types and versions, and only these were looked at");
    }
  }
}
