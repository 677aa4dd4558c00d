// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import io.outledger.servers.SmallDisk;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who does which fault. */
public final class Stories {

  private final Map<Fault, Story> stories = new EnumMap<>(Fault.class);

  /**
   * Makes all that can be made.
   *
   * @param disk the disk of the database; null where it is an ordinary one, which cannot be full
   */
  public Stories(@Nullable SmallDisk disk) {
    for (Fault fault : Fault.values()) {
      if (fault != Fault.DISK_FULL) {
        stories.put(fault, story(fault));
      } else if (disk != null) {
        stories.put(fault, new FullDisk(disk));
      }
    }
  }

  /**
   * Does a fault, and returns when the shop can go on.
   *
   * @throws SQLException where a database that should answer does not
   */
  public Incident happen(Fault fault, Scene scene) throws SQLException {
    Story story = stories.get(fault);
    if (story == null) {
      throw new IllegalArgumentException(fault.word() + " cannot be done here");
    }
    return story.happen(fault, scene);
  }

  /** Returns what cannot be done on this machine, and why. */
  public static Map<Fault, String> impossible() {
    Map<Fault, String> impossible = new LinkedHashMap<>();
    SmallDisk.impossibleBecause().ifPresent(why -> impossible.put(Fault.DISK_FULL, why));
    return impossible;
  }

  private static Story story(Fault fault) {
    return switch (fault) {
      case OWNER_STOPPED -> new GracefulStops();
      case ROLLED_OUT, ROLLED_BACK -> new RollOuts();
      case SESSIONS_ENDED -> new EndedSessions();
      case TRANSACTION_HELD -> new HeldTransaction();
      case TRANSACTION_PREPARED -> new PreparedTransaction();
      case SNAPSHOT_HELD -> new HeldSnapshot();
      case RESTORED -> new RestoredElsewhere();
      case POINT_IN_TIME_RESTORED -> new RestoredToThen();
      case FAILED_OVER -> new FailOver();
      case LED_TO_REPLICA, REPLICA_PROMOTED -> new Replicas();
      default -> ofMany(fault);
    };
  }

  private static Story ofMany(Fault fault) {
    if (fault.word().endsWith("-killed")) {
      return new Kills();
    }
    return fault.word().endsWith("-frozen") ? new Freezes() : new BadLines();
  }
}
