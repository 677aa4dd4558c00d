// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A consumer group of a stream, of which one member has entries at a time.
 *
 * @param stream the stream's key
 * @param name the group's name
 * @param takeOver how long a member is silent before another takes its entries
 */
record RedisGroup(String stream, String name, Duration takeOver) {

  private static final int PAGE_MAX = 100;

  /**
   * Entries of this member that it forgot with its connection come first; then, where nobody has
   * any, new ones; else those of a member that is silent for too long. In one step, so that no two
   * members read new ones side by side. A member that begins has dead ones forgotten that have
   * nothing; one that lives after all becomes a member again with its next read.
   */
  private static final String READ =
      """
      local stream, group, member, count = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
      if ARGV[5] == 'own' then
        local members = redis.pcall('XINFO', 'CONSUMERS', stream, group)
        for _, info in ipairs(members) do
          local of = {}
          for i = 1, #info, 2 do
            of[info[i]] = info[i + 1]
          end
          if of['pending'] == 0 and of['idle'] > tonumber(ARGV[4]) then
            redis.call('XGROUP', 'DELCONSUMER', stream, group, of['name'])
          end
        end
        return redis.call('XREADGROUP', 'GROUP', group, member, 'COUNT', count,
            'STREAMS', stream, '0')
      end
      if redis.call('XPENDING', stream, group)[1] == 0 then
        return redis.call('XREADGROUP', 'GROUP', group, member, 'COUNT', count,
            'STREAMS', stream, '>')
      end
      local taken = redis.call('XAUTOCLAIM', stream, group, member, ARGV[4], '0', 'COUNT', count)
      return {{stream, taken[2]}, taken[3]}
      """;

  /** Lets others have at once what a member has, and forgets a member that has nothing. */
  private static final String LEAVE =
      """
      local stream, group, member = KEYS[1], ARGV[1], ARGV[2]
      local all = redis.call('XPENDING', stream, group, '-', '+', 10000, member)
      for _, entry in ipairs(all) do
        redis.call('XCLAIM', stream, group, member, 0, entry[1], 'IDLE', ARGV[3], 'JUSTID')
      end
      if #all == 0 then
        redis.call('XGROUP', 'DELCONSUMER', stream, group, member)
      end
      return #all
      """;

  /**
   * An entry as Redis returned it.
   *
   * @param id its id
   * @param fields its fields; null where it was removed from the stream
   */
  record Entry(String id, @Nullable Map<String, byte[]> fields) {}

  /** Creates stream and group where they do not exist. */
  void create(RedisCommands<String, byte[]> redis) {
    try {
      var unused =
          redis.xgroupCreate(
              StreamOffset.from(stream, "0"), name, XGroupCreateArgs.Builder.mkstream());
    } catch (RedisCommandExecutionException e) {
      if (!RedisReplies.code(e).equals("BUSYGROUP")) { // it exists
        throw e;
      }
    }
  }

  /**
   * Reads entries, without waiting.
   *
   * @param own whether to read those that this member has not acknowledged
   */
  List<Entry> read(RedisCommands<String, byte[]> redis, String member, boolean own) {
    List<?> reply =
        redis.eval(
            READ,
            ScriptOutputType.MULTI,
            new String[] {stream},
            bytes(name),
            bytes(member),
            bytes(Integer.toString(PAGE_MAX)),
            bytes(Long.toString(takeOver.toMillis())),
            bytes(own ? "own" : "new"));
    List<Entry> entries = new ArrayList<>();
    if (reply == null || reply.isEmpty() || !(reply.get(0) instanceof List<?> ofStream)) {
      return entries;
    }
    for (Object entry : (List<?>) ofStream.get(1)) {
      entries.add(entry((List<?>) entry));
    }
    // What was trimmed away before its member acknowledged it.
    if (reply.size() > 1 && reply.get(1) instanceof List<?> removed) {
      removed.forEach(id -> entries.add(new Entry(text(id), null)));
    }
    return entries;
  }

  private static Entry entry(List<?> reply) {
    if (!(reply.get(1) instanceof List<?> all)) {
      return new Entry(text(reply.get(0)), null);
    }
    Map<String, byte[]> fields = new TreeMap<>();
    for (int i = 0; i + 1 < all.size(); i += 2) {
      fields.put(text(all.get(i)), (byte[]) all.get(i + 1));
    }
    return new Entry(text(reply.get(0)), fields);
  }

  /** Gives a member's entries up. */
  void leave(RedisCommands<String, byte[]> redis, String member) {
    Long unused =
        redis.eval(
            LEAVE,
            ScriptOutputType.INTEGER,
            new String[] {stream},
            bytes(name),
            bytes(member),
            bytes(Long.toString(takeOver.toMillis())));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(Object bytes) {
    return RedisBinding.text((byte[]) bytes);
  }

  @Override
  public String toString() {
    return "Redis group " + name + " of stream " + stream;
  }
}
